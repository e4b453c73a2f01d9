// Reads partitions as maps that are continued as the logs grow: a swap reads most of what it compares while the tasks still run, and only
// the newest records once they are paused.
import type { Topic } from '../../../schemas/topics.ts'
import type { Log, LogReader, LogRecord } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'
import { digestOf, type EffectsOf, LiveRecords } from '../live-records.ts'

/** The newest value of a key. */
interface RowMark {
  readonly offset: number
  readonly digest: string
}
/** By key as latin1 text; about 150 bytes of memory each. */
export type RowMarks = ReadonlyMap<string, RowMark>

export type CompactedReader = LogReader & Pick<Log, 'tombstoneFloor'>

interface Reading<Value> {
  value: Value
  next: number
  /** Start and floor of the partition when the reading began: what was deleted since may be in `value` still. */
  start: number
  floor: number
}

/** What the partitions of one log contain, as of the newest call for each. */
export class ReadOn {
  readonly #log: CompactedReader
  readonly #readings = new Map<string, Reading<unknown>>()

  constructor(log: CompactedReader) {
    this.#log = log
  }
  /** The rows of a compacted topic. */
  async rows(topic: Topic, partition: number): Promise<RowMarks> {
    return this.#to(
      topic,
      partition,
      () => new Map<string, RowMark>(),
      (rows, { key, value, offset }) => {
        const name = Buffer.from(key).toString('latin1')
        if (value === null) rows.delete(name)
        else rows.set(name, { offset, digest: digestOf(value) })
      },
    )
  }
  /** The valid records. `effectsOf`: always the same function for a topic. */
  async live(topic: Topic, partition: number, effectsOf: EffectsOf): Promise<LiveRecords> {
    return this.#to(
      topic,
      partition,
      () => new LiveRecords(),
      (live, { value, offset }) => {
        if (value !== null) live.take(effectsOf(value), offset)
      },
    )
  }
  async #to<Value>(topic: Topic, partition: number, empty: () => Value, take: (value: Value, record: LogRecord) => void): Promise<Value> {
    const name = `${topic.name}/${partition}`
    const [start, floor] = [this.#log.start(topic, partition), this.#log.tombstoneFloor(topic, partition)]
    const known = this.#readings.get(name) as Reading<Value> | undefined
    const isCurrent = known !== undefined && known.start === start && floor <= Math.max(known.next, known.floor)
    const reading = isCurrent ? known : { value: empty(), next: start, start, floor }
    this.#readings.set(name, reading)
    const to = this.#log.end(topic, partition)
    for await (const record of recordsOf(this.#log, topic, partition, { from: reading.next, to })) {
      take(reading.value, record)
      reading.next = record.offset + 1
    }
    return reading.value
  }
}
