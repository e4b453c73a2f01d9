// Runs a chain's decoder as a processor: frames in, tape events out. Its row `tip` tracks ticks and gaps; a chain may add rows.

import type { BadDataCode, Parsed } from '../../schemas/errors.ts'
import { type Signature, signatureText } from '../../schemas/keys.ts'
import { eventId, formatPosition, type Position } from '../../schemas/position.ts'
import type { ChainEvent } from '../../schemas/record-forms.ts'
import type { Chain, DeadLetter, FrameBody, RawFrame, TapeBatch, TipRow } from '../../schemas/types.ts'
import type { Context, FrameHeader, Processor } from '../contract.ts'
import type { TapeHeader } from '../tape.ts'

export type DecodeRows = { tip: TipRow }

/** A part of a frame that could not be decoded. */
export interface FrameDeadLetter {
  readonly at: Position
  readonly code: BadDataCode
  readonly reason: string
  readonly signature: Signature | null
  readonly bytes: Uint8Array
}

/** How many transactions of the launchpad a frame has, and how many of them failed. */
export type FrameCounts = Pick<TapeBatch, 'launchpadTransactions' | 'launchpadFailed'>

export interface DecodedFrame<Event = ChainEvent> extends FrameCounts {
  /** In position order. */
  readonly events: Event[]
  readonly deadLetters: FrameDeadLetter[]
  /** Why events of the frame are missing of which no key can be told: the frame then counts as not whole. Absent: none are. */
  incomplete?: string
  /** Absent: the chain's source states everything. */
  readonly record?: FrameRecord
}

/** What the node's record of a frame has and lacks. */
export interface FrameRecord {
  /** Events of calls of the launchpad. */
  emitted: number
  /** Calls without the event that they always emit. */
  missing: number
  /** Transactions whose inner calls were not recorded, and whose log was. */
  logsOnly: number
  /** Unknown bytes behind the newest known layout, by event. */
  readonly appended: Map<string, number>
}

/** An event whose layout grew: its name, the number of unknown bytes, and the first slot or block with them. */
export type NewLayout = readonly [event: string, bytes: number, first: number]
/** The lists in `TipRow.newLayouts`. */
export const newLayoutsOf = ({ newLayouts }: Pick<TipRow, 'newLayouts'>): readonly NewLayout[] =>
  newLayouts === '' ? [] : (JSON.parse(newLayouts) as NewLayout[])
/** Programs append fields a few times a year. */
const NEW_LAYOUTS_MAX = 64

const noteRecord = (row: TipRow, { emitted, missing, logsOnly, appended }: FrameRecord): void => {
  row.missingEvents += missing
  if (emitted > 0) row.blindSince = null
  else if (missing > 0) row.blindSince ??= row.time
  if (logsOnly > 0) row.callsUnseenAt = row.time
  if (appended.size === 0) return
  const known = newLayoutsOf(row)
  const grown = [...appended].filter(([event, bytes]) => !known.some((one) => one[0] === event && one[1] === bytes))
  if (grown.length === 0 || known.length >= NEW_LAYOUTS_MAX) return
  row.newLayouts = JSON.stringify([...known, ...grown.map(([event, bytes]): NewLayout => [event, bytes, row.number])])
}

/** The parts of a frame's body that are counted. */
export interface CountedBody extends Pick<FrameBody, 'failedOthers' | 'transactionsTotal'> {
  readonly transactions: readonly { readonly failed: boolean }[]
  readonly transfers: readonly unknown[]
}

/** A frame without its body. */
export type FrameHead = Omit<RawFrame, 'body'>

/** The tape's header of a frame. */
export type DecodedHeader = TapeHeader & FrameCounts

/** The decoder's output for a frame: its header once, then its events in order, and its dead letters. */
export type DecodeOutput<Event = ChainEvent> =
  | { readonly type: 'header'; readonly header: DecodedHeader }
  | { readonly type: 'event'; readonly event: Event }
  | { readonly type: 'dead'; readonly deadLetter: DeadLetter }

