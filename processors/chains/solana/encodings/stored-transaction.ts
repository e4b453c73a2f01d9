// Converts transactions as a node stores and streams them (solana.storage.ConfirmedBlock, geyser) from protobuf objects to source
// transactions.
import { asBuffer } from '../../../../schemas/bytes.ts'
import { bad, good, type Parsed } from '../../../../schemas/errors.ts'
import { type Key, keyOf, parseKey, signatureOf } from '../../../../schemas/keys.ts'
import { isKeptTransfer } from '../normal-form.ts'
import { LAUNCHPAD } from '../programs.ts'
import { readSteps } from '../read-steps.ts'
import { prefiltered, type SourceInner, type SourceInstruction, type SourceToken, type SourceTransaction } from '../source-transaction.ts'
import { failureFromBincode } from '../transaction-error.ts'

const EMPTY = new Uint8Array(0)
export const SIGNATURE_BYTES = 64

/** A 64-bit integer of the protobuf library: its decimal text is exact. */
export type Integer64 = number | string | { readonly low: number; readonly high: number; toString(): string }

interface Call {
  programIdIndex: number
  accounts: Uint8Array
  data: Uint8Array
  stackHeight?: number | null | undefined
}
interface Balance {
  accountIndex: number
  mint: string
  uiTokenAmount?: { decimals: number; amount: string } | null | undefined
  owner: string
  programId: string
}
interface Meta {
  err?: { err: Uint8Array } | null | undefined
  fee: Integer64
  preBalances: Integer64[]
  postBalances: Integer64[]
  innerInstructions: { index: number; instructions: Call[] }[]
  logMessages: string[]
  preTokenBalances: Balance[]
  postTokenBalances: Balance[]
  innerInstructionsNone: boolean
  logMessagesNone: boolean
  loadedWritableAddresses: Uint8Array[]
  loadedReadonlyAddresses: Uint8Array[]
}
interface Message {
  header?: { numRequiredSignatures: number } | null | undefined
  accountKeys: Uint8Array[]
  instructions: Call[]
  versioned: boolean
  config?: object | null | undefined
}
/** A transaction with its result. */
export interface StoredTransaction {
  transaction?: { signatures: Uint8Array[]; message?: Message | null | undefined } | null | undefined
  meta?: Meta | null | undefined
}
/** The library returns a plain empty array for absent bytes. */
const bytesOf = (bytes: Uint8Array): Uint8Array => (bytes.length === 0 ? EMPTY : bytes)
const instructionOf = ({ programIdIndex: program, accounts, data }: Call): SourceInstruction => ({
  program,
  accounts: bytesOf(accounts),
  data: bytesOf(data),
})

const innerOf = (meta: Meta): SourceInner[] | null =>
  meta.innerInstructionsNone
    ? null
    : [...meta.innerInstructions]
        .sort((a, b) => a.index - b.index)
        .flatMap(({ index, instructions }) =>
          instructions.map((call) => ({ ...instructionOf(call), outer: index, depth: call.stackHeight ?? 0 })),
        )

/** Parses each text once: the balances of a transaction repeat the same few keys. */
const keyReader = (): ((text: string) => Key | undefined) => {
  const known = new Map<string, Key | undefined>()
  return (text) => {
    if (!known.has(text)) known.set(text, parseKey(text))
    return known.get(text)
  }
}

/** Skips balances whose mint is not a key. */
const tokensOf = (balances: readonly Balance[], keyIn: (text: string) => Key | undefined): SourceToken[] => {
  const tokens: SourceToken[] = []
  for (const { accountIndex: account, mint: text, uiTokenAmount, owner, programId } of balances) {
    const mint = keyIn(text)
    if (mint === undefined || !uiTokenAmount) continue
    const { decimals, amount } = uiTokenAmount
    tokens.push({ account, mint, owner: keyIn(owner) ?? null, tokenProgram: keyIn(programId) ?? null, decimals, amount })
  }
  return tokens
}

