// Time that stands still until the scheduler moves it. While installed, timers of the process are its own; promises stay the runtime's.

interface Timer {
  readonly atMs: number
  readonly n: number
  readonly run: () => void
}

const real = { setImmediate: globalThis.setImmediate }

/** Everything that waits only for promises has had its turn when this resolves. */
export const settled = (): Promise<void> => new Promise((resolve) => real.setImmediate(() => resolve()))

export class VirtualTime {
  nowMs = 0
  /** Takes what was given to `setImmediate`. */
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
  /** Moves to the next timer and runs it. */
  fireNext(): void {
    let next = this.#timers[0] as Timer
    for (const timer of this.#timers) if (timer.atMs < next.atMs || (timer.atMs === next.atMs && timer.n < next.n)) next = timer
    this.cancel(next)
    this.nowMs = Math.max(this.nowMs, next.atMs)
    next.run()
  }
  /**
   * Puts itself in the place of the runtime's timers; the result puts those back. Intervals never come: a watch over what stands still
   * would keep what a process that died leaves, and the run itself notices that it comes to no rest.
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
