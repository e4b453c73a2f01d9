// What every encoding is parsed to before the normal form is made of it.
import type { Key, Signature } from '../../schemas/keys.ts'
import type { FrameTransaction } from '../../schemas/types.ts'

/** Instruction data as the encoding had it: bytes, or base58 text that is decoded only where the instruction is kept. */
export type SourceData = Uint8Array | string

export interface SourceInstruction {
  /** Index of the program in keys. */
  readonly program: number
  /** Indexes of the accounts in keys. */
  readonly accounts: Uint8Array
  readonly data: SourceData
}

export interface SourceInner extends SourceInstruction {
  readonly outer: number
  /** Stack height; 0 where the file does not say. */
  readonly depth: number
}

/** A token account's balance before or after. */
export interface SourceToken {
  readonly account: number
  readonly mint: Key
  readonly owner: Key | null
  readonly tokenProgram: Key | null
  readonly decimals: number
  readonly amount: string
}

/** How a transaction failed; null where it succeeded. */
export interface Failure {
  /** Top-level instruction that failed; null where the error names none. */
  readonly instruction: number | null
  /** Custom error code; null where the error has none. */
  readonly code: number | null
}

/** A transaction of any encoding with its keys resolved. */
export interface SourceTransaction extends Pick<FrameTransaction, 'signers' | 'version' | 'feeLamports' | 'keys' | 'logs'> {
  /** Place in the block; null where the file does not say. */
  readonly index: number | null
  readonly signature: Signature
  readonly failure: Failure | null
  readonly instructions: readonly SourceInstruction[]
  readonly inner: readonly SourceInner[] | null
  /** Lamports of each key, decimal. */
  readonly lamportsBefore: readonly string[]
  readonly lamportsAfter: readonly string[]
  readonly tokensBefore: readonly SourceToken[]
  readonly tokensAfter: readonly SourceToken[]
}

/** A transaction that could not be read. */
export interface SourceError {
  /** Place in the block; null where the file does not say. */
  readonly index: number | null
  readonly code: 'bad_transaction'
  readonly reason: string
}

/** A block, or a transaction on its own, of any encoding. */
export interface SourceBlock {
  /** Null where the file does not say. */
  readonly slot: number | null
  readonly hash: string | null
  readonly parentSlot: number | null
  readonly parentHash: string | null
  /** Unix seconds. */
  readonly blockTime: number | null
  /** All transactions of the block are here. */
  readonly whole: boolean
  readonly transactions: readonly SourceTransaction[]
  readonly errors: readonly SourceError[]
}
