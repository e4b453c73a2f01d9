// The contract of the tasks of a process.
import type { Chain } from '../../schemas/types.ts'
import type { Waits } from '../engine/definition.ts'

/**
 * A running task: `restore`, then `run`, which resolves after `stop` with everything committed, or rejects with the failure that ended it.
 */
export interface RunningTask {
  /**
   * Stands by: keeps the rows up to date with the task's owner in another process, without taking over; resolves once `end` fires. After it
   * call `restore` to take over. Absent: the task keeps nothing that would make a takeover faster.
   */
  follow?(end: AbortSignal): Promise<void>
  /** True once the followed rows are complete. */
  readonly isWarm?: boolean
  /** Takes over from the previous owner and restores the rows. After `stop` it resolves soon, unfinished; `run` then does nothing. */
  restore(): Promise<void>
  /** Call it once, also after `stop`: it releases what the task holds. */
  run(): Promise<void>
  stop(): void
  /** True if all current input is processed and committed. */
  readonly isCaughtUp: boolean
  /** Grows while the restore progresses. */
  readonly progress: number
  /**
   * Grows with the progress of the run; null while it has nothing to do, or waits for input, at the barrier, or for a commit. A run without
   * `steps` is not watched, such as the sink's, which waits for its server without a limit.
   */
  readonly steps?: number | null
}

/** A task; one process at a time runs it. */
export interface TaskSpec {
  readonly name: string
  /** The process to which this partition is assigned runs the task. */
  readonly topicPartition: string
  /** Called each time the partition is assigned here. */
  create(): RunningTask
}

/** Runs the tasks of the folds in one thread. */
export interface FoldTasks {
  /** The task that folds a partition of the chain's tape. `revision`: of the stores, read when the task is restored. */
  create(chain: Chain, partition: number, revision: () => number): RunningTask
  /** What its running tasks wait for at the barrier. */
  readonly waits: readonly Waits[]
}

/** Another thread that runs tasks of folds, over its own connection to the log. */
export interface FoldWorker extends FoldTasks {
  /** Resolves when the thread knows everything committed before the call, and the states of its tasks reported here are newer than that. */
  refresh(): Promise<void>
  /** Rejects with the failure that ended the thread. */
  readonly broken: Promise<never>
}
