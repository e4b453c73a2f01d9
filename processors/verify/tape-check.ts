// Checks a tape for completeness: frames by their parents, records by their decoder, trades by the reserves after them.
import { formatPosition, tickOf } from '../../schemas/position.ts'
import type { ChainEvent } from '../../schemas/record-forms.ts'
import type { RawFrame, TapeBatch } from '../../schemas/types.ts'
import type { ChainDefinition } from '../chains/chain.ts'
import type { TapeFinding } from './finding.ts'
import { FrameDecoding } from './frame-decoding.ts'
import type { ReserveCheck } from './reserve-check.ts'

interface Head {
  readonly number: number
  readonly hash: string
}

/** A frame of a tape, with the events that are checked. */
export type CheckedBatch = Pick<TapeBatch, 'type' | 'chain' | 'number' | 'gapFrom' | 'gapTo'> & { readonly events: readonly ChainEvent[] }

/** Checks frames or tape batches, oldest first. Frames that an importer vouched for count as complete. */
export class TapeCheck {
  readonly #decoding: FrameDecoding
  readonly #reserves: ReserveCheck
  #last: Head | undefined
  #gapTo: number | null = null
  #frames = 0
  #events = 0

  constructor({ decoder, reserves }: Pick<ChainDefinition, 'decoder' | 'reserves'>) {
    this.#decoding = new FrameDecoding(decoder)
    this.#reserves = reserves()
  }
  get counts() {
    return { frames: this.#frames, events: this.#events, ...this.#reserves.counts }
  }
  /** Trades by kind. */
  get kinds(): ReserveCheck['kinds'] {
    return this.#reserves.kinds
  }
  /** Checks a raw frame whose parts are joined. */
  frame(frame: RawFrame): readonly TapeFinding[] {
    const { events, deadLetters } = this.#decoding.decode(frame)
    const findings = [...this.#parent(frame), ...this.#whole(frame)]
    for (const { at, code, reason } of deadLetters)
      findings.push({ finding: 'unreadable', position: formatPosition(at), words: `${code}: ${reason}` })
    this.#last = { number: frame.number, hash: frame.hash }
    return [...findings, ...this.#follow(frame, events)]
  }
  /** Checks a frame of a tape: the gaps are those that the decoder found. */
  batch(tape: CheckedBatch): readonly TapeFinding[] {
    const findings: TapeFinding[] = [...this.#order(tape)]
    const { gapFrom, gapTo } = tape
    if (gapFrom !== null && gapTo !== null && gapTo !== this.#gapTo) findings.push(gapFinding(tape, gapFrom, gapTo))
    this.#gapTo = gapTo
    this.#last = { number: tape.number, hash: '' }
    return [...findings, ...this.#follow(tape, tape.events)]
  }

  #order({ chain, number }: Pick<RawFrame, 'chain' | 'number'>): TapeFinding[] {
    const last = this.#last
    if (last === undefined || number > last.number) return []
    return [{ finding: 'order', position: formatPosition(tickOf(chain, number)), words: `comes after ${last.number}` }]
  }
  #parent(frame: RawFrame): TapeFinding[] {
    const last = this.#last
    const disorder = this.#order(frame)
    if (last === undefined || frame.vouched || disorder.length > 0) return disorder
    const { parentNumber, parentHash } = frame
    if (parentNumber === last.number) {
      if (parentHash === null || parentHash === last.hash) return []
      const position = formatPosition(tickOf(frame.chain, frame.number))
      const words = `its parent is a different block ${last.number} than the frame before it`
      return [{ finding: 'fork', position, expected: [last.hash], found: [parentHash], words }]
    }
    const from = last.number + 1
    const to = Math.max(from, parentNumber ?? frame.number - 1)
    const reasons = frame.missing.filter((one) => one.signature === null && one.from <= to && one.to >= from).map(({ reason }) => reason)
    return [gapFinding(frame, from, to, reasons)]
  }
  #whole({ chain, number, whole, vouched, missing }: RawFrame): TapeFinding[] {
    if (whole || vouched) return []
    const position = formatPosition(tickOf(chain, number))
    const named = missing.flatMap(({ signature, reason, mints }) =>
      mints.map((mint): TapeFinding => ({ finding: 'partial', position, mint, words: `lacks transaction ${signature}: ${reason}` })),
    )
    const reasons = missing.filter(({ from, to }) => from === number && to === number).map(({ reason }) => `: ${reason}`)
    const from = Math.min(number, ...missing.flatMap((one) => (one.signature === null ? [] : [one.from])))
    const what = from < number ? `transactions of ${from} to ${number} are missing` : 'holds only some transactions of its block'
    return [{ finding: 'partial', position, words: `${what}${reasons[0] ?? ''}` }, ...named]
  }
  #follow({ chain, number }: Pick<RawFrame, 'chain' | 'number'>, events: readonly ChainEvent[]): TapeFinding[] {
    this.#frames++
    this.#events += events.length
    return events.flatMap((event) => this.#reserves.event(event, { chain, number, tx: event.tx, outer: event.outer, inner: event.inner }))
  }
}

const gapFinding = (
  { chain, number }: Pick<RawFrame, 'chain' | 'number'>,
  from: number,
  to: number,
  reasons: readonly string[] = [],
): TapeFinding => ({
  finding: 'gap',
  position: formatPosition(tickOf(chain, number)),
  from,
  to,
  words: ['frames before this one are missing', ...reasons].join(': '),
})
