// A task that requests a rebuild of the stores if it cannot continue with them.

import { stopped } from '../waiting/waiting.ts'
import type { RunningTask } from './task-spec.ts'

export class RepairedTask implements RunningTask {
  readonly #task: RunningTask
  readonly #repair: (failure: unknown, stop: AbortSignal) => Promise<void>
  readonly #stopping = new AbortController()
  #isStuck = false

  /** `repair` resolves once a rebuild is requested, and rejects if no rebuild can help. The task then stays idle until it is stopped. */
  constructor(task: RunningTask, repair: (failure: unknown, stop: AbortSignal) => Promise<void>) {
    this.#task = task
    this.#repair = repair
  }
  async follow(end: AbortSignal): Promise<void> {
    await this.#task.follow?.(end)
  }
  get isWarm(): boolean {
    return this.#task.isWarm ?? true
  }
  restore(): Promise<void> {
    return this.#task.restore().catch((failure: unknown) => this.#repaired(failure))
  }
  async run(): Promise<void> {
    if (!this.#isStuck) await this.#task.run().catch((failure: unknown) => this.#repaired(failure))
    if (this.#isStuck) await stopped(this.#stopping.signal)
  }
  async #repaired(failure: unknown): Promise<void> {
    this.#isStuck = true
    await this.#repair(failure, this.#stopping.signal)
  }
  stop(): void {
    this.#stopping.abort()
    this.#task.stop()
  }
  get isCaughtUp(): boolean {
    return !this.#isStuck && this.#task.isCaughtUp
  }
  get progress(): number {
    return this.#task.progress
  }
  /** The idle task waits for the rebuild, which is watched where it runs. */
  get steps(): number | null {
    return (this.#isStuck ? null : this.#task.steps) ?? null
  }
}
