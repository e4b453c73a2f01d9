// Work that begins only when something before it is done.
import type { Work } from '../workers.ts'

export class PreparedWork implements Work {
  readonly #work: Work
  readonly #prepare: (stop: AbortSignal) => Promise<boolean>
  readonly #stopping = new AbortController()
  #isReady = false

  /** `prepare` resolves with false when it was stopped: then the work never begins. */
  constructor(work: Work, prepare: (stop: AbortSignal) => Promise<boolean>) {
    this.#work = work
    this.#prepare = prepare
  }
  async restore(): Promise<void> {
    if (!(await this.#prepare(this.#stopping.signal))) return
    this.#isReady = true
    await this.#work.restore()
  }
  async run(): Promise<void> {
    if (this.#isReady) await this.#work.run()
  }
  stop(): void {
    this.#stopping.abort()
    this.#work.stop()
  }
  get isCaughtUp(): boolean {
    return this.#isReady && this.#work.isCaughtUp
  }
}
