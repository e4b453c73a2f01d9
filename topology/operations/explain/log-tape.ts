// Reads the tape of one partition of a log from about a given time: with corrections applied and orphaned branches removed.
import type { ChainEvent, TapeForm, TapeRecordOf } from '../../../schemas/record-forms.ts'
import type { LogReader } from '../../ports/log.ts'
import { CorrectedTape, placeOf, type TapeTopics, tapeRecordIn } from '../../versions/decoding/corrected-tape.ts'
import { yieldToEventLoop } from '../../waiting/waiting.ts'
import type { Batch } from './recompute.ts'

/** The tick of an event's frame may be this much earlier than the event's own time, seconds. */
const SLACK_S = 10
/** Yields to the event loop after this many records. */
const BREATHE_RECORDS = 25

export interface LogTapeOptions {
  readonly log: LogReader
  readonly topics: TapeTopics
  readonly form: TapeForm
  readonly partition: number
  /** A fork rolls back at most this many numbers. */
  readonly forkNumbersMax: number
}

/** Batches from about `fromTime` (unix seconds) on; all retained batches if `fromTime` is null. */
export async function* logTape(options: LogTapeOptions, fromTime: number | null): AsyncGenerator<Batch> {
  const { log, topics, form, partition, forkNumbersMax } = options
  const tape = await CorrectedTape.open(log, topics, form)
  const from = fromTime === null ? log.start(topics.tape, partition) : await offsetAt(options, fromTime - SLACK_S)
  yield* livingBatches(recordsIn(tape, partition, placeOf(from)), forkNumbersMax)
}

async function* recordsIn(tape: CorrectedTape, partition: number, from: number): AsyncGenerator<TapeRecordOf<ChainEvent>> {
  let count = 0
  for await (const record of tape.records(partition, from)) {
    const entry = tape.recordIn(record)
    if (entry !== undefined) yield entry
    if (++count % BREATHE_RECORDS === 0) await yieldToEventLoop()
  }
}

/** Delays each frame until no fork can roll it back. */
async function* livingBatches(records: AsyncIterable<TapeRecordOf<ChainEvent>>, forkNumbersMax: number): AsyncGenerator<Batch> {
  let held: Batch[] = []
  for await (const record of records) {
    if (record.type === 'revert') held = held.filter(({ number }) => number <= record.number)
    if (record.type !== 'batch') continue
    held.push(record)
    const settled = held.findIndex(({ number, final }) => !final && number > record.number - forkNumbersMax)
    for (const batch of held.splice(0, settled < 0 ? held.length : settled)) yield batch
  }
  yield* held
}

/** The first offset whose batch has that time or a later one; found by bisection, because the time of ticks never decreases. */
const offsetAt = async ({ log, topics: { tape }, form, partition }: LogTapeOptions, time: number): Promise<number> => {
  let [low, high] = [log.start(tape, partition), log.end(tape, partition)]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = await timeFrom(log, tape, form, partition, middle)
    if (found === undefined || found >= time) high = middle
    else low = middle + 1
  }
  return low
}

/** The time of the first batch at or after an offset. */
const timeFrom = async (
  log: LogReader,
  tape: TapeTopics['tape'],
  form: TapeForm,
  partition: number,
  from: number,
): Promise<number | undefined> => {
  for (let offset = from; offset < log.end(tape, partition); ) {
    const [record] = await log.read(tape, partition, offset, { recordsMax: 1, bytesMax: 1 })
    if (record === undefined) return undefined
    const entry = tapeRecordIn(form.codec, record)
    if (entry?.type === 'batch') return entry.time
    offset = record.offset + 1
  }
  return undefined
}
