// State of one partition in this process: its bounds, and runs of recently read records.
import type { Topic } from '../../../../schemas/topics.ts'
import type { LogRecord } from '../../../ports/log.ts'
import { Tombstones } from './tombstones.ts'

/** Identifies a partition. */
export interface TopicPartition {
  readonly topic: Topic
  /** With the prefix. */
  readonly topicName: string
  readonly partition: number
  /** `topicName/partition`. */
  readonly name: string
}

/** All visible records at offsets from `from` to `next` (exclusive). */
export interface Span {
  readonly from: number
  readonly next: number
  readonly records: readonly LogRecord[]
  readonly bytes: number
}

export class Partition implements TopicPartition {
  readonly topic: Topic
  readonly topicName: string
  readonly partition: number
  readonly name: string
  /** First retained offset, as of the broker's last answer. */
  start = 0
  /** One past the newest visible record, as of the broker's last answer: transaction markers may follow it. */
  end = 0
  /** Last stable offset, as of the broker's last answer. */
  lastStableOffset = 0
  /** Last stable offset when `end` was last determined. */
  measuredEnd = 0
  /** Offset of the next records to fetch; undefined while the partition is not followed. */
  tail: number | undefined
  /** True while a fetch of the tail is in flight. */
  isAsked = false
  /** Arrival of the first record that was not read since, ms; undefined if all were read. */
  unreadSince: number | undefined
  /** Bytes of the unread records. */
  unreadBytes = 0
  /** Updated with each new end. */
  readonly tombstones = new Tombstones()
  /** In the order of `from`; they may overlap. */
  readonly spans: Span[] = []

  constructor(topic: Topic, topicName: string, partition: number) {
    this.topic = topic
    this.topicName = topicName
    this.partition = partition
    this.name = `${topicName}/${partition}`
  }
  /** Call when the partition is read, or its bounds are requested. */
  wasRead(): void {
    this.unreadSince = undefined
    this.unreadBytes = 0
  }
  /** A cached run that includes `offset`. */
  spanAt(offset: number): Span | undefined {
    for (let i = this.spans.length - 1; i >= 0; i--) {
      const span = this.spans[i] as Span
      if (span.from <= offset) return offset < span.next ? span : undefined
    }
    return undefined
  }
}

/** The parts of `topicName/partition`. */
export const parsePartitionName = (name: string): Pick<TopicPartition, 'topicName' | 'partition'> => {
  const slash = name.lastIndexOf('/')
  return { topicName: name.slice(0, slash), partition: Number(name.slice(slash + 1)) }
}

/** The partitions with these names, `topicName/partition`, in the same order. The keys of `byTopic` are topic names without the prefix. */
export const partitionsNamed = (
  byTopic: ReadonlyMap<string, readonly Partition[]>,
  prefix: string,
  names: readonly string[],
): readonly Partition[] =>
  names.map((name) => {
    const { topicName, partition } = parsePartitionName(name)
    return byTopic.get(topicName.slice(prefix.length))?.[partition] as Partition
  })

/** LRU cache of runs of all partitions. */
export class KeptSpans {
  readonly #bytesMax: number
  readonly #holders = new Map<Span, Partition>()
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }
  add(partition: Partition, span: Span): void {
    const { spans } = partition
    let at = spans.length
    while (at > 0 && (spans[at - 1] as Span).from > span.from) at--
    spans.splice(at, 0, span)
    this.#holders.set(span, partition)
    this.#bytes += span.bytes
    for (const [oldest, holder] of this.#holders) {
      if (this.#bytes <= this.#bytesMax || oldest === span) return
      this.#drop(oldest, holder)
    }
  }
  used(span: Span): void {
    const partition = this.#holders.get(span)
    if (partition === undefined) return
    this.#holders.delete(span)
    this.#holders.set(span, partition)
  }
  #drop(span: Span, partition: Partition): void {
    this.#holders.delete(span)
    this.#bytes -= span.bytes
    const at = partition.spans.indexOf(span)
    if (at >= 0) partition.spans.splice(at, 1)
  }
}
