// Messages between the main thread and the tasks in a separate thread, except those of the log (threads/log/wire.ts).
import type { MessagePort } from 'node:worker_threads'
import type { ProxyMarked } from 'comlink'
import type { Chain } from '../../../schemas/types.ts'
import type { BarrierWait } from '../../runtime/runtime.ts'
import type { RebuildProgress } from '../../versions/rebuild/rebuild.ts'
import type { Redriven } from '../../versions/stores.ts'
import type { ThreadMemory } from '../here.ts'

/** Calls from the tasks to the main thread. */
interface FoldsHost {
  rebuilding(progress: RebuildProgress | null, chain: Chain): void
  notice(code: string, facts: Record<string, string | number>): void
}

export interface FoldsContext {
  /** Directory of the staging stores for rebuilds, one folder per chain. */
  readonly dataDir: string
  /** Input of the entry modules, structured-cloneable. */
  readonly given: unknown
  /** The entry module of the workers, null if there are none, and for each of them a port on which the log is served. */
  readonly worker: string | null
  readonly logs: readonly MessagePort[]
}

/** Calls from the main thread to the tasks: `Folds`, as far as messages can carry it. */
export interface FoldsThread {
  /** Resolves when the tasks are restored and running. */
  start(ground: FoldsContext, host: FoldsHost & ProxyMarked): Promise<void>
  /** Stops the start, with a rebuild that runs in it. */
  halt(): void
  /** `done` and the calls below require running tasks. */
  done(): Promise<void>
  caughtUp(): Promise<void>
  waits(): readonly BarrierWait[]
  redrive(): Promise<Redriven | undefined>
  /** Ends running redrives. */
  endRedrive(): void
  /** Of this thread and its workers, by name. */
  memory(): Promise<ReadonlyMap<string, ThreadMemory>>
  stop(): Promise<void>
}
