// A chain's decoder as a processor: frames in, tape events out, with the one row that tells ticks and gaps.

import type { BadDataCode, Parsed } from '../../schemas/errors.ts'
import { type Signature, signatureText } from '../../schemas/keys.ts'
import { eventId, formatPosition, type Position } from '../../schemas/position.ts'
import type { ChainEvent } from '../../schemas/record-forms.ts'
import type { Chain, DeadLetter, FrameBody, RawFrame, TapeBatch, TipRow } from '../../schemas/types.ts'
import type { Context, FrameHeader, Processor } from '../contract.ts'
import type { TapeHeader } from '../tape.ts'

export type DecodeRows = { tip: TipRow }

/** What of a frame could not be understood. */
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
}

/** Of a frame's body, only what is counted of it. */
export interface CountedBody extends Pick<FrameBody, 'failedOthers' | 'transactionsTotal'> {
  readonly transactions: readonly { readonly failed: boolean }[]
  readonly transfers: readonly unknown[]
}

/** What a frame says of itself, without what happened in it. */
export type FrameHead = Omit<RawFrame, 'body'>

/** What the tape says of a frame beside its events. */
export type DecodedHeader = TapeHeader & FrameCounts

/** What the decoder says of a frame: its header once, then its events in order, and what it could not understand. */
export type DecodeOutput<Event = ChainEvent> =
  | { readonly type: 'header'; readonly header: DecodedHeader }
  | { readonly type: 'event'; readonly event: Event }
  | { readonly type: 'dead'; readonly letter: DeadLetter }

/** Of one gap. */
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
}

/**
 * The newest range of numbers, up to this frame, of which not everything was delivered. A frame that does not build on the one before
 * leaves a gap between them; one that holds only some transactions of its block is itself one, from the earliest frame on that it names as
 * lacking one. An importer's word closes both.
 */
export const gapAt = (tip: TipRow | undefined, frame: FrameHead): { gapFrom: number | null; gapTo: number | null; isNew: boolean } => {
  const known = { gapFrom: tip?.gapFrom ?? null, gapTo: tip?.gapTo ?? null, isNew: false }
  if (frame.vouched) return known
  const follows = tip === undefined || (frame.parentNumber === tip.number && (frame.parentHash === null || frame.parentHash === tip.hash))
  if (follows && frame.whole) return known
  const gapTo = frame.whole ? (frame.parentNumber ?? frame.number - 1) : frame.number
  const gapFrom = tip === undefined || follows ? gapTo : Math.min(tip.number + 1, gapTo)
  return { gapFrom: frame.whole ? gapFrom : Math.min(gapFrom, ...lateOf(frame)), gapTo, isNew: true }
}

/** Numbers of earlier frames that lack a transaction, as a later check found. */
const lateOf = ({ missing }: FrameHead): number[] => missing.flatMap(({ signature, from }) => (signature === null ? [] : [from]))

/** What the source said of these numbers, in short. */
const reasonOf = ({ missing }: FrameHead, from: number, to: number): string | null => {
  const reasons = missing.filter((one) => one.from <= to && one.to >= from).map(({ reason }) => reason)
  return [...new Set(reasons)].slice(0, REASONS_MAX).join('; ') || null
}

type Named = Pick<Processor<never, never, never>, 'name' | 'version' | 'make'>

const letterOf = ({ name, version }: Named, failure: FrameDeadLetter, hash8: string, n: number): DeadLetter => ({
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

/** Says what a frame held, and moves the tip. */
const tellAs =
  <Event>(by: Named) =>
  (
    ctx: Context<DecodeRows, DecodeOutput<Event>>,
    frame: FrameHead,
    header: FrameHeader,
    { events, deadLetters, ...counts }: DecodedFrame<Event>,
  ): void => {
    const { chain, number, hash8, sequence, final } = header
    const tip = ctx.read('tip')
    const { gapFrom, gapTo, isNew } = gapAt(tip, frame)
    const time = Math.max(tip?.time ?? 0, frame.blockTime ?? 0)
    const { vouched, placed } = frame
    ctx.emit({ type: 'header', header: { chain, number, hash8, sequence, time, final, gapFrom, gapTo, vouched, placed, ...counts } })
    for (const event of events) ctx.emit({ type: 'event', event })
    for (const [n, failure] of deadLetters.entries()) ctx.emit({ type: 'dead', letter: letterOf(by, failure, hash8, n) })
    const row = ctx.edit('tip', undefined, () => ({ ...FIRST_TIP }))
    Object.assign(row, { number, hash: frame.hash, time, gapFrom, gapTo })
    if (row.frames === 0) row.firstTime = time
    if (isNew) {
      row.gapUntil = time
      row.gapReason = reasonOf(frame, gapFrom ?? 0, gapTo ?? 0)
    }
    row.gaps += isNew ? 1 : 0
    row.frames += 1
    row.events += events.length
    row.deadLetters += deadLetters.length
  }

/** Of the rows of a decoder, what it may look at while it decodes. */
export type ReadRows<Rows extends DecodeRows> = Pick<Context<Rows, unknown>, 'read'>

/** Reads bytes of the chain's frames. Total: what cannot be understood is a dead letter or bad data, and never thrown. */
interface FrameReader<Event, Rows extends DecodeRows> {
  /** Events of a frame whose parts are joined. `rows`: what earlier frames left; absent for a frame on its own. */
  decode(frame: RawFrame, rows?: ReadRows<Rows>): DecodedFrame<Event>
  /** Less than `decode`, in less time. */
  count(frame: RawFrame): Parsed<CountedBody>
}

/** What a decoder keeps between frames beside the tip: called after each frame. `now`: its tick time, unix seconds. */
type Keep<Event, Rows extends DecodeRows> = (ctx: Context<Rows, DecodeOutput<Event>>, events: readonly Event[], now: number) => void

export interface Decoder<Event = ChainEvent, Rows extends DecodeRows = DecodeRows> extends FrameReader<Event, Rows> {
  /** Raw frames to tape events. The key is the chain: one order, one row. */
  readonly processor: Processor<Rows, RawFrame, DecodeOutput<Event>>
  /** What the processor does with a frame once it is decoded, for events that come from elsewhere. */
  tell(ctx: Context<Rows, DecodeOutput<Event>>, frame: FrameHead, header: FrameHeader, decoded: DecodedFrame<Event>): void
}

export const createDecoder = <Event = ChainEvent, Rows extends DecodeRows = DecodeRows>(
  by: Named,
  reader: FrameReader<Event, Rows>,
  keep?: Keep<Event, Rows>,
): Decoder<Event, Rows> => {
  const tellTip = tellAs<Event>(by)
  const tell: Decoder<Event, Rows>['tell'] = (ctx, frame, header, decoded) => {
    tellTip(ctx as Context<DecodeRows, DecodeOutput<Event>>, frame, header, decoded)
    keep?.(ctx, decoded.events, ctx.read('tip')?.time ?? 0)
  }
  return {
    ...reader,
    tell,
    processor: {
      ...by,
      sends: {},
      keyOf: (frame): Chain => frame.chain,
      apply: (ctx, frame, at) => tell(ctx, frame, at.header, reader.decode(frame, ctx)),
      onTime: () => {},
    },
  }
}
