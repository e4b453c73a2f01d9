// Time budget for folding between two yields to the event loop, shared by all tasks of a process.

/** Wall time for pacing, milliseconds, monotone: it never reaches a fold. */
export type Pace = () => number

/**
 * One budget for all tasks of a process: when it is used up, each task waits for its turn, and between two turns the event loop serves
 * everything else (requests, timers, disk callbacks). With a budget per task, as many slices would follow each other without a pause.
 */
export class TimeSlice {
  readonly #sliceMs: number
  readonly pace: Pace
  #startedAt = Number.NEGATIVE_INFINITY
  /** When a task last committed because its interval was over: tasks that would soon do the same join, because together they cost less. */
  ledAt = Number.NEGATIVE_INFINITY
  readonly #waiting: (() => void)[] = []

  constructor(sliceMs: number, pace: Pace = () => performance.now()) {
    this.#sliceMs = sliceMs
    this.pace = pace
  }
  /** True if the budget is used up: await `turn`. */
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
