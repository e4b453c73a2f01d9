// The time up to which the history also has the odds, which are logged some moments after the judgements that they belong to.
//
// When a check finds every judgement scored, the odds for everything that the history then has are on the log. The history has them too
// once its own watermark has advanced twice: the second watermark was set when the first was reached, after that check. If no data
// arrives, the watermark does not advance; then some further checks are long enough.

/** Two minutes of checks. */
const STILL_CHECKS = 12
const MOVES = 2

export class ScoredUpTo {
  #done: number | null = null
  #chosen: number | null = null
  #last = 0
  #moves = 0
  #checks = 0

  /** Stream time, unix seconds; null while unknown. Never decreases. */
  update(upTo: number | null, isScored: boolean): number | null {
    if (upTo === null) return this.#done
    if (this.#chosen !== null) this.#follow(upTo)
    if (this.#chosen === null && isScored && upTo > (this.#done ?? -1)) {
      this.#chosen = upTo
      this.#last = upTo
      this.#moves = 0
      this.#checks = 0
    }
    return this.#done
  }
  #follow(upTo: number): void {
    this.#checks++
    if (upTo > this.#last) this.#moves++
    this.#last = upTo
    if (this.#moves < MOVES && this.#checks < STILL_CHECKS) return
    this.#done = this.#chosen
    this.#chosen = null
  }
}
