// How a process ends: parts in the reverse order of their start, each even if another fails.

/** Collects what must end. */
export class Closing {
  readonly #steps: { readonly name: string; readonly end: () => Promise<void> }[] = []

  add(name: string, end: () => Promise<void>): void {
    this.#steps.push({ name, end })
  }
  /** Ends all. @throws the first failure, after all were tried. */
  async run(): Promise<void> {
    let failed: { name: string; cause: unknown } | undefined
    for (const { name, end } of this.#steps.reverse()) {
      try {
        await end()
      } catch (cause) {
        failed ??= { name, cause }
      }
    }
    this.#steps.length = 0
    if (failed !== undefined) throw failed.cause
  }
}
