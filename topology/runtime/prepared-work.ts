// Work that begins only after a preparation.
import type { RunningTask } from './task-spec.ts'

export class PreparedWork implements RunningTask {
  readonly #work: RunningTask
  readonly #prepare: (stop: AbortSignal) => Promise<boolean>
  readonly #prepared: () => number
  readonly #stopping = new AbortController()
  #isReady = false

  /** `prepare` resolves with false if it was stopped: the work then never begins. `prepared` grows while the preparation progresses. */
  constructor(work: RunningTask, prepare: (stop: AbortSignal) => Promise<boolean>, prepared: () => number) {
    this.#work = work
    this.#prepare = prepare
    this.#prepared = prepared
  }
  async restore(): Promise<void> {
    const { signal } = this.#stopping
    if (!(await this.#prepare(signal)) || signal.aborted) return
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
  get progress(): number {
    return this.#isReady ? this.#work.progress : this.#prepared()
  }
  get steps(): number | null {
    return (this.#isReady ? this.#work.steps : null) ?? null
  }
  get isCaughtUp(): boolean {
    return this.#isReady && this.#work.isCaughtUp
  }
}
