// What every encoding is parsed to before the normal form is made of it.
import type { Parsed } from '../../schemas/errors.ts'
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

/** What is told of a transaction before it is read whole, where it names no program of the launchpad and moves no SOL worth keeping. */
export interface Glance {
  /** Mints whose balances it lists, base58, maybe repeated. */
  readonly mints: readonly string[]
}

/** A transaction of any encoding with its keys resolved. */
export interface SourceTransaction extends Pick<FrameTransaction, 'signers' | 'version' | 'feeLamports' | 'keys' | 'logs'> {
  /** Place in the block; null where the file does not say. */
  readonly index: number | null
  readonly signature: Signature
  readonly failure: Failure | null
  /** Given only where hardly anything of it is kept: the lists below are then read when they are asked for. */
  readonly glance?: Glance
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

/** A transaction of which only so much is known; `read` gives the rest, and nothing where it cannot be read. */
export const glanced = (
  known: Pick<SourceTransaction, 'index' | 'signature' | 'failure'> & { readonly glance: Glance },
  read: () => Parsed<SourceTransaction>,
): SourceTransaction => {
  let rest: SourceTransaction | undefined
  const whole = (): SourceTransaction => {
    if (rest !== undefined) return rest
    const parsed = read()
    rest = parsed.ok ? parsed.value : { ...known, ...nothing() }
    return rest
  }
  return {
    ...known,
    get version() {
      return whole().version
    },
    get signers() {
      return whole().signers
    },
    get feeLamports() {
      return whole().feeLamports
    },
    get keys() {
      return whole().keys
    },
    get logs() {
      return whole().logs
    },
    get instructions() {
      return whole().instructions
    },
    get inner() {
      return whole().inner
    },
    get lamportsBefore() {
      return whole().lamportsBefore
    },
    get lamportsAfter() {
      return whole().lamportsAfter
    },
    get tokensBefore() {
      return whole().tokensBefore
    },
    get tokensAfter() {
      return whole().tokensAfter
    },
  }
}

const nothing = (): Omit<SourceTransaction, 'index' | 'signature' | 'failure' | 'glance'> => ({
  version: -1,
  signers: 0,
  feeLamports: 0,
  keys: [],
  logs: null,
  instructions: [],
  inner: null,
  lamportsBefore: [],
  lamportsAfter: [],
  tokensBefore: [],
  tokensAfter: [],
})
