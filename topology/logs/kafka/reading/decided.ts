// Waits until everything appended to a partition is decided: until the last stable offset reaches the high watermark of the call.
//
// A read_committed reader sees nothing behind the first open transaction of a partition, whichever owner it has. A restore that ended there
// would miss the commits of its own task behind it.
import type { Admin, Cluster } from 'kafkajs'
import { EngineError } from '../../../../schemas/errors.ts'
import { Backoff } from '../../../waiting/retry.ts'
import type { BrokerRetries } from '../broker-retries.ts'
import { repair } from '../client.ts'
import type { KafkaLimits } from '../options.ts'
import { openTransactionOf } from '../owners/open-transactions.ts'
import { fetchHighWatermark } from '../wire/fetch.ts'
import type { Partition } from './partition.ts'
import type { PartitionReader } from './reader.ts'

/** A transaction ends within milliseconds unless its owner hangs. */
const POLLS = { firstMs: 2, maxMs: 200 }

export interface DecidedParts {
  readonly admin: Admin
  readonly cluster: Cluster
  readonly reader: PartitionReader
  readonly brokerRetries: BrokerRetries
  readonly limits: KafkaLimits
}

/** Updates `partition` until its `lastStableOffset` covers everything appended before the call. @throws EngineError `transaction_open` */
export const awaitDecided = async (parts: DecidedParts, partition: Partition): Promise<void> => {
  const { cluster, reader, brokerRetries, limits } = parts
  const ask = () => fetchHighWatermark(cluster, partition)
  const highWatermark = await brokerRetries.untilDone(`a request for the end of ${partition.name}`, limits.awayMsMax, ask, () =>
    repair(cluster),
  )
  const until = performance.now() + limits.decidedMsMax
  for (const backoff = new Backoff(POLLS); ; await backoff.wait()) {
    await reader.learnBounds([partition])
    if (partition.lastStableOffset >= highWatermark) return
    if (brokerRetries.isOver) throw brokerRetries.judge(`a restore of ${partition.name}`, new Error('the log closes'))
    if (performance.now() >= until) throw await transactionOpen(parts, partition)
  }
}

const transactionOpen = async ({ admin, cluster, limits }: DecidedParts, topicPartition: Partition): Promise<EngineError> => {
  const { topicName, partition, lastStableOffset } = topicPartition
  const holder = await openTransactionOf(admin, cluster, topicPartition).catch(() => undefined)
  const whose = holder === undefined ? 'a transaction' : `the transaction of ${holder.id ?? 'an unknown transactional id'}`
  const producer = holder === undefined ? '' : ` (producer ${holder.producerId})`
  return new EngineError(
    'transaction_open',
    `${topicPartition.name} cannot be read to its end: ${whose}${producer} has been open there at offset ${lastStableOffset} for ${limits.decidedMsMax} ms, and ` +
      'hides the records committed behind it. Stop or restart the process that owns it; if there is none, end it with ' +
      `kafka-transactions.sh --bootstrap-server HOST:PORT abort --topic ${topicName} --partition ${partition} --start-offset ${lastStableOffset}; ` +
      'then restart this process',
    { facts: { topic: topicName, partition, offset: lastStableOffset, ...(holder?.id === undefined ? {} : { id: holder.id }) } },
  )
}
