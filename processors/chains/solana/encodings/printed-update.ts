// Converts what clients print of gRPC updates (Yellowstone) and of web3.js objects to the form of RPC answers, which the schemas check.
// Bytes come as base64, as lists, as objects by index, or as { type: 'Buffer', data }.
import { encodeBase58 } from '../../../../schemas/base58.ts'
import { isJsonRecord, type JsonRecord } from '../../json-record.ts'

/** Longer bytes take too long as base58, and the chain has none. */
const BYTES_MAX = 10_000
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

const bytesOf = (value: unknown): Buffer | undefined => {
  if (typeof value === 'string') return BASE64.test(value) ? Buffer.from(value, 'base64') : undefined
  const data = isJsonRecord(value) ? (value.type === 'Buffer' ? value.data : Object.values(value)) : value
  if (!Array.isArray(data) || data.length > BYTES_MAX || !data.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255))
    return undefined
  return Buffer.from(data)
}
/** Values that cannot be converted stay, for the schema to refuse. */
const base58 = (value: unknown): unknown => {
  const bytes = bytesOf(value ?? [])
  return bytes === undefined ? value : encodeBase58(bytes.toString('latin1'))
}
const listOf = (value: unknown, convert: (item: unknown) => unknown): unknown => (Array.isArray(value) ? value.map(convert) : value)
const record = (value: unknown, convert: (json: JsonRecord) => unknown): unknown => (isJsonRecord(value) ? convert(value) : value)
const numberOf = (value: unknown): unknown => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value)

const instruction = (value: unknown): unknown =>
  record(value, ({ programIdIndex = 0, accounts, accountKeyIndexes, data, stackHeight }) => {
    const indexes = bytesOf(accountKeyIndexes ?? accounts ?? [])
    return { programIdIndex, accounts: indexes === undefined ? accounts : [...indexes], data: base58(data), stackHeight }
  })

const message = (value: unknown): unknown =>
  record(value, ({ header, accountKeys, instructions, staticAccountKeys, compiledInstructions }) => ({
    header,
    accountKeys: staticAccountKeys ?? listOf(accountKeys, base58),
    instructions: listOf(compiledInstructions ?? instructions, instruction),
  }))

const isStreamed = (accountKeys: unknown): boolean => {
  const [key] = Array.isArray(accountKeys) ? accountKeys : []
  return typeof key === 'string' ? key.endsWith('=') : bytesOf(key) !== undefined
}

/** Protobuf has empty text for what is absent. */
const balance = (value: unknown): unknown =>
  record(value, ({ owner, programId, accountIndex = 0, ...rest }) => ({
    ...{ ...rest, accountIndex, owner: owner || null, programId: programId || null },
  }))

const streamedMeta = (value: unknown): unknown =>
  record(value, (meta) => ({
    ...meta,
    err: isJsonRecord(meta.err) ? { bincodeBase64: bytesOf(meta.err.err)?.toString('base64') ?? '' } : meta.err,
    fee: numberOf(meta.fee),
    innerInstructions: meta.innerInstructionsNone
      ? null
      : listOf(meta.innerInstructions, (group) =>
          record(group, ({ index = 0, instructions = [] }) => ({ index, instructions: listOf(instructions, instruction) })),
        ),
    preTokenBalances: listOf(meta.preTokenBalances, balance),
    postTokenBalances: listOf(meta.postTokenBalances, balance),
    logMessages: meta.logMessagesNone ? null : meta.logMessages,
    loadedAddresses: {
      writable: listOf(meta.loadedWritableAddresses ?? [], base58),
      readonly: listOf(meta.loadedReadonlyAddresses ?? [], base58),
    },
  }))

/** The transaction as an RPC answer has it; the given value where it is not a printed one. */
export const fromPrinted = (json: JsonRecord): JsonRecord => {
  const { transaction, meta } = json
  const content = isJsonRecord(transaction) && isJsonRecord(transaction.message) ? transaction.message : undefined
  if (!isJsonRecord(transaction) || content === undefined) return json
  if (Array.isArray(content.staticAccountKeys)) return { ...json, transaction: { ...transaction, message: message(content) } }
  if (!isStreamed(content.accountKeys)) return json
  const version = content.config ? 1 : content.versioned ? 0 : 'legacy'
  const signatures = listOf(transaction.signatures, base58)
  return { ...json, version, transaction: { signatures, message: message(content) }, meta: streamedMeta(meta) }
}

/** The block as an RPC answer has it, its transactions in order; the given value where it is not a printed one. */
export const fromPrintedBlock = (json: JsonRecord): JsonRecord => {
  if (!('parentBlockhash' in json) || !Array.isArray(json.transactions)) return json
  const transactions = [...json.transactions].sort((a, b) => Number(a?.index ?? 0) - Number(b?.index ?? 0))
  const { parentBlockhash: previousBlockhash, blockTime } = json
  return { ...json, previousBlockhash, blockTime: isJsonRecord(blockTime) ? blockTime.timestamp : blockTime, transactions }
}
