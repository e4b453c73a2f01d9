// A task that starts once its input has records.
import type { Topic } from '../../schemas/topics.ts'
import type { Log } from '../ports/log.ts'
import type { RunningTask } from './task-spec.ts'

/**
 * Delays the takeover of a task until its input has a first record: before that, a source, in any process, may write a history with the
 * decoder's own rows.
 */
export class AfterFirst implements RunningTask {
  readonly #log: Log
  readonly #input: Topic
  readonly #task: RunningTask
  #isRestored = false
  #isStopped = false
  #wake: () => void = () => {}

  constructor(log: Log, input: Topic, task: RunningTask) {
    this.#log = log
    this.#input = input
    this.#task = task
  }
  async restore(): Promise<void> {
    if (this.#isStopped || this.#isEmpty()) return
    await this.#task.restore()
    this.#isRestored = true
  }
  async run(): Promise<void> {
    if (!this.#isRestored) {
      await this.#firstRecord()
      await this.restore()
    }
    if (this.#isRestored) await this.#task.run()
  }
  stop(): void {
    this.#isStopped = true
    this.#task.stop()
    this.#wake()
  }
  get progress(): number {
    return this.#task.progress
  }
  /** It may be restored while it runs. */
  get steps(): number | null {
    if (!this.#isRestored) return this.#isEmpty() ? null : this.#task.progress
    return this.#task.steps ?? null
  }
  get isCaughtUp(): boolean {
    return this.#isRestored ? this.#task.isCaughtUp : this.#isEmpty()
  }

  #isEmpty(): boolean {
    return this.#log.end(this.#input, 0) === 0
  }
  async #firstRecord(): Promise<void> {
    const unsubscribe = this.#log.onCommit((topics) => {
      if (topics.has(this.#input.name)) this.#wake()
    })
    while (!this.#isStopped && this.#isEmpty())
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        if (this.#isStopped || !this.#isEmpty()) resolve()
      })
    unsubscribe()
  }
}
