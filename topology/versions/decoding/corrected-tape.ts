// The tape with corrections applied: some of its records are replaced by those that a redrive decoded.
//
// The records of the tape never change. A correction names an offset and its current content: nothing, one record or several. An offset of
// the corrected tape is a place: the tape's offset times PLACES, plus the index of the record at that offset. So inserted records have
// offsets too.
import { type Codec, correctionCodec } from '../../../schemas/codecs.ts'
import { assert } from '../../../schemas/errors.ts'
import type { ChainEvent, TapeForm, TapeRecordOf } from '../../../schemas/record-forms.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { LogReader, LogRecord, ReadLimits } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'

/** Number of the newest offsets that are searched first. */
const LOOK_BACK_OFFSETS = 1_024
/** Maximum of records at one offset of the tape. 2^33 offsets remain: 27 years at ten slots a second. */
const PLACES = 2 ** 20

/** The tape's own offset of a place. */
export const tapeOffset = (place: number): number => Math.floor(place / PLACES)
/** The tape offset at which reading continues after everything below `place`. */
export const nextTapeOffset = (place: number): number => Math.ceil(place / PLACES)
export const placeOf = (offset: number): number => offset * PLACES

/** Decodes a tape record; undefined for invalid bytes. */
export const tapeRecordIn = <Value>(codec: Codec<Value>, { value, fault }: Pick<LogRecord, 'value' | 'fault'>): Value | undefined => {
  const read = value === null || fault !== undefined ? undefined : codec.decode(value)
  return read?.ok === true ? read.value : undefined
}

/** Offset of the newest correction, by tape offset; about 60 bytes each. */
export type Corrections = ReadonlyMap<number, number>

/** All current corrections of a partition. */
export const correctionsOf = async (log: LogReader, topic: Topics['corrections'], partition: number): Promise<Corrections> => {
  const corrections = new Map<number, number>()
  for await (const { value, offset } of recordsOf(log, topic, partition)) {
    const read = value === null ? undefined : correctionCodec.decode(value)
    if (read?.ok === true) corrections.set(read.value.offset, offset)
  }
  return corrections
}

/** The current values at the offset of a tape record. @throws EngineError like reading a log */
export const valuesAt = async (
  log: LogReader,
  topic: Topics['corrections'],
  partition: number,
  corrections: Corrections,
  record: LogRecord,
): Promise<readonly (Uint8Array | null)[]> => {
  const at = corrections.get(record.offset)
  if (at === undefined) return [record.value]
  const [found] = await log.read(topic, partition, at, { recordsMax: 1, bytesMax: 1 })
  const read = found?.value == null ? undefined : correctionCodec.decode(found.value)
  assert(read?.ok === true && read.value.offset === record.offset, `the correction of tape ${partition}/${record.offset} can be read`)
  assert(read.value.after.length < PLACES, `${read.value.after.length} records are at one offset of the tape`)
  return read.value.after
}

/** Topics of the corrected tape. */
export type TapeTopics = Pick<Topics, 'tape' | 'corrections'>

/** Every partition of the tape, corrected, as of its opening. */
export class CorrectedTape {
  readonly form: TapeForm
  readonly #log: LogReader
  readonly #topics: TapeTopics
  readonly #corrections: readonly Corrections[]
  readonly #ends: readonly number[]

  private constructor(log: LogReader, topics: TapeTopics, form: TapeForm, corrections: readonly Corrections[], ends: readonly number[]) {
    this.form = form
    this.#log = log
    this.#topics = topics
    this.#corrections = corrections
    this.#ends = ends
  }
  static async open(log: LogReader, topics: TapeTopics, form: TapeForm): Promise<CorrectedTape> {
    const corrections: Corrections[] = []
    const ends: number[] = []
    for (let partition = 0; partition < log.partitions(topics.tape); partition++) {
      ends.push(log.end(topics.tape, partition))
      corrections.push(await correctionsOf(log, topics.corrections, partition))
    }
    return new CorrectedTape(log, topics, form, corrections, ends)
  }
  /** The same tape up to the record with a sequence. */
  async upTo(sequence: number): Promise<CorrectedTape> {
    const ends = await Promise.all(this.#ends.map((_, partition) => this.#endAfter(partition, sequence)))
    return new CorrectedTape(this.#log, this.#topics, this.form, this.#corrections, ends)
  }
  async #endAfter(partition: number, sequence: number): Promise<number> {
    const [start, end] = [tapeOffset(this.start(partition)), this.#ends[partition] as number]
    for (let count = LOOK_BACK_OFFSETS; ; count *= 4) {
      const from = Math.max(start, end - count)
      let after = from === start ? start : undefined
      for await (const record of this.records(partition, placeOf(from))) {
        const entry = this.recordIn(record)
        if (entry !== undefined && entry.sequence > sequence) break
        if (entry !== undefined) after = tapeOffset(record.offset) + 1
      }
      if (after !== undefined) return after
    }
  }
  /** Decodes a record; undefined for invalid bytes. */
  recordIn(record: Pick<LogRecord, 'value' | 'fault'>): TapeRecordOf<ChainEvent> | undefined {
    return tapeRecordIn(this.form.codec, record)
  }
  get partitions(): number {
    return this.#ends.length
  }
  start(partition: number): number {
    return placeOf(this.#log.start(this.#topics.tape, partition))
  }
  end(partition: number): number {
    return placeOf(this.#ends[partition] as number)
  }
  /**
   * Records from a place on, like the log's `read`. An offset whose records were removed yields one record without a value: `recordIn`
   * returns undefined for it.
   */
  async read(partition: number, place: number, limits: ReadLimits): Promise<readonly LogRecord[]> {
    const end = this.#ends[partition] as number
    for (let from = tapeOffset(place); from < end; ) {
      const records = await this.#log.read(this.#topics.tape, partition, from, limits)
      const last = records.at(-1)
      if (last === undefined) break
      const out: LogRecord[] = []
      for (const record of records) if (record.offset < end) out.push(...(await this.#liveRecords(partition, record)))
      const asked = out.filter(({ offset }) => offset >= place)
      if (asked.length > 0) return asked
      from = last.offset + 1
    }
    return []
  }
  async #liveRecords(partition: number, record: LogRecord): Promise<readonly LogRecord[]> {
    const corrections = this.#corrections[partition] as Corrections
    const offset = placeOf(record.offset)
    if (!corrections.has(record.offset)) return [{ ...record, offset }]
    const values = await valuesAt(this.#log, this.#topics.corrections, partition, corrections, record)
    return (values.length === 0 ? [null] : values).map((value, i) => ({ offset: offset + i, key: record.key, value }))
  }
  /** All records from a place on. */
  async *records(partition: number, from: number): AsyncGenerator<LogRecord> {
    for (let place = from; ; ) {
      const records = await this.read(partition, place, READ)
      const last = records.at(-1)
      if (last === undefined) return
      yield* records
      place = last.offset + 1
    }
  }
}

const READ = { recordsMax: 1_000, bytesMax: 4 * 1024 * 1024 }
