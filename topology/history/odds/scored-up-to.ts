// Up to where the history has the odds too: they are logged some moments after what they are about.
//
// At a look at which every judgement is scored, the odds of all that the history has by then are on the log. The history has them as well
// once its own mark has moved on twice: the second one was set when the first was reached, after that look. Where nothing comes any more
// the mark does not move; after some looks it has had the time.

/** Two minutes of looks. */
const STILL_LOOKS = 12
const MOVES = 2

export class ScoredUpTo {
  #done: number | null = null
  #chosen: number | null = null
  #last = 0
  #moves = 0
  #looks = 0

  /** Of stream time, unix seconds; null while nothing is known. Never falls. */
  look(upTo: number | null, isScored: boolean): number | null {
    if (upTo === null) return this.#done
    if (this.#chosen !== null) this.#follow(upTo)
    if (this.#chosen === null && isScored && upTo > (this.#done ?? -1)) {
      this.#chosen = upTo
      this.#last = upTo
      this.#moves = 0
      this.#looks = 0
    }
    return this.#done
  }
  #follow(upTo: number): void {
    this.#looks++
    if (upTo > this.#last) this.#moves++
    this.#last = upTo
    if (this.#moves < MOVES && this.#looks < STILL_LOOKS) return
    this.#done = this.#chosen
    this.#chosen = null
  }
}
