// Rolls back forks in the history: writes the rows of orphaned frames again, as deleted. Their version is above that of the rows, and below
// that of the same frame's rows if its branch becomes canonical again. So it does not matter in which order and how often these rows are
// written, nor how far other partitions are.
//
// The rows are read from the log, backwards from the rollback record: each partition rolls back its own records.
import { deadLetterCodec, rawRecordCodec } from '../../schemas/codecs.ts'
import { hasCode } from '../../schemas/errors.ts'
import { numberIn } from '../../schemas/position.ts'
import type { ConclusionForm, TapeForm } from '../../schemas/record-forms.ts'
import type { Topic, Topics } from '../../schemas/topics.ts'
import type { Conclusion, DeadLetter, RawRecord, TapeRevert } from '../../schemas/types.ts'
import { undoneFrameRow } from '../history/rows/frame-tables.ts'
import type { RowBatch } from '../history/rows/row-batch.ts'
import type { LogReader, LogRecord } from '../ports/log.ts'
import { WITHDRAWN } from '../records/records.ts'
import { correctionsOf, valuesAt } from '../versions/decoding/corrected-tape.ts'

type Revert = Extract<RawRecord['body'], { type: 'revert' }>

/** A step adds the rows of one record to a batch; returns false at the end if the log no longer has all records to roll back. */
export type Rollback = AsyncGenerator<(batch: RowBatch) => void, boolean>

/** One partition. */
export interface LogPartition {
  readonly log: LogReader
  readonly topic: Topic
  readonly partition: number
}

/** Records per backward read, of at most 512 KB each. */
const WINDOW_RECORDS = 32
const READ = { recordsMax: WINDOW_RECORDS, bytesMax: 4 * 1024 * 1024 }
/** A fork deeper than the engine's undo limit stops the engine, so no more frames than that limit are read. */
const FRAMES_MAX = 10_000

/** The records below an offset, newest first, as far as the log has them. */
async function* backwards(logPartition: LogPartition, before: number): AsyncGenerator<LogRecord> {
  for (let end = before; end > logPartition.log.start(logPartition.topic, logPartition.partition); ) {
    const from = Math.max(end - WINDOW_RECORDS, logPartition.log.start(logPartition.topic, logPartition.partition))
    const window = await readBetween(logPartition, from, end)
    yield* window.reverse()
    end = from
  }
}

/** Empty if retention deleted the records while they were read. */
const readBetween = async ({ log, topic, partition }: LogPartition, from: number, end: number): Promise<LogRecord[]> => {
  const records: LogRecord[] = []
  try {
    for (let at = from; at < end; ) {
      const some = await log.read(topic, partition, at, READ)
      const last = some.at(-1)
      if (last === undefined) break
      records.push(...some.filter(({ offset }) => offset < end))
      at = last.offset + 1
    }
  } catch (failure) {
    if (!hasCode(failure, 'offset_expired')) throw failure
  }
  return records
}

/** Rolls back the orphaned frames' events of one partition, and their ticks if this partition writes them (`isTickTold`). */
export async function* retractedTape(
  logPartition: LogPartition,
  topic: Topics['corrections'],
  { codec }: TapeForm,
  before: number,
  { sequence, dead }: TapeRevert,
  isTickTold: boolean,
): Rollback {
  const due = new Set(dead.map(({ number, hash8 }) => `${number}@${hash8}`))
  const oldest = Math.min(...dead.map(({ number }) => number))
  if (due.size === 0) return true
  const corrections = await correctionsOf(logPartition.log, topic, logPartition.partition)
  for await (const record of backwards(logPartition, before)) {
    for (const value of await valuesAt(logPartition.log, topic, logPartition.partition, corrections, record)) {
      const read = value === null ? undefined : codec.decode(value)
      if (read?.ok !== true || read.value.type !== 'batch') continue
      const frame = read.value
      // Only frames with higher numbers follow a canonical frame, so no orphaned frame is further back.
      if (frame.number < oldest) return false
      if (!due.delete(`${frame.number}@${frame.hash8}`)) continue
      yield (batch) => batch.tape(frame, isTickTold, sequence)
      if (due.size === 0) return true
    }
  }
  return false
}

/** Rolls back every frame after the fork point. Frames already rolled back by an earlier fork may be among them: they stay deleted. */
export async function* retractedFrames(logPartition: LogPartition, before: number, sequence: number, { number, hash }: Revert): Rollback {
  let frames = 0
  for await (const { value } of backwards(logPartition, before)) {
    const read = value === null ? undefined : rawRecordCodec.decode(value)
    if (read?.ok !== true) continue
    const { body } = read.value
    if ((body.type === 'frame' || body.type === 'revert') && body.number === number && body.hash === hash) return true
    if (body.type !== 'frame' || body.part > 0) continue
    if (++frames > FRAMES_MAX) return false
    yield (batch) => batch.frame(undoneFrameRow(sequence, body))
  }
  return false
}

/** Rolls back the conclusions of the retraction's frame, newest first, back to where the frame became canonical. */
export async function* retractedConclusions(
  logPartition: LogPartition,
  { codec }: ConclusionForm,
  before: number,
  { id, number, hash8 }: Conclusion,
): Rollback {
  for await (const { value } of backwards(logPartition, before)) {
    const read = value === null ? undefined : codec.decode(value)
    if (read?.ok !== true) continue
    const conclusion = read.value
    const isOfFrame = conclusion.number === number && conclusion.hash8 === hash8
    const { body } = conclusion
    // Records of a rebuild are out of order.
    if (body.type === 'revision') {
      const again = body.said === null ? undefined : codec.decode(body.said)
      if (isOfFrame && again?.ok === true) yield (batch) => batch.conclusion(again.value, before, id)
      continue
    }
    if (conclusion.number < number || (isOfFrame && body.type === 'retraction')) return true
    if (isOfFrame) yield (batch) => batch.conclusion(conclusion, before, id)
  }
  return true
}

/** Rolls back the dead letters of the frame that the retraction names, back to where the frame became canonical. */
export async function* retractedDeadLetters(logPartition: LogPartition, before: number, { position, hash8 }: DeadLetter): Rollback {
  const number = numberIn(position) ?? 0
  for await (const { value } of backwards(logPartition, before)) {
    const read = value === null ? undefined : deadLetterCodec.decode(value)
    if (read?.ok !== true) continue
    const deadLetter = read.value
    const at = numberIn(deadLetter.position)
    if (at === undefined) continue
    if (at < number && deadLetter.revision === 0) return true
    const isOfFrame = at === number && deadLetter.hash8 === hash8
    if (isOfFrame && deadLetter.withdrawn === WITHDRAWN.byFork) return true
    if (isOfFrame && deadLetter.withdrawn === null) yield (batch) => batch.deadLetter(deadLetter, before, true)
  }
  return true
}
