// Work that requests a rebuild of the stores if it cannot continue with them.

import { stopped } from '../waiting/waiting.ts'
import type { RunningTask } from './task-spec.ts'

export class RepairedWork implements RunningTask {
  readonly #work: RunningTask
  readonly #repair: (failure: unknown, stop: AbortSignal) => Promise<void>
  readonly #stopping = new AbortController()
  #isStuck = false

  /** `repair` resolves once a rebuild is requested, and rejects if no rebuild can help. The work then stays idle until it is stopped. */
  constructor(work: RunningTask, repair: (failure: unknown, stop: AbortSignal) => Promise<void>) {
    this.#work = work
    this.#repair = repair
  }
  restore(): Promise<void> {
    return this.#work.restore()
  }
  async run(): Promise<void> {
    try {
      await this.#work.run()
    } catch (failure) {
      this.#isStuck = true
      await this.#repair(failure, this.#stopping.signal)
      await stopped(this.#stopping.signal)
    }
  }
  stop(): void {
    this.#stopping.abort()
    this.#work.stop()
  }
  get isCaughtUp(): boolean {
    return !this.#isStuck && this.#work.isCaughtUp
  }
  get progress(): number {
    return this.#work.progress
  }
  /** Idle work waits for the rebuild, which is watched where it runs. */
  get steps(): number | null {
    return (this.#isStuck ? null : this.#work.steps) ?? null
  }
}
