// The decoder's rows as they were before the first retained raw frame. The tip has the position of the frame before, and the newest counts
// minus those of the frames since. The other rows stay as they are now: they include later launches, which has no effect before these.
import type { Topics } from '../../../schemas/topics.ts'
import type { Chain, TapeBatch, TipRow } from '../../../schemas/types.ts'
import { pageKey, parsePageKey, type StateType } from '../../engine/rows/state-type.ts'
import type { LogReader, OutRecord } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'
import type { CorrectedTape } from './corrected-tape.ts'
import type { RawStart } from './raw-range.ts'

/** What the canonical frames of a range added to the counts of the tip. */
interface Added {
  readonly frames: number
  readonly events: number
  readonly gaps: number
}
type Head = Pick<TapeBatch, 'number' | 'hash8' | 'time' | 'gapFrom' | 'gapTo'>

/** One partition of the tape from the first frame of a range on, and the newest frame before it that no fork rolled back. */
interface Span {
  readonly before: Head | undefined
  readonly first: Head | undefined
  readonly added: Added
}

/** Changelog and shape of a decoder's rows. */
interface DecoderRows {
  readonly topic: Topics['decodeChangelog']
  readonly state: StateType
}

/** The decoder's rows as changelog records; empty if it began with the first frame of the range. `deadLetters`: those of the range. */
export const seedOf = async (
  log: LogReader,
  chain: Chain,
  { topic, state }: DecoderRows,
  tape: CorrectedTape,
  range: RawStart,
  deadLetters: number,
): Promise<readonly OutRecord[]> => {
  const pages = await newestPages(log, topic)
  const first = pages.get(0)
  const rows = first && state.decode(first)
  const newest = (rows?.tip ?? undefined) as TipRow | undefined
  if (newest === undefined) return []
  const spans: Span[] = []
  for (let partition = 0; partition < tape.partitions; partition++) spans.push(await spanOf(tape, partition, range.sequence))
  const frames = newest.frames - Math.max(...spans.map(({ added }) => added.frames))
  const before = spans.find((span) => span.before !== undefined)?.before
  const begin = spans.find((span) => span.first !== undefined)?.first
  if (frames <= 0 || before === undefined) return []
  const tip: TipRow = {
    ...placeBefore(before, begin, range),
    ...{ gapUntil: newest.gapUntil, gapReason: newest.gapReason, firstTime: newest.firstTime, frames },
    gaps: newest.gaps - Math.max(...spans.map(({ added }) => added.gaps)),
    events: newest.events - spans.reduce((sum, { added }) => sum + added.events, 0),
    deadLetters: newest.deadLetters - deadLetters,
    // Counted from the range on: the tape of an older version does not tell them apart.
    ...{ missingEvents: 0, blindSince: null, callsUnseenAt: null, newLayouts: '' },
    vouchBroken: newest.vouchBroken && before.gapTo !== null,
  }
  pages.set(0, state.encode({ ...rows, tip }))
  return [...pages].map(([page, value]) => ({ topic, partition: 0, key: pageKey(chain, page), value }))
}

/** By page number: a decoder has one aggregate. */
const newestPages = async (log: LogReader, topic: DecoderRows['topic']): Promise<Map<number, Uint8Array>> => {
  const pages = new Map<number, Uint8Array>()
  for await (const { key, value } of recordsOf(log, topic, 0)) {
    const { page } = parsePageKey(key)
    if (value === null) pages.delete(page)
    else pages.set(page, value)
  }
  return pages
}

/**
 * The tip before the first frame. If there is no gap between the two, it is the parent of the first frame, which the tape may lack: frames
 * without events may be missing there. Otherwise it is the newest frame of the tape before the first one.
 */
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

/** At least so many frames before the range are kept: no fork is deeper. */
const HEADS_MAX = 10_000

/** Drops the frames behind the one that a fork goes back to. */
const dropAfter = (heads: Head[], number: number): void => {
  while ((heads.at(-1)?.number ?? -1) > number) heads.pop()
}

const spanOf = async (tape: CorrectedTape, partition: number, sequence: number): Promise<Span> => {
  const older: Head[] = []
  const canonical: (Head & { readonly events: number })[] = []
  let first: Head | undefined
  for await (const record of tape.records(partition, tape.start(partition))) {
    const entry = tape.recordIn(record)
    if (entry?.type === 'batch' && entry.sequence < sequence) {
      older.push(headOf(entry))
      if (older.length >= 2 * HEADS_MAX) older.splice(0, HEADS_MAX)
    } else if (entry?.type === 'batch') {
      first ??= headOf(entry)
      canonical.push({ ...headOf(entry), events: entry.events.length })
    } else if (entry?.type === 'revert') dropAfter(entry.sequence < sequence ? older : canonical, entry.number)
  }
  const before = older.at(-1)
  const gaps = canonical.filter((head, i) => !isSameGap(head, canonical[i - 1] ?? before ?? NO_GAP)).length
  const events = canonical.reduce((sum, head) => sum + head.events, 0)
  return { before, first, added: { frames: canonical.length, events, gaps } }
}

const NO_GAP: Head = { number: 0, hash8: '', time: 0, gapFrom: null, gapTo: null }
const headOf = ({ number, hash8, time, gapFrom, gapTo }: Head): Head => ({
  ...{ number, hash8, time },
  ...{ gapFrom, gapTo },
})
