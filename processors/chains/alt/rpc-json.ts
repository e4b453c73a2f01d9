// Parses logs, receipts and blocks of an Ethereum node in JSON, checked field by field; unused fields are ignored.
import * as z from 'zod'
import { bad, good, type Parsed } from '../../../schemas/errors.ts'
import { HEX_KEYS, type Key, type Signature } from '../../../schemas/keys.ts'
import type { AltLog } from '../../../schemas/types.ts'
import { issueOf } from '../issue.ts'
import { isJsonRecord } from '../json-record.ts'

const latin1 = (hex: string): string => Buffer.from(hex.slice(2), 'hex').toString('latin1')

/**
 * Numbers up to 2^53 - 1: block numbers, indexes, seconds. Nodes return hex, block explorers `0x` for 0, ethers numbers, and dumps of viem
 * decimal text.
 */
const quantity = z.unknown().transform((value, context): number => {
  const isText = typeof value === 'string' && /^(0x[0-9a-f]{0,64}|\d{1,78})$/i.test(value)
  const number = isText ? Number(value === '0x' ? 0 : value) : typeof value === 'number' ? value : Number.NaN
  if (Number.isSafeInteger(number) && number >= 0) return number
  const message = value === null ? 'null, as before the block exists' : isText ? 'above 2^53 - 1' : 'not a quantity'
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})
const word = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/i, 'not 32 bytes in hex')
  .transform(latin1)
const txHash = word.transform((hash) => hash as Signature)
const bytes = z
  .string()
  .max(2 * 1024 * 1024)
  .regex(/^0x(?:[0-9a-f]{2})*$/i, 'not bytes in hex')
  .transform((hex) => Buffer.from(hex.slice(2), 'hex'))
const address = z.string().transform((text, context): Key => {
  const key = HEX_KEYS.parse(text)
  if (key !== undefined) return key
  context.addIssue({ code: 'custom', message: 'not an address' })
  return z.NEVER
})

const log = z.object({
  address,
  topics: z.array(word).max(4),
  data: bytes,
  ...{ blockNumber: quantity, blockHash: word, logIndex: quantity },
  ...{ transactionHash: txHash, transactionIndex: quantity },
  blockTimestamp: quantity.nullish(),
  removed: z.literal(false, { message: 'removed by a reorg' }).nullish(),
})
const receipt = z.object({
  ...{ blockNumber: quantity, blockHash: word },
  ...{ transactionHash: txHash, transactionIndex: quantity },
  from: address,
  to: address.nullable(),
  status: z.unknown().optional(),
  logs: z.array(z.unknown()),
})
const transaction = z.object({ hash: txHash, transactionIndex: quantity, from: address, to: address.nullish() })
const block = z.object({
  ...{ number: quantity, hash: word, parentHash: word, timestamp: quantity },
  transactions: z.array(z.union([txHash, transaction])),
})

/** A log with its block and transaction. */
export interface RpcLog {
  /** Number of the block. */
  readonly number: number
  /** 32 bytes as latin1 text. */
  readonly blockHash: string
  /** Unix seconds of the block; null where the node returns none or 0. */
  readonly time: number | null
  readonly tx: { readonly index: number; readonly hash: Signature }
  readonly log: AltLog
}

/** A receipt with its logs. */
export interface RpcReceipt {
  readonly number: number
  readonly blockHash: string
  readonly tx: { readonly index: number; readonly hash: Signature; readonly from: Key; readonly to: Key | null }
  readonly logs: readonly Parsed<RpcLog>[]
}

/** A block's header and its transactions. */
export interface RpcBlock {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  /** Unix seconds. */
  readonly time: number
  /** Hashes of all transactions, in order. */
  readonly hashes: readonly Signature[]
  /** Empty where the node returns only the hashes. */
  readonly transactions: readonly RpcReceipt['tx'][]
}

const parsed = <Value>(read: z.ZodSafeParseResult<Value>, what: string): Parsed<Value> =>
  read.success ? good(read.data) : bad('bad_transaction', `${what}: ${issueOf(read.error, what)}`)

/** ethers names fields otherwise than the node. */
const named = (json: unknown): unknown =>
  isJsonRecord(json) ? { transactionHash: json.hash, transactionIndex: json.index, logIndex: json.index, ...json } : json
/** The status of a transaction that failed, by nodes, by ethers and by viem: it has no logs. */
const FAILED: ReadonlySet<unknown> = new Set(['0x0', 0, 'reverted'])

export const parseLog = (json: unknown): Parsed<RpcLog> => {
  const read = parsed(log.safeParse(named(json)), 'log')
  if (!read.ok) return read
  const { address: emitter, topics, data, blockNumber, blockHash, logIndex, transactionHash, transactionIndex, blockTimestamp } = read.value
  return good({
    ...{ number: blockNumber, blockHash, time: blockTimestamp || null },
    tx: { index: transactionIndex, hash: transactionHash },
    log: { index: logIndex, address: emitter, topics, data, blockHash: null },
  })
}

/** A receipt and its logs, each parsed separately: a log that cannot be parsed does not affect the others. */
export const parseReceipt = (json: unknown): Parsed<RpcReceipt> => {
  const read = parsed(receipt.safeParse(named(json)), 'receipt')
  if (!read.ok) return read
  const { blockNumber, blockHash, transactionHash, transactionIndex, from, to, status, logs } = read.value
  if (FAILED.has(status) && logs.length > 0) return bad('bad_transaction', `receipt: status: failed, but there are ${logs.length} logs`)
  const tx = { index: transactionIndex, hash: transactionHash, from, to }
  return good({ number: blockNumber, blockHash, tx, logs: logs.map(parseLog) })
}

export const parseBlock = (json: unknown): Parsed<RpcBlock> => {
  const read = parsed(block.safeParse(json), 'block')
  if (!read.ok) return read
  const { number, hash, parentHash, timestamp, transactions } = read.value
  return good({
    ...{ number, hash, parentHash, time: timestamp },
    hashes: transactions.map((tx) => (typeof tx === 'string' ? tx : tx.hash)),
    transactions: transactions.flatMap((tx) =>
      typeof tx === 'string' ? [] : [{ index: tx.transactionIndex, hash: tx.hash, from: tx.from, to: tx.to ?? null }],
    ),
  })
}