/** With a high half below this, the integer is below 2^53: formatting it as a number takes a tenth of the library's time. */
const HIGH_MAX = 2 ** 21
const HIGH = 2 ** 32
const textOf = (amount: Integer64): string =>
  typeof amount === 'object' && amount.high >= 0 && amount.high < HIGH_MAX
    ? String(amount.high * HIGH + (amount.low >>> 0))
    : amount.toString()

const fitKeys = (calls: readonly SourceInstruction[], keys: readonly Key[]): boolean =>
  calls.every(({ program, accounts }) => program < keys.length && accounts.every((account) => account < keys.length))

/** Parses a transaction fully. Bad data (bad_transaction) for anything else. */
export const parseStored = ({ transaction, meta }: StoredTransaction, index: number): Parsed<SourceTransaction> => {
  const message = transaction?.message
  const [signature] = transaction?.signatures ?? []
  if (!message || !meta || signature?.length !== SIGNATURE_BYTES) return bad('bad_transaction', 'no signature, message or meta')
  const bytes = [...message.accountKeys, ...meta.loadedWritableAddresses, ...meta.loadedReadonlyAddresses]
  if (bytes.length > 256 || bytes.some(({ length }) => length !== 32))
    return bad('bad_transaction', 'a key does not have 32 bytes, or there are too many keys')
  const keys = bytes.map(keyOf)
  const instructions = message.instructions.map(instructionOf)
  const inner = innerOf(meta)
  if (!fitKeys(instructions, keys) || !fitKeys(inner ?? [], keys))
    return bad('bad_transaction', 'an instruction names a key that the transaction does not have')
  if (meta.preBalances.length !== meta.postBalances.length) return bad('bad_transaction', 'preBalances and postBalances differ in length')
  const keyIn = keyReader()
  return good({
    index,
    signature: signatureOf(signature),
    version: message.config ? 1 : message.versioned ? 0 : -1,
    signers: message.header?.numRequiredSignatures ?? 0,
    failure: meta.err ? failureFromBincode(Buffer.from(meta.err.err)) : null,
    feeLamports: Number(textOf(meta.fee)),
    keys,
    instructions,
    inner,
    logs: meta.logMessagesNone ? null : meta.logMessages,
    lamportsBefore: meta.preBalances.map(textOf),
    lamportsAfter: meta.postBalances.map(textOf),
    tokensBefore: tokensOf(meta.preTokenBalances, keyIn),
    tokensAfter: tokensOf(meta.postTokenBalances, keyIn),
  })
}

const namesLaunchpad = (keys: readonly Uint8Array[]): boolean => keys.some((key) => key.length === 32 && LAUNCHPAD.has(keyOf(key)))

/** The transaction with only the prefilter's fields; undefined where it must be parsed fully. */
const prefilterOf = (stored: StoredTransaction, index: number): SourceTransaction | undefined => {
  const { transaction, meta } = stored
  const [signature] = transaction?.signatures ?? []
  if (!meta || !transaction?.message || signature?.length !== SIGNATURE_BYTES) return undefined
  const { accountKeys, instructions } = transaction.message
  if (meta.preBalances.length !== meta.postBalances.length) return undefined
  if ([accountKeys, meta.loadedWritableAddresses, meta.loadedReadonlyAddresses].some(namesLaunchpad)) return undefined
  const failure = meta.err ? failureFromBincode(Buffer.from(meta.err.err)) : null
  const calls = failure === null ? [instructions, ...meta.innerInstructions.map((inner) => inner.instructions)] : []
  if (calls.some((each) => each.some(({ data }) => isKeptTransfer(asBuffer(bytesOf(data)))))) return undefined
  const mints = [...meta.preTokenBalances, ...meta.postTokenBalances].map(({ mint }) => mint)
  const known = { index, signature: signatureOf(signature), failure, prefilter: { mints } }
  return prefiltered(known, () => parseStored(stored, index))
}

const readStored = (stored: StoredTransaction, index: number): Parsed<SourceTransaction> => {
  const prefiltered = prefilterOf(stored, index)
  return prefiltered === undefined ? parseStored(stored, index) : good(prefiltered)
}

/** All transactions of a block that is already decoded from protobuf, a few per step. */
export const storedSteps = (all: readonly StoredTransaction[]): ReturnType<typeof readSteps> => readSteps(all, readStored)
