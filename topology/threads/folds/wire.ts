// Messages between the main thread and the tasks in a separate thread, apart from the log.
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
  /** Input of the entry module, structured-cloneable. */
  readonly given: unknown
}

/** Calls from the main thread to the tasks: `Folds`, as far as messages can carry it. */
export interface FoldsThread {
  /** Resolves when the tasks are restored and running. */
  start(ground: FoldsContext, host: FoldsHost & ProxyMarked): Promise<void>
  /** Ends a rebuild at the start. */
  halt(): void
  /** The calls below require running tasks. */
  done(): Promise<void>
  caughtUp(): Promise<void>
  waits(): readonly BarrierWait[]
  redrive(): Promise<Redriven | undefined>
  /** Ends running redrives. */
  endRedrive(): void
  memory(): ThreadMemory
  stop(): Promise<void>
}
