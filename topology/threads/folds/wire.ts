// What the tasks in a thread of their own and their process say to each other, beside the log.
import type { ProxyMarked } from 'comlink'
import type { Chain } from '../../../schemas/types.ts'
import type { BarrierWait } from '../../runtime/runtime.ts'
import type { RebuildProgress } from '../../versions/rebuild/rebuild.ts'
import type { Redriven } from '../../versions/stores.ts'
import type { ThreadMemory } from '../here.ts'

/** The process as its tasks see it. */
interface FoldsHost {
  rebuilding(progress: RebuildProgress | null, chain: Chain): void
  notice(code: string, facts: Record<string, string | number>): void
}

export interface FoldsGround {
  /** Where stores of another version are rebuilt, in a folder for each chain. */
  readonly dataDir: string
  /** What the module of the thread takes, as a message can carry it. */
  readonly given: unknown
}

/** The tasks as their process sees them: `Folds`, as far as messages carry it. */
export interface FoldsThread {
  /** Resolves when they are restored and at work. */
  start(ground: FoldsGround, host: FoldsHost & ProxyMarked): Promise<void>
  /** Ends a rebuild at the start. */
  halt(): void
  /** Asked once they are at work. */
  done(): Promise<void>
  caughtUp(): Promise<void>
  waits(): readonly BarrierWait[]
  redrive(): Promise<Redriven | undefined>
  /** Ends the redrives under way. */
  endRedrive(): void
  memory(): ThreadMemory
  stop(): Promise<void>
}
