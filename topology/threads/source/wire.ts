// Messages between a source in a separate thread and the main thread, apart from the log. One number is in shared memory.
import type { ProxyMarked } from 'comlink'
import type { AccountsRead } from '../../../processors/accounts.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { Anchor } from '../../../schemas/types.ts'
import type { Notice } from '../../ports/notice.ts'
import type { Line, StartProgress } from '../../sources/source.ts'

/** State of a source a moment ago. Answers and notifications use different paths and may overtake each other. */
export interface SourceState {
  /** Counts the states sent: the higher one is newer. */
  readonly n: number
  readonly frames: number
  readonly ended: boolean
  readonly tip: { readonly number: number; readonly time: number } | null
  readonly anchor: Anchor | undefined
}

/** Calls from the source to the main thread, apart from the log. */
export interface SourceHost {
  setState(state: SourceState): void
  notice(...args: Parameters<Notice>): void
}

/** The part of the source's context that a message can carry. */
export interface SourceThreadContext {
  readonly dataDir: string | null
  /** One 64-bit number: the slot that every fold has seen; -1 before the first. */
  readonly folded: SharedArrayBuffer
}

interface Opened {
  readonly facts: string
  readonly words: string
  readonly hasAccounts: boolean
  readonly state: SourceState
}

/** Calls from the main thread to the source. */
export interface SourceThread {
  /** `given` is the input of this source's own module, structured-cloneable. */
  open(given: unknown, context: SourceThreadContext, host: SourceHost & ProxyMarked): Promise<Opened>
  prepare(progress: StartProgress & ProxyMarked): Promise<SourceState>
  run(line?: Line): Promise<SourceState>
  stop(): void
  read(mint: Key): Promise<AccountsRead>
}
