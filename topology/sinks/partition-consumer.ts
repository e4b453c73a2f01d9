// Consumers, one per partition of the sink's inputs: they add the rows of records to batches, and know which offset may be committed.
import type { ChainDefinition } from '../../processors/chains/chain.ts'
import { correctionCodec, deadLetterCodec, rawRecordCodec } from '../../schemas/codecs.ts'
import { assert } from '../../schemas/errors.ts'
import type { ConclusionForm } from '../../schemas/record-forms.ts'
import type { Topic } from '../../schemas/topics.ts'
import { frameRow } from '../history/rows/frame-tables.ts'
import type { RowBatch } from '../history/rows/row-batch.ts'
import type { LogReader, LogRecord } from '../ports/log.ts'
import { rawReader } from '../records/readers.ts'
import { WITHDRAWN } from '../records/records.ts'
import type { SinkPart } from '../topology.ts'
import { eventsGone } from './corrected-rows.ts'
import { type LogPartition, type Rollback, retractedConclusions, retractedDeadLetters, retractedFrames, retractedTape } from './retract.ts'

/**
 * Adds the rows of a record to the batch. Returns false while more records are needed to decode it, and for a fork the rollback, which
 * proceeds step by step, because it may exceed a batch. Undecodable records are skipped: the task that also reads them has made dead
 * letters of them.
 */
type Take = (record: LogRecord, batch: RowBatch) => boolean | Rollback

/** The topics that the history is made of, and the progress of the folds. */
export type SinkTopics = SinkPart['reads']
export type Followed = Exclude<keyof SinkTopics, 'progress'>

export class PartitionConsumer {
  readonly role: Followed
  readonly topic: Topic
  readonly partition: number
  /** Offset of the next record to read. */
  offset: number
  /** The offset to restart from. */
  committable: number
  readonly #take: Take
  #rollback: Rollback | null = null

