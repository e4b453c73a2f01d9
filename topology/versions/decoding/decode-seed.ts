// The row a decoder would have had before the first raw frame that is still kept: its newest row less what the frames since then added.
import type { Topics } from '../../../schemas/topics.ts'
import type { Chain, TapeBatch, TipRow } from '../../../schemas/types.ts'
import { emptyPage, pageKey, type StateType } from '../../engine/rows/state-type.ts'
import type { LogReader, OutRecord } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'
import type { CorrectedTape } from './corrected-tape.ts'
import type { RawStart } from './raw-range.ts'

/** What living frames of a range added to the row. */
interface Added {
  readonly frames: number
  readonly events: number
  readonly gaps: number
}
type Head = Pick<TapeBatch, 'number' | 'hash8' | 'time' | 'gapFrom' | 'gapTo'>

/** One partition of the tape from the first frame of a range on, and the newest frame before it. */
interface Span {
  readonly before: Head | undefined
  readonly first: Head | undefined
  readonly added: Added
}

/** Where a decoder keeps its rows, and how. */
interface DecoderRows {
  readonly topic: Topics['decodeChangelog']
  readonly state: StateType
}

/** The decoder's row as a record of its changelog; undefined where it began with the first frame of the range. `letters`: of the range. */
export const seedOf = async (
  log: LogReader,
  chain: Chain,
  { topic, state }: DecoderRows,
  tape: CorrectedTape,
  range: RawStart,
  letters: number,
): Promise<OutRecord | undefined> => {
  const newest = await newestTip(log, { topic, state })
  if (newest === undefined) return undefined
  const spans: Span[] = []
  for (let partition = 0; partition < tape.partitions; partition++) spans.push(await spanOf(tape, partition, range.sequence))
  const frames = newest.frames - Math.max(...spans.map(({ added }) => added.frames))
  const before = spans.find((span) => span.before !== undefined)?.before
  const first = spans.find((span) => span.first !== undefined)?.first
  if (frames <= 0 || before === undefined) return undefined
  const tip: TipRow = {
    ...placeBefore(before, first, range),
    ...{ gapUntil: newest.gapUntil, gapReason: newest.gapReason, firstTime: newest.firstTime, frames },
    gaps: newest.gaps - Math.max(...spans.map(({ added }) => added.gaps)),
    events: newest.events - spans.reduce((sum, { added }) => sum + added.events, 0),
    deadLetters: newest.deadLetters - letters,
  }
  const value = state.encode({ ...emptyPage(state.kinds), tip })
  return { topic, partition: 0, key: pageKey(chain, 0), value }
}

const newestTip = async (log: LogReader, { topic, state }: DecoderRows): Promise<TipRow | undefined> => {
  let tip: TipRow | undefined
  for await (const { value } of recordsOf(log, topic, 0)) if (value !== null) tip = (state.decode(value).tip as TipRow | null) ?? undefined
  return tip
}

/** Quiet frames may have left nothing on the tape: where the first frame showed no gap, it followed the one before it. */
const placeBefore = (
  before: Head,
  first: Head | undefined,
  { frame }: RawStart,
): Pick<TipRow, 'number' | 'hash' | 'time' | 'gapFrom' | 'gapTo'> => {
  const { gapFrom, gapTo } = before
  const time = first !== undefined && (frame.blockTime ?? 0) < first.time ? first.time : before.time
  const follows = first !== undefined && (isSameGap(first, before) || first.gapFrom === first.number)
  const place = follows
    ? { number: frame.parentNumber ?? before.number, hash: frame.parentHash ?? before.hash8 }
    : { number: before.number, hash: before.hash8 }
  return { ...place, time, gapFrom, gapTo }
}

const isSameGap = (a: Head, b: Head): boolean => a.gapFrom === b.gapFrom && a.gapTo === b.gapTo

const spanOf = async (tape: CorrectedTape, partition: number, sequence: number): Promise<Span> => {
  let before: Head | undefined
  const living: (Head & { readonly events: number })[] = []
  let first: Head | undefined
  for await (const record of tape.records(partition, tape.start(partition))) {
    const said = tape.recordIn(record)
    if (said?.type === 'batch' && said.sequence < sequence) before = headOf(said)
    else if (said?.type === 'batch') {
      first ??= headOf(said)
      living.push({ ...headOf(said), events: said.events.length })
    } else if (said?.type === 'revert' && said.sequence > sequence)
      while (living.length > 0 && !(living.at(-1)?.number === said.number && living.at(-1)?.hash8 === said.hash8)) living.pop()
  }
  const gaps = living.filter((head, i) => !isSameGap(head, living[i - 1] ?? before ?? NO_GAP)).length
  const events = living.reduce((sum, head) => sum + head.events, 0)
  return { before, first, added: { frames: living.length, events, gaps } }
}

const NO_GAP: Head = { number: 0, hash8: '', time: 0, gapFrom: null, gapTo: null }
const headOf = ({ number, hash8, time, gapFrom, gapTo }: Head): Head => ({
  ...{ number, hash8, time },
  ...{ gapFrom, gapTo },
})
