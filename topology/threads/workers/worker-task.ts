// A task in a worker thread, with its state as of the newest report.
import type { RunningTask } from '../../runtime/task-spec.ts'
import { atStop } from '../../waiting/waiting.ts'
import type { TaskState } from './wire.ts'

/** Calls to the worker about one task. */
export interface TaskCalls {
  create(): Promise<void>
  follow(): Promise<void>
  lead(): void
  restore(): Promise<void>
  run(): Promise<void>
  stop(): void
  /** Undefined before the first report of the task, and after its end. */
  state(): TaskState | undefined
  /** True if the worker has not reported for a while. */
  isSilent(): boolean
}

export class WorkerTask implements RunningTask {
  readonly #calls: TaskCalls
  #isThere = false
  #isStopped = false

  constructor(calls: TaskCalls) {
    this.#calls = calls
  }
  async follow(end: AbortSignal): Promise<void> {
    await this.#create()
    atStop(end, () => this.#calls.lead())
    await this.#calls.follow()
  }
  get isWarm(): boolean {
    return this.#calls.state()?.isWarm ?? false
  }
  async restore(): Promise<void> {
    if (this.#isStopped) return
    await this.#create()
    await this.#calls.restore()
  }
  async run(): Promise<void> {
    if (this.#isThere) await this.#calls.run()
  }
  stop(): void {
    this.#isStopped = true
    this.#calls.stop()
  }
  get isCaughtUp(): boolean {
    return this.#calls.state()?.isCaughtUp ?? false
  }
  get progress(): number {
    return this.#calls.state()?.progress ?? 0
  }
  /** While the worker is silent, its tasks are watched as if they had work. */
  get steps(): number | null {
    return this.#calls.isSilent() ? this.progress : (this.#calls.state()?.steps ?? null)
  }
  async #create(): Promise<void> {
    if (this.#isThere) return
    this.#isThere = true
    await this.#calls.create()
  }
}