  constructor(role: Followed, { topic, partition }: LogPartition, offset: number, take: Take) {
    this.role = role
    this.topic = topic
    this.partition = partition
    this.offset = offset
    this.committable = offset
    this.#take = take
  }
  /** The name under which the sink commits the offset. */
  get name(): string {
    return `${this.topic.name}/${this.partition}`
  }
  /** All records below this offset are in batches. */
  get batched(): number {
    return this.#rollback === null ? this.offset : this.offset - 1
  }
  /** True while a rollback is in progress: no other record may be taken before it ends. */
  get isRollingBack(): boolean {
    return this.#rollback !== null
  }
  take(record: LogRecord, batch: RowBatch): void {
    assert(this.#rollback === null, `${this.name}: a record was taken before the rollback ended`)
    const taken = this.#take(record, batch)
    this.offset = record.offset + 1
    if (taken === true) this.committable = this.offset
    else if (taken !== false) this.#rollback = taken
  }
  /** Deletes the rows of one more record. False if the log no longer has all records of the rollback. */
  async rollBack(batch: RowBatch): Promise<boolean> {
    const step = await this.#rollback?.next()
    if (step === undefined) return true
    if (!step.done) {
      step.value(batch)
      return true
    }
    this.#rollback = null
    this.committable = this.offset
    return step.value
  }
}

const takeFrames = (logPartition: LogPartition, _topics: SinkTopics, { decoder }: ChainDefinition): Take => {
  const read = rawReader()
  return (record, batch) => {
    const raw = record.value === null ? undefined : rawRecordCodec.decode(record.value)
    if (raw?.ok !== true) return true
    const { sequence, body } = raw.value
    if (body.type === 'revert') return retractedFrames(logPartition, record.offset, sequence, body)
    if (body.type !== 'frame') return true
    const parsed = read(record)
    if (parsed === undefined) return false
    if (!parsed.ok || parsed.value.type !== 'frame') return true
    for (const frame of parsed.value.frame.events) {
      const opened = decoder.count(frame)
      if (opened.ok) batch.frame(frameRow(sequence, frame, opened.value))
    }
    return true
  }
}

/** Every partition of the tape has every tick: only those of the first partition are stored. */
const takeTape = (logPartition: LogPartition, { corrections }: SinkTopics, { tape }: ChainDefinition): Take => {
  const hasTick = logPartition.partition === 0
  return ({ value, offset }, batch) => {
    const read = value === null ? undefined : tape.codec.decode(value)
    if (read?.ok !== true) return true
    if (read.value.type === 'revert') return retractedTape(logPartition, corrections, tape, offset, read.value, hasTick)
    if (read.value.type === 'batch') batch.tape(read.value, hasTick)
    return true
  }
}

const takeConclusions =
  (logPartition: LogPartition, _topics: SinkTopics, { conclusions }: ChainDefinition): Take =>
  ({ value, offset }, batch) => {
    const read = value === null ? undefined : conclusions.codec.decode(value)
    if (read?.ok !== true) return true
    const { id, body } = read.value
    if (body.type === 'retraction') return retractedConclusions(logPartition, conclusions, offset, read.value)
    if (body.type !== 'revision') batch.conclusion(read.value, offset)
    else if (body.said !== null) putConclusion(conclusions, body.said, batch, offset)
    else if (body.withdrawn !== null) putConclusion(conclusions, body.withdrawn, batch, offset, id)
    return true
  }

const putConclusion = (
  { codec }: ConclusionForm,
  bytes: Uint8Array,
  batch: RowBatch,
  offset: number,
  retractionId: string | null = null,
): void => {
  const read = codec.decode(bytes)
  if (read.ok) batch.conclusion(read.value, offset, retractionId)
}

const takeDeadLetters =
  (logPartition: LogPartition): Take =>
  ({ value, offset }, batch) => {
    const read = value === null ? undefined : deadLetterCodec.decode(value)
    if (read?.ok !== true) return true
    if (read.value.withdrawn === WITHDRAWN.byFork) return retractedDeadLetters(logPartition, offset, read.value)
    batch.deadLetter(read.value, offset, read.value.withdrawn !== null)
    return true
  }

/** Rows of corrected frames: they replace those of the tape's own record, even if the sink writes that record's rows later. */
const takeCorrections =
  ({ partition }: LogPartition, _topics: SinkTopics, { tape }: ChainDefinition): Take =>
  ({ value }, batch) => {
    const read = value === null ? undefined : correctionCodec.decode(value)
    if (read?.ok !== true) return true
    const { revision, before, after, isDead } = read.value
    for (const { frame, events } of eventsGone(tape, before, after)) batch.gone(frame, events, revision)
    for (const [i, bytes] of after.entries()) {
      const decoded = tape.codec.decode(bytes)
      if (decoded.ok && decoded.value.type === 'batch' && isDead[i] !== true) batch.corrected(decoded.value, partition === 0, revision)
    }
    return true
  }

const TAKES: Readonly<Record<Followed, (logPartition: LogPartition, topics: SinkTopics, chain: ChainDefinition) => Take>> = {
  raw: takeFrames,
  tape: takeTape,
  flags: takeConclusions,
  outcomes: takeConclusions,
  judgements: takeConclusions,
  odds: takeConclusions,
  deadLetters: takeDeadLetters,
  corrections: takeCorrections,
}
const FOLLOWED = Object.keys(TAKES) as readonly Followed[]
/** The topics that the chain has. */
export const followedIn = (topics: SinkTopics): readonly (readonly [role: Followed, topic: Topic])[] =>
  FOLLOWED.flatMap((role) => {
    const topic = topics[role]
    return topic === undefined ? [] : [[role, topic] as const]
  })

/** A consumer per partition, starting at the committed offsets, else at the start. */
export const consumersOf = (
  log: LogReader,
  topics: SinkTopics,
  committed: ReadonlyMap<string, number>,
  chain: ChainDefinition,
): readonly PartitionConsumer[] =>
  followedIn(topics).flatMap(([role, topic]) =>
    Array.from({ length: log.partitions(topic) }, (_, partition) => {
      const logPartition = { log, topic, partition }
      const offset = committed.get(`${topic.name}/${partition}`) ?? log.start(topic, partition)
      return new PartitionConsumer(role, logPartition, offset, TAKES[role](logPartition, topics, chain))
    }),
  )
