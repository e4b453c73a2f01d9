// Prefilter for a transaction of a block (encoding json): decides whether it must be parsed, as most transactions in a block are unrelated
// to the launchpad.
import { decodeBase58 } from '../../../../schemas/base58.ts'
import type { Parsed } from '../../../../schemas/errors.ts'
import { isSignatureText, toBase58 } from '../../../../schemas/keys.ts'
import { isJsonRecord, type JsonRecord } from '../../json-record.ts'
import { isKeptTransfer } from '../normal-form.ts'
import { LAUNCHPAD, ZERO_KEY } from '../programs.ts'
import { prefiltered, type SourceTransaction } from '../source-transaction.ts'
import { failureOf } from '../transaction-error.ts'

const PROGRAMS: ReadonlySet<unknown> = new Set([...LAUNCHPAD].map(toBase58))
const SYSTEM = toBase58(ZERO_KEY)
/** Maximum length of the base58 text of 12 bytes. */
const TRANSFER_TEXT_MAX = 17

const isTextList = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((item) => typeof item === 'string')
/** A list that the node omits or returns as null is empty; undefined for other values. */
const listOf = (value: unknown): readonly unknown[] | undefined =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : undefined

/** Keys in base58: the message's own, then those of lookup tables; undefined in other encodings. */
const keysOf = (message: JsonRecord, meta: JsonRecord): readonly unknown[] | undefined => {
  if (!isTextList(message.accountKeys)) return undefined
  if (!isJsonRecord(meta.loadedAddresses)) return message.accountKeys
  const { writable, readonly } = meta.loadedAddresses
  return isTextList(writable) && isTextList(readonly) ? [...message.accountKeys, ...writable, ...readonly] : undefined
}

/** Whether an instruction is a transfer of SOL that frames keep; undefined where it has an unexpected shape. */
const isTransfer = (call: unknown, system: number): boolean | undefined => {
  if (!isJsonRecord(call) || typeof call.programIdIndex !== 'number' || typeof call.data !== 'string') return undefined
  if (call.programIdIndex !== system || call.data.length > TRANSFER_TEXT_MAX) return false
  const data = decodeBase58(call.data)
  return data && isKeptTransfer(data)
}

/** True where a top-level or inner instruction is a transfer of SOL that frames keep, or has an unexpected shape. */
const mayTransfer = (message: JsonRecord, meta: JsonRecord, system: number): boolean => {
  const inner = listOf(meta.innerInstructions)?.map((group) => (isJsonRecord(group) ? listOf(group.instructions) : undefined))
  const groups = [listOf(message.instructions), ...(inner ?? [undefined])]
  return groups.some((calls) => calls === undefined || calls.some((call) => isTransfer(call, system) !== false))
}

const mintsOf = (meta: JsonRecord): readonly string[] | undefined => {
  const balances = [listOf(meta.preTokenBalances), listOf(meta.postTokenBalances)]
  const mints = balances.flatMap((list) => list ?? [undefined]).map((balance) => (isJsonRecord(balance) ? balance.mint : undefined))
  return isTextList(mints) ? mints : undefined
}

/**
 * The transaction with only the prefilter's fields (`parse` reads the rest on demand); undefined where it must be parsed fully, because
 * its frame may keep part of it, or because it has an unexpected shape.
 */
export const prefilterRpc = (
  json: unknown,
  index: number,
  parse: (json: unknown, index: number) => Parsed<SourceTransaction>,
): SourceTransaction | undefined => {
  if (!isJsonRecord(json) || !isJsonRecord(json.transaction) || !isJsonRecord(json.meta) || !isJsonRecord(json.transaction.message))
    return undefined
  const { meta, transaction } = json
  const { message } = json.transaction
  const keys = keysOf(message, meta)
  if (keys === undefined || keys.some((key) => PROGRAMS.has(key)) || !hasBalances(meta)) return undefined
  const failure = failureOf(meta)
  const system = failure === null ? keys.indexOf(SYSTEM) : -1
  if (system >= 0 && mayTransfer(message, meta, system)) return undefined
  const mints = mintsOf(meta)
  const [text] = isTextList(transaction.signatures) ? transaction.signatures : []
  if (mints === undefined || text === undefined || !isSignatureText(text)) return undefined
  return prefiltered({ index, signature: { base58: text }, failure, prefilter: { mints } }, () => parse(json, index))
}

const hasBalances = ({ preBalances, postBalances }: JsonRecord): boolean =>
  Array.isArray(preBalances) && Array.isArray(postBalances) && preBalances.length === postBalances.length
