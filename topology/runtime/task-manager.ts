// Starts and ends the tasks of this process as their partitions are assigned and revoked.

import type { TaskSpec } from './task-spec.ts'
import { TaskSupervisor, type Wanted } from './task-supervisor.ts'
import { Watchdog } from './watchdog.ts'

/** Knows all tasks, and runs those whose partition is assigned here. */
export class TaskManager {
  readonly #supervisors: readonly TaskSupervisor[]
  readonly #over = new AbortController()
  readonly #watchdog: Watchdog
  readonly #done: Promise<void>
  #assigned: ReadonlySet<string> = new Set()
  #standbys: ReadonlySet<string> = new Set()
  #end: { resolve: () => void; reject: (failure: unknown) => void } = { resolve: () => {}, reject: () => {} }

  /**
   * `settleMs`: how long the old owner of a task may need to learn that it lost the task; 0: partitions never move.
   * `isAssignmentKnown`: false while the assignment is unknown.
   */
  constructor(specs: readonly TaskSpec[], settleMs: number, isAssignmentKnown: () => boolean = () => true) {
    this.#supervisors = specs.map(
      (spec) => new TaskSupervisor(spec, { settleMs, isAssignmentKnown, failed: (failure) => this.#fail(failure) }),
    )
    this.#done = new Promise((resolve, reject) => {
      this.#end = { resolve, reject }
    })
    this.#done.catch(() => {})
    this.#watchdog = new Watchdog(
      () =>
        isAssignmentKnown()
          ? this.#here().map(({ spec: { name, topicPartition }, sign, idleMsMax }) => ({ name, topicPartition, sign, idleMsMax }))
          : [],
      (failure) => this.#fail(failure),
    )
  }
  /** Rejects with the failure that ended a task; resolves after `stop`. */
  get done(): Promise<void> {
    return this.#done
  }
  /** True if all of these tasks whose partition is assigned here are caught up; a task that does not run is not. */
  areCaughtUp(specs: readonly TaskSpec[]): boolean {
    return this.#here().every(({ spec, isCaughtUp }) => isCaughtUp || !specs.includes(spec))
  }
  /** The partitions of `standbys` of which every task here is ready for a fast takeover. */
  get warm(): ReadonlySet<string> {
    const cold = this.#supervisors.filter(({ isWarm }) => !isWarm).map(({ spec }) => spec.topicPartition)
    return new Set([...this.#standbys].filter((topicPartition) => !cold.includes(topicPartition)))
  }
  get standbys(): { readonly warm: number; readonly cold: number } {
    const warm = this.warm.size
    return { warm, cold: this.#standbys.size - warm }
  }
  /**
   * Ends lost tasks and starts new ones, also tasks that another process had taken over meanwhile; tasks of `standbys` follow their owners.
   * Resolves when all run.
   */
  async setAssigned(assigned: ReadonlySet<string>, standbys: ReadonlySet<string> = new Set()): Promise<void> {
    if (this.#over.signal.aborted) return
    this.#assigned = assigned
    this.#standbys = standbys
    await this.#settled(this.#supervisors.map((worker) => worker.want(this.#wantedOf(worker))))
  }
  /** Lets those of these tasks that are assigned here commit, ends them and starts them again. Resolves when they run. */
  async restart(specs: readonly TaskSpec[]): Promise<void> {
    if (this.#over.signal.aborted) return
    const ended = this.#here().filter(({ spec }) => specs.includes(spec))
    await this.#settled(ended.map((worker) => worker.want('nothing')))
    if (this.#over.signal.aborted) return
    await this.#settled(ended.map((worker) => worker.want(this.#wantedOf(worker))))
  }
  /** Lets every task commit what it has done. Rejects with the failure that ended a task before. */
  async stop(): Promise<void> {
    await this.#leave()
    this.#end.resolve()
    await this.#done
  }

  #wantedOf({ spec: { topicPartition } }: TaskSupervisor): Wanted {
    if (this.#assigned.has(topicPartition)) return 'runs'
    return this.#standbys.has(topicPartition) ? 'follows' : 'nothing'
  }
  #here(): readonly TaskSupervisor[] {
    return this.#supervisors.filter(({ spec }) => this.#assigned.has(spec.topicPartition))
  }
  /** Rejects with the failure that ends a task meanwhile. */
  async #settled(wanted: readonly Promise<void>[]): Promise<void> {
    await Promise.race([Promise.all(wanted), this.#done])
    if (this.#over.signal.aborted) await this.#done
  }
  #leave(): Promise<unknown> {
    this.#over.abort()
    this.#watchdog.stop()
    return Promise.all(this.#supervisors.map((worker) => worker.want('nothing')))
  }
  #fail(failure: unknown): void {
    this.#end.reject(failure)
    void this.#leave()
  }
}
