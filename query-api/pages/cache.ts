// Pages as they were made, for a while: whoever asks meanwhile gets the same, and few are made at once.

export interface Made<Body> {
  readonly status: number
  readonly body: Body
  /** True where something was missing that may be there soon: it is not kept. */
  readonly isPassing?: true
}

export interface CacheLimits {
  /** A page is given again for so long, wall milliseconds. */
  readonly freshMs: number
  readonly pagesMax: number
  /** Pages that may be in the making at once. */
  readonly makingMax: number
}

export class PageCache<Body = string> {
  readonly #limits: CacheLimits
  readonly #pages = new Map<string, { readonly page: Promise<Made<Body>>; readonly untilMs: number }>()
  #making = 0

  constructor(limits: CacheLimits) {
    this.#limits = limits
  }

  /** Undefined while too many others are made. Only successes are kept. Rejects as `make` does. */
  get(key: string, nowMs: number, make: () => Promise<Made<Body>>): Promise<Made<Body>> | undefined {
    const kept = this.#pages.get(key)
    if (kept !== undefined && nowMs < kept.untilMs) return kept.page
    if (this.#making >= this.#limits.makingMax) return undefined
    this.#pages.delete(key)
    const page = this.#make(make)
    this.#pages.set(key, { page, untilMs: nowMs + this.#limits.freshMs })
    this.#shrink()
    const forget = (): void => {
      if (this.#pages.get(key)?.page === page) this.#pages.delete(key)
    }
    page.then(({ status, isPassing }) => (status !== 200 || isPassing) && forget(), forget)
    return page
  }

  get size(): number {
    return this.#pages.size
  }

  async #make(make: () => Promise<Made<Body>>): Promise<Made<Body>> {
    this.#making += 1
    try {
      return await make()
    } finally {
      this.#making -= 1
    }
  }
  /** The page made longest ago goes first. */
  #shrink(): void {
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= this.#limits.pagesMax) return
      this.#pages.delete(oldest)
    }
  }
}
