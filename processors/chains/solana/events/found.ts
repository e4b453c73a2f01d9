// What was found in a transaction: events, and logs that say what cannot be.
import type { ProgramName } from '../programs.ts'

/** Bytes of an event with their place, before they are read. */
export interface FoundEvent {
  readonly program: ProgramName
  readonly outer: number
  readonly inner: number
  /** Discriminator and body. */
  readonly bytes: Buffer
  /** Accounts of the instruction that emitted it, as indexes of keys; undefined where it is not known. */
  readonly accounts: Uint8Array | undefined
}

/** A log that does not tell everything. */
export interface LogProblem {
  readonly outer: number
  readonly inner: number
  readonly code: 'log_truncated' | 'bad_encoding'
  readonly reason: string
}

export interface Found {
  readonly events: readonly FoundEvent[]
  readonly problems: readonly LogProblem[]
}
