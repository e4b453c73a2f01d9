// The part of the event loop that folding may take in one go, shared by all who fold in a process.

/** Wall time for pacing: it never reaches a fold. Milliseconds, monotone. */
export type Pace = () => number

/**
 * One slice for all who share it: when it is over, whoever asks waits for a turn of its own, and between two turns everything else in the
 * process gets its own (requests, timers, answers of the disk). With a slice each, so many would follow each other without a pause.
 */
export class Slice {
  readonly #sliceMs: number
  readonly pace: Pace
  #startedAt = Number.NEGATIVE_INFINITY
  readonly #waiting: (() => void)[] = []

  constructor(sliceMs: number, pace: Pace = () => performance.now()) {
    this.#sliceMs = sliceMs
    this.pace = pace
  }
  /** Time to give way: await `turn`. */
  get isOver(): boolean {
    return this.pace() - this.#startedAt >= this.#sliceMs
  }
  /** Resolves at the start of a slice, in the order of the calls. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) setImmediate(() => this.#begin())
    })
  }
  #begin(): void {
    this.#startedAt = this.pace()
    const resolve = this.#waiting.shift()
    if (this.#waiting.length > 0) setImmediate(() => this.#begin())
    resolve?.()
  }
}
