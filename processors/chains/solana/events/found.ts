// The events found in a transaction, and the problems of its logs.
import type { ProgramName } from '../programs.ts'

/** Bytes of an event with their place, not yet parsed. */
export interface FoundEvent {
  readonly program: ProgramName
  readonly outer: number
  readonly inner: number
  /** Discriminator and body. */
  readonly bytes: Buffer
  /** Accounts of the instruction that emitted it, as key indexes; undefined where it is not known. */
  readonly accounts: Uint8Array | undefined
}

/** A log that is incomplete. */
export interface LogProblem {
  readonly outer: number
  readonly inner: number
  readonly code: 'log_truncated' | 'bad_encoding'
  readonly reason: string
}

export interface FoundEvents {
  readonly events: readonly FoundEvent[]
  readonly problems: readonly LogProblem[]
}
