// Parses JSON-RPC responses of an EVM node: numbers from hex, hashes in lower case. Pure.
import * as z from 'zod'
import { type BlockHead, type NodeBlock, NodeFailure, type NodeLog, type NodeTransaction } from './node.ts'

const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,13}$/i)
  .transform(Number)
const hexOf = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-f]{${2 * bytes}}$`, 'i'))
    .toLowerCase()
const hash = hexOf(32)
const address = hexOf(20)
const data = z
  .string()
  .regex(/^0x([0-9a-f]{2})*$/i)
  .toLowerCase()

const transaction = z.object({ hash, from: address, to: address.nullish() })
const head = z.object({ number: quantity, hash, parentHash: hash })
const block = head.extend({
  timestamp: quantity,
  logsBloom: data.nullish(),
  transactions: z.array(z.union([transaction, hash])),
})
const log = z.object({
  address,
  topics: z.array(hash),
  data,
  blockNumber: quantity,
  blockHash: hash,
  transactionHash: hash,
  transactionIndex: quantity,
  logIndex: quantity,
  removed: z.literal(false).optional(),
})
const logs = z.array(log)

const read = <Schema extends z.ZodType>(schema: Schema, answer: unknown, name: string): z.output<Schema> => {
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new NodeFailure('unreadable', `the response is not a ${name}: ${issue?.path.join('.')} ${issue?.message}`)
}

/** Each throws NodeFailure `unreadable`. */
export const readQuantity = (answer: unknown): number => read(quantity, answer, 'number')
export const readHead = (answer: unknown): BlockHead => {
  const { number, hash, parentHash } = read(head, answer, 'block')
  return { number, hash, parentHash }
}
export const readBlock = (answer: unknown): NodeBlock => {
  const { number, hash, parentHash, timestamp: time, logsBloom, transactions } = read(block, answer, 'block')
  const whole = transactions.filter((one): one is Exclude<typeof one, string> => typeof one !== 'string')
  return {
    ...{ number, hash, parentHash, time },
    logsBloom: logsBloom ?? '0x',
    transactions: whole.length === transactions.length ? whole.map(transactionOf) : null,
  }
}
export const readLogs = (answer: unknown): readonly NodeLog[] => read(logs, answer, 'list of logs').map(({ removed: _, ...one }) => one)

const transactionOf = ({ hash, from, to }: z.output<typeof transaction>): NodeTransaction => ({ hash, from, to: to ?? null })
