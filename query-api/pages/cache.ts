// A cache of rendered pages that also limits how many are rendered at once.

export interface Made<Body> {
  readonly status: number
  readonly body: Body
  /** True if the page lacks data that is temporarily unavailable: such a page is not cached. */
  readonly isPassing?: true
}

export interface CacheLimits {
  /** How long a cached page is served, wall milliseconds. */
  readonly freshMs: number
  readonly pagesMax: number
  /** Pages that may be rendered at once. */
  readonly makingMax: number
}

export class PageCache<Body = string> {
  readonly #limits: CacheLimits
  readonly #pages = new Map<string, { readonly page: Promise<Made<Body>>; readonly untilMs: number }>()
  #making = 0

  constructor(limits: CacheLimits) {
    this.#limits = limits
  }

  /** Undefined if the page is not cached and `makingMax` others are being rendered. Caches successes only. Rejects if `make` rejects. */
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
  /** Evicts the oldest page first. */
  #shrink(): void {
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= this.#limits.pagesMax) return
      this.#pages.delete(oldest)
    }
  }
}
