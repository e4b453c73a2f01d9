// What is known here of one partition: its bounds, and runs of records read lately.
import type { Topic } from '../../../../schemas/topics.ts'
import type { LogRecord } from '../../../ports/log.ts'
import { Tombstones } from './tombstones.ts'

/** A partition by its names. */
export interface Place {
  readonly topic: Topic
  /** With the prefix. */
  readonly topicName: string
  readonly partition: number
  /** `topicName/partition`. */
  readonly name: string
}

/** Everything visible of the offsets from `from` up to, not including, `next`. */
export interface Span {
  readonly from: number
  readonly next: number
  readonly records: readonly LogRecord[]
  readonly bytes: number
}

export class Partition implements Place {
  readonly topic: Topic
  readonly topicName: string
  readonly partition: number
  readonly name: string
  /** First offset kept, as last heard. */
  start = 0
  /** One past the newest visible record, as last heard: markers of transactions lie beyond it. */
  end = 0
  /** What is decided, as last heard. */
  stableEnd = 0
  /** What was decided when `end` was last looked for. */
  measuredEnd = 0
  /** Offset at which new records are awaited; undefined while the partition is not followed. */
  tail: number | undefined
  /** A question about the tail is out. */
  isAsked = false
  /** When records came that nobody has read since, ms; undefined when all were. */
  unreadSince: number | undefined
  /** Bytes of such records. */
  unreadBytes = 0
  /** Fed with each end that is heard. */
  readonly tombstones = new Tombstones()
  /** By `from`; they may overlap. */
  readonly spans: Span[] = []

  constructor(topic: Topic, topicName: string, partition: number) {
    this.topic = topic
    this.topicName = topicName
    this.partition = partition
    this.name = `${topicName}/${partition}`
  }
  /** Somebody reads, or asks how far it is. */
  wasRead(): void {
    this.unreadSince = undefined
    this.unreadBytes = 0
  }
  /** A kept run that has `offset` in it. */
  spanAt(offset: number): Span | undefined {
    for (let i = this.spans.length - 1; i >= 0; i--) {
      const span = this.spans[i] as Span
      if (span.from <= offset) return offset < span.next ? span : undefined
    }
    return undefined
  }
}

/** Runs of all partitions, the least lately used dropped first. */
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
