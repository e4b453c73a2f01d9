// The newest transaction of a transactional id, as its coordinator describes it.
//
// The coordinator forgets how it ended as soon as a new producer is opened under the id. If a broker lost its markers, only the process
// that opened that producer knows how to complete it. So each log remembers what it has read (`Memory`), and others wait.
import type { Broker } from 'kafkajs'
import { protocolError } from '../failures.ts'
import { sendRaw } from '../wire/raw-request.ts'
import { COMPACT_HEAD_BYTES_MAX, Scanner, Writer } from '../wire/wire-format.ts'

export type Decision = 'committed' | 'aborted'

export interface NewestTransaction {
  readonly producerId: bigint
  /** Of the id's producer when this was read: the transaction has this epoch or an older one. */
  readonly epoch: number
  /** Undefined: the coordinator has forgotten it, or there was none. An open one is aborted by the next producer of the id. */
  readonly decision: Decision | undefined
  /** True while its coordinator writes the markers. */
  readonly isEnding: boolean
  /** Its partitions, `topicName/partition`, if it is open: transactions that were left open elsewhere are older, and committed. */
  readonly partitions: ReadonlySet<string> | undefined
}

/** The number of no producer. */
export const NO_PRODUCER = -1n

const NOTHING: NewestTransaction = { producerId: NO_PRODUCER, epoch: -1, decision: undefined, isEnding: false, partitions: undefined }

/**
 * How the transaction with this epoch ended that is still open in a partition. Undefined: unknown. A producer goes on after a commit only,
 * and is opened only where nothing older is open: so all its transactions before the newest are committed.
 */
export const decisionOf = (newest: NewestTransaction, partition: string, epoch: number): Decision | undefined => {
  const { decision, partitions } = newest
  if (decision === undefined || epoch > newest.epoch) return undefined
  if (partitions !== undefined) return epoch === newest.epoch && partitions.has(partition) ? decision : 'committed'
  // The epoch of an aborted one is that of the answer, or the one before: coordinators bump it when they abort.
  return epoch < newest.epoch - 1 ? 'committed' : decision
}

/** Version 0, which brokers support since 3.0. */
const DESCRIBE = { apiKey: 65, apiVersion: 0, apiName: 'DescribeTransactions' }
const TRANSACTIONAL_ID_NOT_FOUND = 105
const OPEN = 'Ongoing'
const ENDING = 'Prepare'
const DECISIONS: ReadonlyMap<string, Decision> = new Map([
  ['PrepareCommit', 'committed'],
  ['CompleteCommit', 'committed'],
  [OPEN, 'aborted'],
  ['PrepareEpochFence', 'aborted'],
  ['PrepareAbort', 'aborted'],
  ['CompleteAbort', 'aborted'],
])

/** Send it to the id's coordinator. */
export const describeNewest = async (coordinator: Broker, transactionalId: string): Promise<NewestTransaction> => {
  const request = new Writer(COMPACT_HEAD_BYTES_MAX + Buffer.byteLength(transactionalId) + 3)
  // Tags of the header, then a list of one id: its length + 1.
  request.noTags()
  request.int8(2)
  request.compactString(transactionalId)
  request.noTags()
  return readNewest(await sendRaw(coordinator, DESCRIBE, request.buffer.subarray(0, request.at)))
}

const readNewest = (answer: Buffer): NewestTransaction => {
  // Header tags, throttle time, and a list of one.
  const scan = new Scanner(answer, 6)
  const errorCode = scan.int16()
  const id = scan.compactString()
  if (errorCode === TRANSACTIONAL_ID_NOT_FOUND) return NOTHING
  if (errorCode !== 0) throw protocolError(errorCode, `the transactions of ${id}`)
  const state = scan.compactString()
  // Timeout, start.
  scan.skip(12)
  const [producerId, epoch] = [scan.bigInt64(), scan.int16()]
  const decision = DECISIONS.get(state)
  const isEnding = state.startsWith(ENDING)
  if (state !== OPEN) return { producerId, epoch, decision, isEnding, partitions: undefined }
  const topics = scan.compactList(() => {
    const topic = scan.compactString()
    return Array.from({ length: Math.max(0, scan.length() - 1) }, () => `${topic}/${scan.int32()}`)
  })
  return { producerId, epoch, decision, isEnding, partitions: new Set(topics.flat()) }
}

/** Transactional ids whose decisions a log remembers: each needs another process to end at the same moment. */
const REMEMBERED_MAX = 1_000

/** What a log has read and not yet completed, by transactional id. */
export class Memory {
  readonly #read = new Map<string, NewestTransaction>()

  /** What `described` says, or what this log read before if the coordinator has forgotten it since. */
  newestOf(transactionalId: string, described: NewestTransaction): NewestTransaction {
    if (described.decision === undefined) {
      const before = this.#read.get(transactionalId)
      return before?.producerId === described.producerId ? before : described
    }
    this.#read.delete(transactionalId)
    this.#read.set(transactionalId, described)
    for (const oldest of this.#read.keys()) if (this.#read.size > REMEMBERED_MAX) this.#read.delete(oldest)
    return described
  }
  /** Its markers are complete. */
  forget(transactionalId: string): void {
    this.#read.delete(transactionalId)
  }
}