/** Maximum number of reasons in the text of one gap. */
const REASONS_MAX = 3

const FIRST_TIP: TipRow = {
  number: 0,
  hash: '',
  time: 0,
  gapFrom: null,
  gapTo: null,
  gapUntil: null,
  gapReason: null,
  firstTime: 0,
  gaps: 0,
  frames: 0,
  events: 0,
  deadLetters: 0,
  missingEvents: 0,
  blindSince: null,
  callsUnseenAt: null,
  vouchBroken: false,
  newLayouts: '',
}

/**
 * The newest gap: a range of numbers, up to this frame, that was not completely delivered. `isNew`: this frame opens it, because
 * - its parent is not the previous frame: the gap is between the two; or
 * - it is not `whole`: the gap ends with this frame, and begins at the earliest frame in which this one reports a missing transaction.
 * A frame that the importer vouches for opens no gap. Once one lacks something, later ones are folded as unvouched ones after its gap.
 */
export const gapAt = (tip: TipRow | undefined, frame: FrameHead): { gapFrom: number | null; gapTo: number | null; isNew: boolean } => {
  const known = { gapFrom: tip?.gapFrom ?? null, gapTo: tip?.gapTo ?? null, isNew: false }
  if (frame.vouched) return known
  const follows = tip === undefined || (frame.parentNumber === tip.number && (frame.parentHash === null || frame.parentHash === tip.hash))
  if (follows && frame.whole) return known
  const gapTo = frame.whole ? (frame.parentNumber ?? frame.number - 1) : frame.number
  const gapFrom = tip === undefined || follows ? gapTo : Math.min(tip.number + 1, gapTo)
  return { gapFrom: frame.whole ? gapFrom : Math.min(gapFrom, ...incompleteFrames(frame)), gapTo, isNew: true }
}

/** Numbers of the frames whose missing transactions this frame reports: a cross-check may find one after its frame was sent. */
const incompleteFrames = ({ missing }: FrameHead): number[] => missing.flatMap(({ signature, from }) => (signature === null ? [] : [from]))

/** The source's reasons for missing data in this range of numbers, at most REASONS_MAX. */
const reasonOf = ({ missing }: FrameHead, from: number, to: number): string | null => {
  const reasons = missing.filter((one) => one.from <= to && one.to >= from).map(({ reason }) => reason)
  return [...new Set(reasons)].slice(0, REASONS_MAX).join('; ') || null
}

/** The fields of the decoder's processor that identify it. */
type DecoderIdentity = Pick<Processor<never, never, never>, 'name' | 'version' | 'make'>

const deadLetterOf = ({ name, version }: DecoderIdentity, failure: FrameDeadLetter, hash8: string, n: number): DeadLetter => ({
  id: `${eventId(failure.at, hash8)}:${name}:${n}`,
  position: formatPosition(failure.at),
  hash8,
  processor: name,
  version,
  code: failure.code,
  reason: failure.reason,
  signature: failure.signature === null ? null : signatureText(failure.signature),
  bytes: failure.bytes,
  withdrawn: null,
  revision: 0,
})

/** The frame as not whole, whatever its source or importer states. */
const withReason = (frame: FrameHead, reason: string): FrameHead => {
  const missing = { from: frame.number, to: frame.number, reason, signature: null, mints: [] }
  return { ...frame, whole: false, vouched: false, missing: [...frame.missing, missing] }
}

