// Frames of the living branch out of a log's raw topic: what a recording of one's own log is made from.
import { rawRecordCodec } from '../../../schemas/codecs.ts'
import { EngineError, hasCode } from '../../../schemas/errors.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { RawFrame, RawRecord } from '../../../schemas/types.ts'
import type { LogReader, LogRecord } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'
import { LivingBranch } from './living-branch.ts'

type Raw = Topics['raw']
/** The newest records that are looked at first for a frame. */
const LOOK_BACK_OFFSETS = 256

/** A frame's slot, and unix seconds of the chain's clock, null where the frame does not say. */
export interface Stamp {
  readonly number: number
  readonly time: number | null
}
export interface Kept {
  readonly oldest: Stamp
  readonly newest: Stamp
}
/** Frames from `least` to `most`, both included, by slot or by the chain's clock. */
export interface Bound {
  readonly by: keyof Stamp
  readonly at: number
}
export interface Range {
  readonly from?: Bound
  readonly to?: Bound
}

/** The oldest and the newest frame on the log, whichever branch they are of; undefined where there is none. */
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
 * Frames of the range, and their parts, in the order of the chain. Left out is what a fork took back, and a frame whose first part is gone.
 * `seen` is told the share of the log that was read. @throws EngineError `offset_expired` when retention takes what is still to be read,
 * `undo_exhausted` for a fork that goes deeper than any chain's.
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
    throw new EngineError('offset_expired', 'retention took frames of the log before they were read: record again, with a later --from', {
      cause,
    })
  }
  await selection.end()
  yield* selection.selected()
}

/** Joins the parts of frames, follows the living branch, and keeps what is in the range. */
class Selection {
  readonly #range: Range
  readonly #branch = new LivingBranch(async (frame) => this.#living(frame))
  #parts: RawFrame[] = []
  #selected: RawFrame[] = []
  #time: number | null = null
  #isPast = false

  constructor(range: Range) {
    this.#range = range
  }
  /** True once a frame behind the range lives. */
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
 * An offset from which on every living frame of the range comes: just before a frame that is in it while the one before is not. Where
 * branches cross the bound several times, any of these places will do: what came before it was taken back.
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

/** The first frame from an offset on whose first part is there. */
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

/** Undefined for what is no raw record: the decoder made a dead letter of it. */
const bodyOf = ({ value }: LogRecord): RawRecord['body'] | undefined => {
  const read = value === null ? undefined : rawRecordCodec.decode(value)
  return read?.ok === true ? read.value.body : undefined
}
