// The events found in a transaction, and the problems of its logs.
import type { ProgramName } from '../programs.ts'

/** An event that is not parsed yet, with its position in the transaction. */
export interface FoundEvent {
  readonly program: ProgramName
  readonly outer: number
  readonly inner: number
  /** Discriminator and body. */
  readonly bytes: Buffer
  /** Accounts of the instruction that emitted the event, as key indexes; undefined where the instruction is not known. */
  readonly accounts: Uint8Array | undefined
}

/** A place in a transaction where events are missing, or may be. */
export interface EventProblem {
  readonly outer: number
  readonly inner: number
  readonly code: 'log_truncated' | 'bad_encoding' | 'event_missing'
  readonly reason: string
  /** The events can only be those of the transaction's own calls, which tell their coins. */
  readonly isTold: boolean
}

export interface FoundEvents {
  readonly events: readonly FoundEvent[]
  readonly problems: readonly EventProblem[]
}
