// Reads a partition from any offset: from cached runs, else from its leader.
import type { Cluster } from 'kafkajs'
import type { LogRecord, ReadLimits } from '../../../ports/log.ts'
import { offsetExpired } from '../../failures.ts'
import type { BrokerRetries } from '../broker-retries.ts'
import { repair } from '../client.ts'
import { isOutOfRange, rewound } from '../failures.ts'
import type { KafkaLimits } from '../options.ts'
import type { Wire } from '../registry/wire.ts'
import { spanOf } from '../wire/committed.ts'
import { fetchBounds, fetchOne, READ_COMMITTED } from '../wire/fetch.ts'
import type { KeptSpans, Partition, Span } from './partition.ts'

export class PartitionReader {
  readonly #cluster: Cluster
  readonly #wires: ReadonlyMap<string, Wire>
  readonly #kept: KeptSpans
  readonly #brokerRetries: BrokerRetries
  readonly #limits: KafkaLimits
  /** By name and offset: concurrent reads of the same run share one fetch. */
  readonly #pending = new Map<string, Promise<Span>>()

  constructor(cluster: Cluster, wires: ReadonlyMap<string, Wire>, kept: KeptSpans, brokerRetries: BrokerRetries, limits: KafkaLimits) {
    this.#cluster = cluster
    this.#wires = wires
    this.#kept = kept
    this.#brokerRetries = brokerRetries
    this.#limits = limits
  }
  /** Visible records from `offset` up to the partition's `end`; empty only if there are none. */
  async read(partition: Partition, offset: number, { recordsMax, bytesMax }: ReadLimits): Promise<readonly LogRecord[]> {
    if (offset < partition.start) throw this.#expired(partition, offset)
    if (offset > partition.lastStableOffset) await this.#checkReach(partition, offset)
    const out: LogRecord[] = []
    let bytes = 0
    let at = offset
    while (at < partition.end && out.length < recordsMax) {
      const kept = partition.spanAt(at)
      if (kept === undefined && out.length > 0) break
      const span = kept ?? (await this.fetch(partition, at))
      this.#kept.used(span)
      for (let i = firstAt(span.records, at); i < span.records.length; i++) {
        const record = span.records[i] as LogRecord
        if (out.length === recordsMax || (out.length > 0 && bytes >= bytesMax)) return out
        out.push(record)
        bytes += record.key.length + (record.value?.length ?? 0)
      }
      at = span.next
    }
    // Prefetches the next run while the caller processes this one.
    if (at < partition.end && partition.spanAt(at) === undefined) this.fetch(partition, at).catch(() => {})
    return out
  }
  /** Fetches the run that begins at `offset` from the leader. */
  fetch(partition: Partition, offset: number): Promise<Span> {
    const name = `${partition.name}@${offset}`
    const known = this.#pending.get(name)
    if (known !== undefined) return known
    const request = () => this.#fetch(partition, offset)
    const span = this.#brokerRetries
      .untilDone(`a read of ${partition.name}`, this.#limits.awayMsMax, request, () => repair(this.#cluster))
      .finally(() => this.#pending.delete(name))
    this.#pending.set(name, span)
    return span
  }
  /** Resolves when no read is in flight. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#pending.values())
  }
  /**
   * Updates start and last stable offset. @throws EngineError `log_rewound` if the latter is below what was read before the request:
   * records read while the answer is in flight may be newer than the answer.
   */
  async learnBounds(partitions: readonly Partition[]): Promise<void> {
    const before = new Map(
      partitions.map((partition) => [partition, { tail: partition.tail, lastStableOffset: partition.lastStableOffset }]),
    )
    const request = () => fetchBounds(this.#cluster, partitions)
    const bounds = await this.#brokerRetries.untilDone('a request for offsets', this.#limits.awayMsMax, request, () =>
      repair(this.#cluster),
    )
    for (const partition of partitions) {
      const { start, lastStableOffset } = bounds.get(partition.name) ?? partition
      const { tail, lastStableOffset: known } = before.get(partition) ?? partition
      if (tail !== undefined && lastStableOffset < tail) throw rewound(partition.topicName, partition.partition, tail, lastStableOffset)
      partition.start = Math.max(start, partition.start)
      partition.tombstones.observeEnd(Math.max(lastStableOffset, partition.lastStableOffset))
      partition.lastStableOffset =
        partition.lastStableOffset === known ? lastStableOffset : Math.max(lastStableOffset, partition.lastStableOffset)
    }
  }

  async #fetch(partition: Partition, offset: number): Promise<Span> {
    const { fetchPartitionBytesMax: bytesMax } = this.#limits
    const request = { topicPartition: partition, from: offset, bytesMax }
    try {
      const fetched = await fetchOne(this.#cluster, request, { waitMs: 0, bytesMax, isolation: READ_COMMITTED })
      if (fetched.lastStableOffset <= offset) throw new Error(`${partition.name} is decided up to ${fetched.lastStableOffset} only`)
      const span = await spanOf(fetched, this.#wires.get(partition.topic.name) as Wire)
      this.#kept.add(partition, span)
      return span
    } catch (failure) {
      if (isOutOfRange(failure)) await this.learnBounds([partition])
      if (offset < partition.start) throw this.#expired(partition, offset)
      throw failure
    }
  }
  /** A caller at `offset` has read more than there is now, unless the bounds are outdated. */
  async #checkReach(partition: Partition, offset: number): Promise<void> {
    await this.learnBounds([partition])
    if (offset > partition.lastStableOffset) throw rewound(partition.topicName, partition.partition, offset, partition.lastStableOffset)
  }
  #expired({ topic, partition, start }: Partition, offset: number): Error {
    return offsetExpired(topic.name, partition, offset, start)
  }
}

/** Index of the first record at or after `offset`. */
const firstAt = (records: readonly LogRecord[], offset: number): number => {
  let low = 0
  let high = records.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((records[middle] as LogRecord).offset < offset) low = middle + 1
    else high = middle
  }
  return low
}
