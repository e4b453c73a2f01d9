// Reads the frames of the canonical branch from a log's raw topic, for recordings of the own log.
import { rawRecordCodec } from '../../../schemas/codecs.ts'
import { EngineError, hasCode } from '../../../schemas/errors.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { RawFrame, RawRecord } from '../../../schemas/types.ts'
import type { LogReader, LogRecord } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'
import { CanonicalBranch } from './canonical-branch.ts'

type Raw = Topics['raw']
/** Number of newest records searched first for a frame. */
const LOOK_BACK_OFFSETS = 256

/** A frame's slot, and its block time in unix seconds, null if the frame has none. */
export interface Stamp {
  readonly number: number
  readonly time: number | null
}
export interface Kept {
  readonly oldest: Stamp
  readonly newest: Stamp
}
/** An inclusive bound, by slot or by block time. */
export interface Bound {
  readonly by: keyof Stamp
  readonly at: number
}
export interface Range {
  readonly from?: Bound
  readonly to?: Bound
}

/** The oldest and the newest frame on the log, of any branch; undefined if there is none. */
export const keptFrames = async (log: LogReader, raw: Raw): Promise<Kept | undefined> => {
  const [start, end] = [log.start(raw, 0), log.end(raw, 0)]
  const oldest = await frameFrom(log, raw, start, end, () => true)
  if (oldest === undefined) return undefined
  for (let count = LOOK_BACK_OFFSETS; ; count *= 2) {
    const from = Math.max(start, end - count)
    let newest: Stamp | undefined
    for await (const record of recordsOf(log, raw, 0, { from, to: end })) {
      const body = bodyOf(record)
      if (body?.type === 'frame') newest = { number: body.number, time: body.blockTime ?? newest?.time ?? null }
    }
    if (newest !== undefined) return { oldest: stampOf(oldest.frame), newest }
    if (from === start) return { oldest: stampOf(oldest.frame), newest: stampOf(oldest.frame) }
  }
}

/**
 * Frames of the range in chain order; a frame of several parts as these parts. Excludes orphaned frames, and frames whose first part is
 * gone.
 * `seen` receives the share of the log read so far. @throws EngineError `offset_expired` if retention deletes records that are still to be
 * read, `undo_exhausted` for a fork deeper than any chain allows.
 */
export async function* framesOfLog(
  log: LogReader,
  raw: Raw,
  range: Range,
  seen: (share: number) => void = () => {},
): AsyncGenerator<RawFrame> {
  const end = log.end(raw, 0)
  const begin = range.from === undefined ? log.start(raw, 0) : await beginOf(log, raw, range.from, end)
  const selection = new Selection(range)
  try {
    for await (const record of recordsOf(log, raw, 0, { from: begin, to: end })) {
      const body = bodyOf(record)
      if (body !== undefined) await selection.take(body)
      seen((record.offset + 1 - begin) / (end - begin))
      yield* selection.selected()
      if (selection.isPast) return
    }
  } catch (cause) {
    if (!hasCode(cause, 'offset_expired')) throw cause
    throw new EngineError(
      'offset_expired',
      'retention deleted frames of the log before they were read: record again, with a later --from',
      {
        cause,
      },
    )
  }
  await selection.end()
  yield* selection.selected()
}

/** Joins the parts of frames, follows the canonical branch, and selects the range. */
class Selection {
  readonly #range: Range
  readonly #branch = new CanonicalBranch(async (frame) => this.#living(frame))
  #parts: RawFrame[] = []
  #selected: RawFrame[] = []
  #time: number | null = null
  #isPast = false

  constructor(range: Range) {
    this.#range = range
  }
  /** True once a frame after the range is canonical. */
  get isPast(): boolean {
    return this.#isPast
  }
  async take(body: RawRecord['body']): Promise<void> {
    if (body.type === 'finality') await this.#branch.finality(body)
    else if (body.type === 'frame') await this.#frame(body)
    else if (body.type === 'revert') {
      this.#parts = []
      this.#branch.revert(body)
    }
  }
  async end(): Promise<void> {
    await this.#branch.end()
  }
  selected(): readonly RawFrame[] {
    const selected = this.#selected
    this.#selected = []
    return selected
  }
  async #frame(part: RawFrame): Promise<void> {
    if (part.part === 0) this.#parts = []
    const [first] = this.#parts
    if (part.part !== this.#parts.length || (first !== undefined && first.hash !== part.hash)) return
    this.#parts.push(part)
    if (part.part === part.parts - 1) for (const one of this.#parts) await this.#branch.frame(one)
  }
  #living(frame: RawFrame): void {
    this.#time = frame.blockTime ?? this.#time
    const { from, to } = this.#range
    const isBefore = (bound: Bound): boolean => (this.#measure(frame, bound) ?? Number.NEGATIVE_INFINITY) < bound.at
    if (from !== undefined && isBefore(from)) return
    if (to !== undefined && !isBefore({ ...to, at: to.at + 1 })) this.#isPast = true
    if (!this.#isPast) this.#selected.push(frame)
  }
  #measure(frame: RawFrame, { by }: Bound): number | null {
    return by === 'number' ? frame.number : this.#time
  }
}

/**
 * An offset from which on the log has all canonical frames of the range: that of a frame in the range whose predecessor is outside. If
 * branches cross the bound several times, there are several such offsets, and any of them works: frames of the range before it were
 * rolled back.
 */
const beginOf = async (log: LogReader, raw: Raw, { by, at }: Bound, end: number): Promise<number> => {
  let [low, high] = [log.start(raw, 0), end]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = await frameFrom(log, raw, middle, high, (frame) => stampOf(frame)[by] !== null)
    if (found === undefined || (stampOf(found.frame)[by] as number) >= at) high = middle
    else low = found.offset + 1
  }
  return low
}

/** The first wanted frame between two offsets; frames whose first part is gone are skipped. */
const frameFrom = async (
  log: LogReader,
  raw: Raw,
  from: number,
  to: number,
  isWanted: (frame: RawFrame) => boolean,
): Promise<{ readonly frame: RawFrame; readonly offset: number } | undefined> => {
  for (let offset = from; offset < to; ) {
    const [record] = await log.read(raw, 0, offset, { recordsMax: 1, bytesMax: 1 })
    if (record === undefined || record.offset >= to) return undefined
    const body = bodyOf(record)
    if (body?.type === 'frame' && body.part === 0 && isWanted(body)) return { frame: body, offset: record.offset }
    offset = record.offset + 1
  }
  return undefined
}

const stampOf = ({ number, blockTime }: RawFrame): Stamp => ({ number, time: blockTime })

/** Undefined for an undecodable record: the decoder has made a dead letter of it. */
const bodyOf = ({ value }: LogRecord): RawRecord['body'] | undefined => {
  const read = value === null ? undefined : rawRecordCodec.decode(value)
  return read?.ok === true ? read.value.body : undefined
}
