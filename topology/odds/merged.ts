// Merges topics of conclusions in time order over all their partitions: the order in which grades are computed.
import type { ConclusionForm } from '../../schemas/record-forms.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { Conclusion } from '../../schemas/types.ts'
import { readKept } from '../logs/read-kept.ts'
import type { Log } from '../ports/log.ts'
import type { Notice } from '../ports/notice.ts'
import { yieldToEventLoop } from '../waiting/waiting.ts'

const READ = { recordsMax: 500, bytesMax: 1024 * 1024 }
/** Records between two yields to the event loop. */
const TURN_RECORDS = 500

interface Held {
  readonly conclusion: Conclusion
  /** Unix seconds. Never decreases within a stream: a retraction or revision of the past gets the newest time before it. */
  readonly at: number
}

/** A partition, with some records read ahead. */
class Stream {
  readonly topic: Topic
  readonly partition: number
  readonly #options: MergedOptions
  #held: Held[] = []
  #first = 0
  #next: number
  #newest = 0

  constructor(options: MergedOptions, topic: Topic, partition: number) {
    this.#options = options
    this.topic = topic
    this.partition = partition
    this.#next = options.log.start(topic, partition)
  }
  get head(): Held | undefined {
    return this.#held[this.#first]
  }
  shift(): void {
    this.#first += 1
  }
  /** Afterwards there is a head, unless the partition has no conclusion below `end`. */
  async fill(end: number): Promise<void> {
    const { log, form, notice } = this.#options
    while (this.head === undefined && this.#next < end) {
      const place = { topic: this.topic, partition: this.partition, offset: this.#next }
      const lost = (from: number, to: number): void => notice('odds_lost', { topic: `${this.topic.name}/${this.partition}`, from, to })
      const { records, next } = await readKept(log, place, READ, lost)
      if (next === this.#next) return
      this.#next = next
      this.#first = 0
      this.#held = records.flatMap(({ value }) => {
        const read = value === null ? undefined : form.codec.decode(value)
        if (read?.ok !== true) return []
        this.#newest = Math.max(this.#newest, read.value.at)
        return [{ conclusion: read.value, at: this.#newest }]
      })
    }
  }
}

export interface MergedOptions {
  readonly log: Log
  readonly form: ConclusionForm
  readonly notice: Notice
}

/** Receives a conclusion, its partition, and the time up to which all conclusions were delivered. */
type Take = (conclusion: Conclusion, partition: number, at: number) => void

export class MergedConclusions {
  readonly #log: Log
  readonly #streams: readonly Stream[]

  /** At equal times, earlier topics come first, then lower partitions. */
  constructor(options: MergedOptions, topics: readonly Topic[]) {
    const { log } = options
    this.#log = log
    this.#streams = topics.flatMap((topic) =>
      Array.from({ length: log.partitions(topic) }, (_, partition) => new Stream(options, topic, partition)),
    )
  }
  /**
   * Delivers all new conclusions available at the call. In partitions of the topic `limited` it stops at the first conclusion at `until`
   * (unix seconds) or later.
   */
  async take(limited: Topic, until: number, take: Take): Promise<void> {
    const ends = this.#streams.map(({ topic, partition }) => this.#log.end(topic, partition))
    for (let count = 1; ; count++) {
      for (const [n, stream] of this.#streams.entries()) if (stream.head === undefined) await stream.fill(ends[n] as number)
      const stream = this.#earliest(limited, until)
      if (stream?.head === undefined) return
      take(stream.head.conclusion, stream.partition, stream.head.at)
      stream.shift()
      if (count % TURN_RECORDS === 0) await yieldToEventLoop()
    }
  }
  #earliest(limited: Topic, until: number): Stream | undefined {
    let first: Stream | undefined
    for (const stream of this.#streams) {
      const { head, topic } = stream
      if (head === undefined || (topic === limited && head.at >= until)) continue
      if (first?.head === undefined || head.at < first.head.at) first = stream
    }
    return first
  }
}
