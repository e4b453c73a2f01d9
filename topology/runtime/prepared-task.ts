// A task that begins only after a preparation.
import type { RunningTask } from './task-spec.ts'

export class PreparedTask implements RunningTask {
  readonly #task: RunningTask
  readonly #prepare: (stop: AbortSignal) => Promise<boolean>
  readonly #prepared: () => number
  readonly #stopping = new AbortController()
  #isReady = false

  /** `prepare` resolves with false if it was stopped: the task then never begins. `prepared` grows while the preparation progresses. */
  constructor(task: RunningTask, prepare: (stop: AbortSignal) => Promise<boolean>, prepared: () => number) {
    this.#task = task
    this.#prepare = prepare
    this.#prepared = prepared
  }
  async follow(end: AbortSignal): Promise<void> {
    await this.#task.follow?.(end)
  }
  get isWarm(): boolean {
    return this.#task.isWarm ?? true
  }
  async restore(): Promise<void> {
    const { signal } = this.#stopping
    if (!(await this.#prepare(signal)) || signal.aborted) return
    this.#isReady = true
    await this.#task.restore()
  }
  async run(): Promise<void> {
    if (this.#isReady || this.#stopping.signal.aborted) await this.#task.run()
  }
  stop(): void {
    this.#stopping.abort()
    this.#task.stop()
  }
  get progress(): number {
    return this.#isReady ? this.#task.progress : this.#prepared()
  }
  get steps(): number | null {
    return (this.#isReady ? this.#task.steps : null) ?? null
  }
  get isCaughtUp(): boolean {
    return this.#isReady && this.#task.isCaughtUp
  }
}
