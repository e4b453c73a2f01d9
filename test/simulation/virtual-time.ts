// Virtual time: it advances only when the scheduler moves it. While installed, it replaces the timers of the process; promises remain the
// runtime's.

interface Timer {
  readonly atMs: number
  readonly n: number
  readonly run: () => void
}

const real = { setImmediate: globalThis.setImmediate }

/** Resolves after all pending promise callbacks have run. */
export const settled = (): Promise<void> => new Promise((resolve) => real.setImmediate(() => resolve()))

export class VirtualTime {
  nowMs = 0
  /** Receives the callbacks of `setImmediate`. */
  readonly #later: (run: () => void) => void
  #timers: Timer[] = []
  #count = 0

  constructor(later: (run: () => void) => void) {
    this.#later = later
  }
  after(ms: number, run: () => void): Timer {
    const timer = { atMs: this.nowMs + Math.max(0, ms), n: this.#count++, run }
    this.#timers.push(timer)
    return timer
  }
  cancel(timer: Timer): void {
    this.#timers = this.#timers.filter((one) => one !== timer)
  }
  get hasTimers(): boolean {
    return this.#timers.length > 0
  }
  /** Advances to the next timer and runs it. */
  fireNext(): void {
    let next = this.#timers[0] as Timer
    for (const timer of this.#timers) if (timer.atMs < next.atMs || (timer.atMs === next.atMs && timer.n < next.n)) next = timer
    this.cancel(next)
    this.nowMs = Math.max(this.nowMs, next.atMs)
    next.run()
  }
  /**
   * Replaces the runtime's timers; the result restores them. Intervals never fire: a watchdog for stalls would report what a dead process
   * left behind, and the run itself detects that it never becomes idle.
   */
  install(): () => void {
    const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = globalThis
    const before = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate }
    Object.assign(globalThis, {
      setTimeout: (run: () => void, ms = 0) => this.after(ms, run),
      clearTimeout: (timer: Timer) => this.cancel(timer),
      setInterval: () => ({ unref: () => {} }),
      clearInterval: () => {},
      setImmediate: (run: () => void) => this.#later(run),
    })
    return () => {
      Object.assign(globalThis, before)
    }
  }
}
