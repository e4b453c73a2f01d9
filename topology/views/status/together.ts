// Shows the rows of a swap all at once, so that no answer mixes rows of two versions.

export class Together {
  /** Null: each effect is shown at once. */
  #effects: (() => void)[] | null = null

  /** Drops what was not shown; from now on effects wait for `show`. */
  hold(): void {
    this.#effects = []
  }
  add(effect: () => void): void {
    if (this.#effects === null) effect()
    else this.#effects.push(effect)
  }
  /** Shows what waits; from now on each effect is shown at once. */
  show(): void {
    const effects = this.#effects ?? []
    this.#effects = null
    for (const effect of effects) effect()
  }
}
