// What the coordinator of a transactional id has decided about its newest transaction.
import type { Broker } from 'kafkajs'
import { protocolError } from './failures.ts'
import { sendRaw } from './raw-request.ts'
import { Scanner } from './wire-format.ts'

/** Version 0, which brokers have had since 3.0. */
const DESCRIBE_TRANSACTIONS = { apiKey: 65, apiVersion: 0, apiName: 'DescribeTransactions' }
const TRANSACTIONAL_ID_NOT_FOUND = 105
const COMMITTED: ReadonlySet<string> = new Set(['PrepareCommit', 'CompleteCommit'])

/** True where the newest transaction of the id was or will be committed; false too where there is none. Asks the coordinator of the id. */
export const isLastCommitted = async (coordinator: Broker, transactionalId: string): Promise<boolean> =>
  readDecision(await sendRaw(coordinator, DESCRIBE_TRANSACTIONS, requestOf(transactionalId)))

/** Tags of the header, a list of one more than it has, a text of one byte more than it has, tags. */
const requestOf = (transactionalId: string): Buffer => {
  const id = Buffer.from(transactionalId)
  return Buffer.concat([Buffer.from([0, 2, ...lengthOf(id.length + 1)]), id, Buffer.from([0])])
}
const lengthOf = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...lengthOf(value >>> 7)])

const readDecision = (answer: Buffer): boolean => {
  // Tags of the header, how long the broker would have us wait, and a list of one.
  const scan = new Scanner(answer, 6)
  const errorCode = scan.int16()
  if (errorCode === TRANSACTIONAL_ID_NOT_FOUND) return false
  const id = scan.bytes(scan.length() - 1)?.toString('utf8') ?? ''
  if (errorCode !== 0) throw protocolError(errorCode, `the transactions of ${id}`)
  return COMMITTED.has(scan.bytes(scan.length() - 1)?.toString('utf8') ?? '')
}
