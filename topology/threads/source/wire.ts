// What a source in a thread of its own and its process say to each other, beside the log. Nothing is shared but one number.
import type { ProxyMarked } from 'comlink'
import type { AccountsRead } from '../../../processors/accounts.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { Anchor } from '../../../schemas/types.ts'
import type { Notice } from '../../ports/notice.ts'
import type { Line, Progress } from '../../sources/source.ts'

/** A source as it was a moment ago. Answers and what is told unasked go by different ways, and may overtake each other. */
export interface SourceState {
  /** Counts what is said: of two, the higher is newer. */
  readonly n: number
  readonly frames: number
  readonly ended: boolean
  readonly tip: { readonly number: number; readonly time: number } | null
  readonly anchor: Anchor | undefined
}

/** The process as its source sees it, beside the log. */
export interface SourceHost {
  stands(state: SourceState): void
  notice(...said: Parameters<Notice>): void
}

/** What the source's ground is where that can be told in a message. */
export interface ThreadGround {
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

/** The source as its process sees it. */
export interface SourceThread {
  /** `given` is what this source's own module takes, as a message can carry it. */
  open(given: unknown, ground: ThreadGround, host: SourceHost & ProxyMarked): Promise<Opened>
  prepare(progress: Progress & ProxyMarked): Promise<SourceState>
  run(line?: Line): Promise<SourceState>
  stop(): void
  read(mint: Key): Promise<AccountsRead>
}
