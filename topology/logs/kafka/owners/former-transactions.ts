// The transactions of a transactional id before a new producer is opened under it: ends those that are open although they were decided.
//
// Brokers can lose the markers of a decided transaction. Seen with Kafka 4.3.1: a broker is killed after PrepareCommit and before the
// markers; on its next start the coordinator treats partitions without a leader as deleted, and writes CompleteCommit. Readers of these
// partitions would wait for ever, and a retried commit would be stored twice.
import type { Broker, Cluster } from 'kafkajs'
import { pause } from '../../../waiting/waiting.ts'
import type { KafkaLimits } from '../options.ts'
import { nameOf, type OpenIn, openTransactions, type Placed, writeMarkers } from './markers.ts'
import { type Decision, decisionOf, describeNewest, type Memory, type NewestTransaction, NO_PRODUCER } from './newest-transaction.ts'

export interface FormerParts {
  readonly limits: KafkaLimits
  /** All topics that the id's transactions may write. */
  readonly topicNames: readonly string[]
  /** The only partition that they may write, if they are known to write no other. */
  readonly partition?: Placed
  /** Of the log. */
  readonly memory: Memory
  /** Reports to the operator that markers were missing and have been written. */
  readonly notice: (message: string) => void
}

const POLL_MS = 20

export class FormerTransactions {
  readonly #cluster: Cluster
  readonly #transactionalId: string
  readonly #parts: FormerParts
  readonly #newest: NewestTransaction
  /** Epoch of the id's producer when this was read. */
  readonly #epoch: number
  #open: readonly OpenIn[] = []

  private constructor(cluster: Cluster, transactionalId: string, parts: FormerParts, described: NewestTransaction) {
    this.#cluster = cluster
    this.#transactionalId = transactionalId
    this.#parts = parts
    this.#newest = parts.memory.newestOf(transactionalId, described)
    this.#epoch = described.epoch
  }
  /** Of the id of this coordinator. The cluster must know the topics. */
  static async read(cluster: Cluster, coordinator: Broker, transactionalId: string, parts: FormerParts): Promise<FormerTransactions> {
    const until = performance.now() + parts.limits.commitMsMax
    let described = await describeNewest(coordinator, transactionalId)
    for (; described.isEnding && performance.now() < until; await pause(POLL_MS))
      described = await describeNewest(coordinator, transactionalId)
    const former = new FormerTransactions(cluster, transactionalId, parts, described)
    await former.#look()
    return former
  }
  /**
   * Call it before the producer is opened, when the coordinator still knows the decision. Ends transactions of older epochs than the id's
   * producer: a living one does not write with them any more. In the newer protocol these are all that were decided.
   */
  endOlder(): Promise<void> {
    return this.#end(this.#open.filter(({ epoch }) => epoch < this.#epoch))
  }
  /**
   * Call it when the producer is open, which has ended the transaction that was open at the coordinator: ends those that are still open.
   * Of those whose decision nobody here knows, waits for another process to end them. @throws if none does
   */
  async endAll(): Promise<void> {
    const { limits, memory } = this.#parts
    const until = performance.now() + limits.commitMsMax
    while (this.#open.length > 0) {
      await this.#look()
      await this.#end(this.#open)
      if (this.#open.length > 0 && performance.now() >= until) throw this.#undecided()
      if (this.#open.length > 0) await pause(POLL_MS)
    }
    memory.forget(this.#transactionalId)
  }

  async #look(): Promise<void> {
    const { producerId } = this.#newest
    if (producerId !== NO_PRODUCER) this.#open = await openTransactions(this.#cluster, this.#partitions(), producerId)
  }
  #partitions(): readonly Placed[] {
    const { topicNames, partition } = this.#parts
    if (partition !== undefined) return [partition]
    return topicNames.flatMap((topicName) =>
      this.#cluster.findTopicPartitionMetadata(topicName).map(({ partitionId }) => ({ topicName, partition: partitionId })),
    )
  }
  async #end(transactions: readonly OpenIn[]): Promise<void> {
    for (const decision of ['committed', 'aborted'] as const) {
      const ended = transactions.filter((open) => this.#decisionOf(open) === decision)
      if (ended.length === 0) continue
      await writeMarkers(this.#cluster, this.#newest.producerId, ended, decision)
      this.#open = this.#open.filter((open) => !ended.includes(open))
      this.#parts.notice(
        `a broker completed a transaction of ${this.#transactionalId} without writing its markers in ${ended.map(nameOf).join(', ')}: ` +
          `mintfold has written them, the transaction is ${decision}`,
      )
    }
  }
  #decisionOf(open: OpenIn): Decision | undefined {
    return decisionOf(this.#newest, nameOf(open), open.epoch)
  }
  #undecided(): Error {
    return new Error(
      `a transaction of ${this.#transactionalId} is still open in ${this.#open.map(nameOf).join(', ')}, and the brokers have forgotten whether ` +
        'it was committed: the process that has read it completes the transaction. If none is left, see "Restores" in deploy/README.md',
    )
  }
}
