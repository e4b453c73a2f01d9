// Messages between the thread that assigns tasks of folds and a worker thread that runs some of them.
import type { ProxyMarked } from 'comlink'
import type { Chain } from '../../../schemas/types.ts'
import type { Waits } from '../../engine/definition.ts'
import type { EngineLimits } from '../../engine/limits.ts'
import type { CommitSeen } from '../../logs/observed-log.ts'
import type { ThreadMemory } from '../here.ts'
import type { PeerLinks } from './peers.ts'

/** State of a task, by the number under which it was restored. */
export interface TaskState {
  readonly id: number
  readonly isCaughtUp: boolean
  readonly progress: number
  readonly steps: number | null
  readonly isWarm: boolean
}

/** The state of a worker's tasks, and what has happened in the worker since its previous report. */
export interface WorkerReport {
  /** States of all tasks of the worker. */
  readonly states: readonly TaskState[]
  readonly waits: readonly Waits[]
  /** For each task that took over its partition: the committed offsets of its inputs. */
  readonly owned: readonly ReadonlyMap<string, number>[]
  readonly commits: readonly CommitSeen[]
  /** Owners of failed commits. */
  readonly failed: readonly string[]
}

/** Calls from a worker. */
export interface WorkerHost {
  report(report: WorkerReport): void
  notice(code: string, facts: Record<string, string | number>): void
}

interface WorkerParts {
  /** For scratch files. */
  readonly dataDir: string
  /** Null for the tasks of the process. */
  readonly rebuild: RebuildParts | null
}

/** The tasks of a rebuild: their chain, and the limits of one task. */
export interface RebuildParts {
  readonly chain: Chain
  readonly limits: EngineLimits
}

/** Calls to a worker. Numbers of tasks are never used twice. */
export interface WorkerThread {
  /** Opens the log. `given` is the input of the entry module, structured-cloneable. */
  open(given: unknown, parts: WorkerParts, links: PeerLinks, host: WorkerHost & ProxyMarked): Promise<void>
  create(id: number, chain: Chain, partition: number): void
  /** Settles once `lead` is called. */
  follow(id: number): Promise<void>
  /** Ends the following. No effect on a task that has ended. */
  lead(id: number): void
  restore(id: number, revision: number): Promise<void>
  /** Call it for every task that did not fail before: it forgets the task. Settles once the task has ended. */
  run(id: number): Promise<void>
  /** No effect on a task that has ended. */
  stop(id: number): void
  /** Resolves once the worker has refreshed its log and then sent a report: its states include everything committed before the call. */
  refresh(): Promise<void>
  /** From now on operations do not wait for an unreachable log. */
  hurry(): void
  memory(): ThreadMemory
  /** Closes the log and deletes the scratch file. Call it after the tasks have ended. */
  close(): Promise<void>
}
