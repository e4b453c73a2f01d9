// Compares the tape with its frames decoded again, and writes the differences as corrections.
import { correctionCodec } from '../../../schemas/codecs.ts'
import type { TapeForm } from '../../../schemas/record-forms.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { Chain } from '../../../schemas/types.ts'
import type { LogReader, LogRecord } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'
import type { Chunks } from '../chunks.ts'
import { type CorrectedTape, placeOf, type TapeTopics, tapeOffset, tapeRecordIn } from './corrected-tape.ts'

/** A partition to correct, from the frame with `sequence` on. */
export interface Correcting {
  readonly chain: Chain
  readonly topics: TapeTopics
  readonly partition: number
  readonly sequence: number
  readonly revision: number
  readonly isDead: (value: Uint8Array) => boolean
}

/** Returns a test for frames that a fork rolled back. Reads the forks from one partition of the tape: each partition has all of them. */
export const deadFramesOf = async (made: LogReader, tape: Topics['tape'], { codec }: TapeForm): Promise<(value: Uint8Array) => boolean> => {
  const rolledBackBy = new Map<string, number>()
  for await (const record of recordsOf(made, tape, 0)) {
    const entry = tapeRecordIn(codec, record)
    if (entry?.type === 'revert') for (const { number, hash8 } of entry.dead) rolledBackBy.set(`${number}@${hash8}`, entry.sequence)
  }
  return (value) => {
    const entry = tapeRecordIn(codec, { value })
    return entry?.type === 'batch' && (rolledBackBy.get(`${entry.number}@${entry.hash8}`) ?? -1) > entry.sequence
  }
}

/** All records at one offset of the tape. */
interface Place {
  readonly offset: number
  readonly values: readonly (Uint8Array | null)[]
  /** The values with frames before `sequence`, which were not decoded again. */
  readonly kept: readonly Uint8Array[]
  /** Newest sequence of the readable records; null if none is readable. */
  readonly sequence: number | null
  /** True if it is the first offset on the tape. */
  readonly isFirst: boolean
}

/**
 * Compares a partition of the tape, from the frame with `sequence` on, with the frames decoded in `made`; returns the number of corrected
 * offsets. Unreadable bytes are removed; a missing frame is inserted at the offset of the frame after it.
 */
export const correctTape = async (
  tape: CorrectedTape,
  made: LogReader,
  { chain, topics, partition, sequence, revision, isDead }: Correcting,
  into: Chunks,
): Promise<number> => {
  const decoded = peekable(recordsOf(made, topics.tape, partition), (record) => tape.recordIn(record)?.sequence ?? 0)
  let corrected = 0
  const settle = async ({ offset, values }: Place, after: readonly Uint8Array[]): Promise<void> => {
    if (isSame(values, after)) return
    corrected++
    const before = values.flatMap((value) => (value === null ? [] : [Buffer.from(value)]))
    const records = after.map((one) => Buffer.from(one))
    const value = correctionCodec.encode({ offset, revision, before, after: records, isDead: records.map(isDead) })
    await into.push({ topic: topics.corrections, partition, key: Buffer.from(chain), value })
  }
  let last: { readonly place: Place; readonly after: Uint8Array[] } | undefined
  for await (const place of placesFrom(tape, partition, sequence)) {
    if (last !== undefined) await settle(last.place, last.after)
    // Frames that retention removed from the tape are not inserted again.
    if (last === undefined && tape.start(partition) > 0 && place.sequence !== null && place.isFirst) await decoded.upTo(place.sequence - 1)
    last = { place, after: [...place.kept, ...(place.sequence === null ? [] : await decoded.upTo(place.sequence))] }
  }
  if (last === undefined) return 0
  last.after.push(...(await decoded.upTo(Number.POSITIVE_INFINITY)))
  await settle(last.place, last.after)
  return corrected
}

const isSame = (a: readonly (Uint8Array | null)[], b: readonly Uint8Array[]): boolean =>
  a.length === b.length && a.every((value, i) => value !== null && Buffer.compare(value, b[i] as Uint8Array) === 0)

/** The offsets of the tape, from the first that may hold the frame with `sequence`: right after the newest frame before it. */
async function* placesFrom(tape: CorrectedTape, partition: number, sequence: number): AsyncGenerator<Place> {
  const from = await firstPlace(tape, partition, sequence)
  let held: LogRecord[] = []
  const taken = (): Place => placeOfAll(tape, held, sequence, tape.start(partition))
  for await (const record of tape.records(partition, from)) {
    const [first] = held
    if (first !== undefined && tapeOffset(first.offset) !== tapeOffset(record.offset)) {
      yield taken()
      held = []
    }
    held.push(record)
  }
  if (held.length > 0) yield taken()
}

const firstPlace = async (tape: CorrectedTape, partition: number, sequence: number): Promise<number> => {
  let place = tape.start(partition)
  for await (const record of tape.records(partition, place)) {
    const entry = tape.recordIn(record)
    // All records at an offset are one `Place`, even if an older frame is among them.
    if (entry !== undefined && entry.sequence >= sequence) return placeOf(tapeOffset(place))
    if (entry !== undefined) place = record.offset + 1
  }
  return place
}

const placeOfAll = (tape: CorrectedTape, records: readonly LogRecord[], sequence: number, start: number): Place => {
  const sequences = records.flatMap((record) => tape.recordIn(record)?.sequence ?? [])
  const first = records[0] as LogRecord
  return {
    offset: tapeOffset(first.offset),
    values: records.length === 1 && first.value === null ? [] : records.map(({ value }) => value),
    kept: records.flatMap((record) =>
      (tape.recordIn(record)?.sequence ?? sequence) < sequence && record.value !== null ? [record.value] : [],
    ),
    sequence: sequences.length === 0 ? null : Math.max(...sequences),
    isFirst: first.offset === start,
  }
}

/** Records in sequence order, taken up to a given sequence. */
const peekable = (
  records: AsyncGenerator<LogRecord>,
  sequenceOf: (record: LogRecord) => number,
): { upTo(sequence: number): Promise<Uint8Array[]> } => {
  let head: IteratorResult<LogRecord, unknown> | undefined
  return {
    upTo: async (sequence) => {
      const taken: Uint8Array[] = []
      for (;;) {
        head ??= await records.next()
        if (head.done) return taken
        const { value } = head.value
        if (value === null || sequenceOf(head.value) > sequence) return taken
        taken.push(value)
        head = undefined
      }
    },
  }
}
