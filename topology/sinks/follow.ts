// One partition of a topic, read to its end and on: what its records say goes into batches.
import { openBody } from '../../processors/solana/frame.ts'
import { conclusionCodec, deadLetterCodec, tapeRecordCodec } from '../../schemas/codecs.ts'
import { TOPICS, type Topic } from '../../schemas/topics.ts'
import { frameRow } from '../history/rows/frame-tables.ts'
import type { RowBatch } from '../history/rows/row-batch.ts'
import type { Log, LogRecord } from '../ports/log.ts'
import { rawReader } from '../readers.ts'

/**
 * Puts a record into the batch. False while more records are needed to make sense of it. Bytes that say nothing are passed over: who made
 * a dead letter of them was the task that reads them too.
 */
type Take = (record: LogRecord, batch: RowBatch) => boolean

export class Follower {
  readonly topic: Topic
  readonly partition: number
  /** Of the next record to read. */
  offset: number
  /** From here on everything is to be read again after a restart. */
  settled: number
  readonly #take: Take

  constructor(topic: Topic, partition: number, offset: number, take: Take) {
    this.topic = topic
    this.partition = partition
    this.offset = offset
    this.settled = offset
    this.#take = take
  }
  /** Under which the sink keeps the offset. */
  get name(): string {
    return `${this.topic.name}/${this.partition}`
  }
  take(record: LogRecord, batch: RowBatch): void {
    this.offset = record.offset + 1
    if (this.#take(record, batch)) this.settled = this.offset
  }
}

const takeFrames = (): Take => {
  const read = rawReader()
  return (record, batch) => {
    const parsed = read(record)
    if (parsed === undefined) return false
    if (!parsed.ok) return true
    for (const frame of parsed.value.events) {
      const body = openBody(frame)
      if (body.ok) batch.frame(frameRow(parsed.value.header.sequence, frame, body.value))
    }
    return true
  }
}

/** Every partition of the tape has every tick: the first one's are kept. */
const takeTape =
  (isTickTold: boolean): Take =>
  ({ value }, batch) => {
    const read = value === null ? undefined : tapeRecordCodec.decode(value)
    if (read?.ok === true && read.value.type === 'batch') batch.tape(read.value, isTickTold)
    return true
  }

const takeConclusion: Take = ({ value, offset }, batch) => {
  const read = value === null ? undefined : conclusionCodec.decode(value)
  if (read?.ok === true) batch.conclusion(read.value, offset)
  return true
}

const takeDeadLetter: Take = ({ value, offset }, batch) => {
  const read = value === null ? undefined : deadLetterCodec.decode(value)
  if (read?.ok === true) batch.deadLetter(read.value, offset)
  return true
}

const TAKES: readonly { readonly topic: Topic; readonly take: (partition: number) => Take }[] = [
  { topic: TOPICS.rawSolana, take: takeFrames },
  { topic: TOPICS.tapeSolana, take: (partition) => takeTape(partition === 0) },
  { topic: TOPICS.flags, take: () => takeConclusion },
  { topic: TOPICS.outcomes, take: () => takeConclusion },
  { topic: TOPICS.deadLetters, take: () => takeDeadLetter },
]

/** What the history is made of. */
export const FOLLOWED: readonly Topic[] = TAKES.map(({ topic }) => topic)

/** A follower of each partition, from the offsets committed, else from the start. */
export const followAll = (log: Log, committed: ReadonlyMap<string, number>): readonly Follower[] =>
  TAKES.flatMap(({ topic, take }) =>
    Array.from({ length: log.partitions(topic) }, (_, partition) => {
      const offset = committed.get(`${topic.name}/${partition}`) ?? log.start(topic, partition)
      return new Follower(topic, partition, offset, take(partition))
    }),
  )
