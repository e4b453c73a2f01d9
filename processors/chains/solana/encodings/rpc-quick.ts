// Fast path for a transaction in an RPC answer (encoding json): hand-written checks take a fifth of the time of the schemas, and a block
// has hundreds of transactions. The schemas of rpc-schema.ts parse every other shape and report what is wrong with it.
import { type Key, parseSignature, type Signature } from '../../../../schemas/keys.ts'
import { isJsonRecord } from '../../json-record.ts'
import { keyOfText, type RpcInstruction, type RpcMessage, type RpcMeta, type RpcTransaction } from './rpc-schema.ts'

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]*$/
const DATA_CHARACTERS_MAX = 16_384
const KEYS_MAX = 256
const DIGITS = /^\d{1,20}$/

const isInt = (value: unknown): value is number => Number.isSafeInteger(value)
const isByte = (value: unknown): value is number => isInt(value) && value >= 0 && value <= 255
const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

/** Each item mapped by `read`; undefined where the value is not a list, or where `read` gives undefined for an item. */
const listOf = <Item>(value: unknown, read: (item: unknown) => Item | undefined): Item[] | undefined => {
  if (!Array.isArray(value)) return undefined
  const list: Item[] = []
  for (const item of value) {
    const got = read(item)
    if (got === undefined) return undefined
    list.push(got)
  }
  return list
}
/** As `listOf`; null where the node omits the list. */
const maybeList = <Item>(value: unknown, read: (item: unknown) => Item | undefined): Item[] | null | undefined =>
  isAbsent(value) ? null : listOf(value, read)

const key = (value: unknown): Key | undefined => (typeof value === 'string' ? keyOfText(value) : undefined)
const signature = (value: unknown): Signature | undefined => (typeof value === 'string' ? parseSignature(value) : undefined)
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
/** Null where the node omits it. */
const maybeKey = (value: unknown): Key | null | undefined => (isAbsent(value) ? null : key(value))

const amount = (value: unknown): string | undefined => {
  if (typeof value === 'string') return DIGITS.test(value) ? value : undefined
  return isInt(value) && value >= 0 ? String(value) : undefined
}

const instruction = (value: unknown): RpcInstruction | undefined => {
  if (!isJsonRecord(value)) return undefined
  const { programIdIndex, accounts, data, stackHeight } = value
  if (!isByte(programIdIndex) || !Array.isArray(accounts) || !accounts.every(isByte)) return undefined
  if (typeof data !== 'string' || data.length > DATA_CHARACTERS_MAX || !BASE58.test(data)) return undefined
  return isAbsent(stackHeight) || isInt(stackHeight) ? { programIdIndex, accounts, data, stackHeight } : undefined
}

const message = (value: unknown): RpcMessage | undefined => {
  if (!isJsonRecord(value) || !isJsonRecord(value.header)) return undefined
  const { numRequiredSignatures } = value.header
  const [accountKeys, instructions] = [listOf(value.accountKeys, key), listOf(value.instructions, instruction)]
  if (!isByte(numRequiredSignatures) || numRequiredSignatures === 0 || !accountKeys || !instructions) return undefined
  return accountKeys.length <= KEYS_MAX ? { header: { numRequiredSignatures }, accountKeys, instructions } : undefined
}

type TokenBalance = NonNullable<RpcMeta['preTokenBalances']>[number]
const tokenBalance = (value: unknown): TokenBalance | undefined => {
  if (!isJsonRecord(value) || !isJsonRecord(value.uiTokenAmount) || !isByte(value.accountIndex)) return undefined
  const { accountIndex } = value
  const { amount, decimals } = value.uiTokenAmount
  const [mint, owner, programId] = [key(value.mint), maybeKey(value.owner), maybeKey(value.programId)]
  if (mint === undefined || owner === undefined || programId === undefined) return undefined
  if (typeof amount !== 'string' || !DIGITS.test(amount) || !isByte(decimals)) return undefined
  return { accountIndex, mint, owner, programId, uiTokenAmount: { amount, decimals } }
}

type InnerGroup = NonNullable<RpcMeta['innerInstructions']>[number]
const innerGroup = (value: unknown): InnerGroup | undefined => {
  if (!isJsonRecord(value) || !isByte(value.index)) return undefined
  const instructions = listOf(value.instructions, instruction)
  return instructions && { index: value.index, instructions }
}

const loadedAddresses = (value: unknown): RpcMeta['loadedAddresses'] => {
  if (!isJsonRecord(value)) return undefined
  const [writable, readonly] = [listOf(value.writable, key), listOf(value.readonly, key)]
  return writable && readonly && { writable, readonly }
}

const meta = (value: unknown): RpcMeta | undefined => {
  if (!isJsonRecord(value) || !isInt(value.fee) || value.fee < 0) return undefined
  const [preBalances, postBalances] = [listOf(value.preBalances, amount), listOf(value.postBalances, amount)]
  const [innerInstructions, logMessages] = [maybeList(value.innerInstructions, innerGroup), maybeList(value.logMessages, text)]
  const [preTokenBalances, postTokenBalances] = [
    maybeList(value.preTokenBalances, tokenBalance),
    maybeList(value.postTokenBalances, tokenBalance),
  ]
  const loaded = isAbsent(value.loadedAddresses) ? null : loadedAddresses(value.loadedAddresses)
  if (!preBalances || !postBalances || innerInstructions === undefined || logMessages === undefined || loaded === undefined)
    return undefined
  if (preTokenBalances === undefined || postTokenBalances === undefined) return undefined
  const lists = { innerInstructions, logMessages, preTokenBalances, postTokenBalances }
  return { err: value.err, status: value.status, fee: value.fee, preBalances, postBalances, ...lists, loadedAddresses: loaded }
}

const VERSION_MAX = 127
const isVersion = (value: unknown): value is RpcTransaction['version'] =>
  isAbsent(value) || value === 'legacy' || (isByte(value) && value <= VERSION_MAX)

/** As the schema `rpcTransaction`, but an absent field may be null; undefined for a shape that only the schema parses or rejects. */
export const quickTransaction = (json: unknown): RpcTransaction | undefined => {
  if (!isJsonRecord(json) || !isJsonRecord(json.transaction) || !isVersion(json.version)) return undefined
  const [signatures, content, result] = [listOf(json.transaction.signatures, signature), message(json.transaction.message), meta(json.meta)]
  if (!signatures || signatures.length === 0 || !content || !result) return undefined
  return { transaction: { signatures, message: content }, meta: result, version: json.version }
}
