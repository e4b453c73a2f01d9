// The range of retained raw frames that a decoder has processed.
import { rawRecordCodec } from '../../../schemas/codecs.ts'
import type { TapeForm } from '../../../schemas/record-forms.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { RawFrame, RawRecord } from '../../../schemas/types.ts'
import type { LogReader, TaskOwner } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'
import { tapeRecordIn } from './corrected-tape.ts'

type Raw = Topics['raw']

export interface RawRange {
  /** Offset of the first record of the first complete frame. */
  readonly from: number
  /** One past the last record decoded. */
  readonly to: number
  /** Sequence of the first complete frame. */
  readonly sequence: number
  /** Number of the first complete frame. */
  readonly number: number
}
export interface RawStart extends RawRange {
  readonly frame: RawFrame
}

/** Number of a partition's newest records that are searched for a frame. */
const LOOK_BACK_OFFSETS = 256

/** From the first frame with a sequence of at least `least` on; undefined if no retained frame was decoded. */
export const rawRangeOf = async (log: LogReader, raw: Raw, decoder: TaskOwner, least: number): Promise<RawStart | undefined> => {
  const to = committedOf(decoder, raw)
  if (to === undefined) return undefined
  for await (const { offset, value } of recordsOf(log, raw, 0, { to })) {
    const read = rawIn(value)
    if (read === undefined) continue
    const { sequence, body } = read
    if (body.type === 'frame' && body.part === 0 && sequence >= least)
      return { from: offset, to, sequence, number: body.number, frame: body }
  }
  return undefined
}

/** An empty range, for when all frames decoded after `number` are orphaned. Its frame is the first retained one of these. */
export const deadRangeOf = async (log: LogReader, raw: Raw, decoder: TaskOwner, number: number): Promise<RawStart | undefined> => {
  const to = committedOf(decoder, raw)
  if (to === undefined) return undefined
  for (let count = LOOK_BACK_OFFSETS; ; count *= 2) {
    const from = Math.max(log.start(raw, 0), to - count)
    let found: RawStart | undefined
    let isBelow = from === 0
    for await (const { value } of recordsOf(log, raw, 0, { from, to })) {
      const read = rawIn(value)
      if (read === undefined || (read.body.type !== 'frame' && read.body.type !== 'revert')) continue
      const { sequence, body } = read
      if (body.number <= number) [found, isBelow] = [undefined, true]
      else if (body.type === 'frame' && body.part === 0) found ??= { from: to, to, sequence, number: body.number, frame: body }
    }
    if (isBelow || from === log.start(raw, 0)) return found
  }
}

/** One past the last decoded raw record: from the decoder's owner, else from the newest frame of the tape. */
export const decodedTo = async (
  log: LogReader,
  { raw, tape }: Pick<Topics, 'raw' | 'tape'>,
  form: TapeForm,
  decoder: TaskOwner | undefined,
): Promise<number> => {
  if (decoder !== undefined) return committedOf(decoder, raw) ?? log.start(raw, 0)
  return offsetAfter(log, raw, await newestSequence(log, tape, form))
}

/** Offset of the first raw record with a higher sequence. */
export const offsetAfter = async (log: LogReader, raw: Raw, sequence: number): Promise<number> => {
  let [low, high] = [log.start(raw, 0), log.end(raw, 0)]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = await sequenceFrom(log, raw, middle)
    if (found === undefined || found > sequence) high = middle
    else low = middle + 1
  }
  return low
}

/** Sequence of the revert to a frame, within a range. */
export const revertTo = async (log: LogReader, raw: Raw, range: RawRange, number: number): Promise<number | undefined> => {
  for await (const { value } of recordsOf(log, raw, 0, range)) {
    const read = rawIn(value)
    if (read?.body.type === 'revert' && read.body.number === number) return read.sequence
  }
  return undefined
}

const committedOf = (decoder: TaskOwner, { name }: Raw): number | undefined => decoder.committed().get(`${name}/0`)

const rawIn = (value: Uint8Array | null): RawRecord | undefined => {
  const read = value === null ? undefined : rawRecordCodec.decode(value)
  return read?.ok === true ? read.value : undefined
}

/** Sequence of the first readable record from an offset on. */
const sequenceFrom = async (log: LogReader, raw: Raw, from: number): Promise<number | undefined> => {
  for (let offset = from; offset < log.end(raw, 0); ) {
    const [record] = await log.read(raw, 0, offset, { recordsMax: 1, bytesMax: 1 })
    if (record === undefined) return undefined
    const read = rawIn(record.value)
    if (read !== undefined) return read.sequence
    offset = record.offset + 1
  }
  return undefined
}

/** -1 if none of the newest records is readable. */
const newestSequence = async (log: LogReader, tape: Topics['tape'], { codec }: TapeForm): Promise<number> => {
  const from = Math.max(log.start(tape, 0), log.end(tape, 0) - LOOK_BACK_OFFSETS)
  let newest = -1
  for await (const record of recordsOf(log, tape, 0, { from })) newest = Math.max(newest, tapeRecordIn(codec, record)?.sequence ?? -1)
  return newest
}
