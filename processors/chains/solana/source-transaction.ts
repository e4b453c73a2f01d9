// The common form into which every encoding is parsed; frames are built from it.
import { type BadDataCode, good, type Parsed } from '../../../schemas/errors.ts'
import { type Key, mustSignature, type Signature } from '../../../schemas/keys.ts'
import type { FrameTransaction } from '../../../schemas/types.ts'

/** Instruction data as in the encoding: bytes, or base58 text that is decoded only where the instruction is kept. */
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
  /** Stack height; 0 where the file does not state it. */
  readonly depth: number
}

/** A token account's balance before or after the transaction. */
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

/** The prefilter's result: the transaction names no program of the launchpad and transfers no amount of SOL that frames keep. */
interface PrefilterResult {
  /** Mints in its balances, base58, maybe repeated. */
  readonly mints: readonly string[]
}

/** A transaction of any encoding with its keys resolved. */
export interface SourceTransaction extends Pick<FrameTransaction, 'signers' | 'version' | 'feeLamports' | 'keys' | 'logs'> {
  /** Index in the block; null where the file does not state it. */
  readonly index: number | null
  readonly signature: Signature
  readonly failure: Failure | null
  /** Set if the prefilter found that a frame keeps at most coin balances of the transaction. The fields below are then parsed on demand. */
  readonly prefilter?: PrefilterResult
  readonly instructions: readonly SourceInstruction[]
  readonly inner: readonly SourceInner[] | null
  /** Lamports of each key, decimal. */
  readonly lamportsBefore: readonly string[]
  readonly lamportsAfter: readonly string[]
  readonly tokensBefore: readonly SourceToken[]
  readonly tokensAfter: readonly SourceToken[]
}

/** A transaction, or another record of a file, that could not be parsed. */
export interface SourceError {
  /** Index in the block; null where the file does not state it. */
  readonly index: number | null
  readonly code: BadDataCode
  readonly reason: string
}

/** A block, or a single transaction, of any encoding. */
export interface SourceBlock {
  /** Null where the file does not state it. */
  readonly slot: number | null
  readonly hash: string | null
  readonly parentSlot: number | null
  readonly parentHash: string | null
  /** Unix seconds. */
  readonly blockTime: number | null
  /** True where all transactions of the block are present. */
  readonly whole: boolean
  readonly transactions: readonly SourceTransaction[]
  readonly errors: readonly SourceError[]
}

/** Stands for records of a file that could not be parsed. */
export const unreadBlock = (code: BadDataCode, reasons: readonly string[]): SourceBlock => ({
  ...{ slot: null, hash: null, parentSlot: null, parentHash: null, blockTime: null, whole: false, transactions: [] },
  errors: reasons.map((reason) => ({ index: null, code, reason })),
})

type Known = Pick<SourceTransaction, 'index' | 'failure'> & {
  readonly prefilter: PrefilterResult
  /** The text must be a valid signature. Most are never read, and decoding one takes as long as the rest of the prefilter. */
  readonly signature: Signature | { readonly base58: string }
}
type Rest = Omit<SourceTransaction, keyof Known>

/** A class, because a block has more than a thousand of them. */
class PrefilteredTransaction implements SourceTransaction {
  readonly index: number | null
  readonly failure: Failure | null
  readonly prefilter: PrefilterResult
  readonly #signature: Known['signature']
  readonly #read: () => Parsed<SourceTransaction>
  #whole: Rest | undefined

  constructor({ index, signature, failure, prefilter }: Known, read: () => Parsed<SourceTransaction>) {
    this.index = index
    this.#signature = signature
    this.failure = failure
    this.prefilter = prefilter
    this.#read = read
  }
  get signature() {
    return typeof this.#signature === 'string' ? this.#signature : mustSignature(this.#signature.base58)
  }
  get version() {
    return this.#rest.version
  }
  get signers() {
    return this.#rest.signers
  }
  get feeLamports() {
    return this.#rest.feeLamports
  }
  get keys() {
    return this.#rest.keys
  }
  get logs() {
    return this.#rest.logs
  }
  get instructions() {
    return this.#rest.instructions
  }
  get inner() {
    return this.#rest.inner
  }
  get lamportsBefore() {
    return this.#rest.lamportsBefore
  }
  get lamportsAfter() {
    return this.#rest.lamportsAfter
  }
  get tokensBefore() {
    return this.#rest.tokensBefore
  }
  get tokensAfter() {
    return this.#rest.tokensAfter
  }

  get #rest(): Rest {
    if (this.#whole === undefined) {
      const parsed = this.#read()
      this.#whole = parsed.ok ? parsed.value : NOTHING
    }
    return this.#whole
  }
}

/** A transaction with only the known fields; `read` parses the rest on demand. The rest stays empty where it cannot be parsed. */
export const prefiltered = (known: Known, read: () => Parsed<SourceTransaction>): SourceTransaction =>
  new PrefilteredTransaction(known, read)

/** The same transaction without an index, for files that do not state it. */
export const unplaced = (tx: SourceTransaction): SourceTransaction => {
  const { signature, failure, prefilter } = tx
  return prefilter === undefined ? { ...tx, index: null } : prefiltered({ index: null, signature, failure, prefilter }, () => good(tx))
}

const NOTHING: Rest = {
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
}