/** Emits a frame's header, events and dead letters, and updates the row of the tip. */
const emitAs =
  <Event>(identity: DecoderIdentity) =>
  (
    ctx: Context<DecodeRows, DecodeOutput<Event>>,
    given: FrameHead,
    header: FrameHeader,
    { events, deadLetters, incomplete, record, ...counts }: DecodedFrame<Event>,
  ): void => {
    const { chain, number, hash8, sequence, final } = header
    const frame = incomplete === undefined ? given : withReason(given, incomplete)
    const tip = ctx.read('tip')
    const { gapFrom, gapTo, isNew } = gapAt(tip, frame)
    const time = Math.max(tip?.time ?? 0, frame.blockTime ?? 0)
    const isBroken = tip?.vouchBroken === true || (given.vouched && !frame.vouched)
    const { placed } = frame
    const vouched = frame.vouched && !isBroken
    ctx.emit({ type: 'header', header: { chain, number, hash8, sequence, time, final, gapFrom, gapTo, vouched, placed, ...counts } })
    for (const event of events) ctx.emit({ type: 'event', event })
    for (const [n, failure] of deadLetters.entries()) ctx.emit({ type: 'dead', deadLetter: deadLetterOf(identity, failure, hash8, n) })
    const row = ctx.edit('tip', undefined, () => ({ ...FIRST_TIP }))
    Object.assign(row, { number, hash: frame.hash, time, gapFrom, gapTo, vouchBroken: isBroken })
    if (row.frames === 0) row.firstTime = time
    if (isNew) {
      row.gapUntil = time
      row.gapReason = reasonOf(frame, gapFrom ?? 0, gapTo ?? 0)
    }
    row.gaps += isNew ? 1 : 0
    row.frames += 1
    row.events += events.length
    row.deadLetters += deadLetters.length
    if (record !== undefined) noteRecord(row, record)
  }

/** The decoder's rows, read-only while it decodes. */
export type ReadRows<Rows extends DecodeRows> = Pick<Context<Rows, unknown>, 'read'>

/** Parses the bytes of the chain's frames. Total: anything that cannot be parsed becomes a dead letter or bad data; it never throws. */
interface FrameReader<Event, Rows extends DecodeRows> {
  /** Events of a frame whose parts are joined. `rows`: state after earlier frames; absent where a frame is decoded on its own. */
  decode(frame: RawFrame, rows?: ReadRows<Rows>): DecodedFrame<Event>
  /** Only the counts, faster than `decode`. */
  count(frame: RawFrame): Parsed<CountedBody>
}

/** Updates the decoder's rows other than the tip: called after each frame. `now`: its tick time, unix seconds. */
type UpdateRows<Event, Rows extends DecodeRows> = (ctx: Context<Rows, DecodeOutput<Event>>, events: readonly Event[], now: number) => void

export interface Decoder<Event = ChainEvent, Rows extends DecodeRows = DecodeRows> extends FrameReader<Event, Rows> {
  /** Raw frames to tape events. The key is the chain: one total order. */
  readonly processor: Processor<Rows, RawFrame, DecodeOutput<Event>>
  /** Emits a frame that the caller has decoded. */
  emit(ctx: Context<Rows, DecodeOutput<Event>>, frame: FrameHead, header: FrameHeader, decoded: DecodedFrame<Event>): void
}

export const createDecoder = <Event = ChainEvent, Rows extends DecodeRows = DecodeRows>(
  identity: DecoderIdentity,
  reader: FrameReader<Event, Rows>,
  updateRows?: UpdateRows<Event, Rows>,
): Decoder<Event, Rows> => {
  const emitFrame = emitAs<Event>(identity)
  const emit: Decoder<Event, Rows>['emit'] = (ctx, frame, header, decoded) => {
    emitFrame(ctx as Context<DecodeRows, DecodeOutput<Event>>, frame, header, decoded)
    updateRows?.(ctx, decoded.events, ctx.read('tip')?.time ?? 0)
  }
  return {
    ...reader,
    emit,
    processor: {
      ...identity,
      sends: {},
      keyOf: (frame): Chain => frame.chain,
      apply: (ctx, frame, at) => emit(ctx, frame, at.header, reader.decode(frame, ctx)),
      onTime: () => {},
    },
  }
}
