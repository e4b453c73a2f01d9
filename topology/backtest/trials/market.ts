// The backtest's interface to the rows of a chain's detectors.
import type { CurveRowsSeen } from '../../../processors/curve/detectors/detector.ts'
import type { DetectorRows } from '../../../processors/mint/detectors/detector.ts'
import type { Amount } from '../../../schemas/amount.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { Position } from '../../../schemas/position.ts'
import type { ChainEvent } from '../../../schemas/record-forms.ts'
import type { AltTapeEvent, TapeEvent } from '../../../schemas/types.ts'

/** Reserves of a curve after an event: a constant product, base units. */
export interface Reserves {
  readonly virtualQuoteUnits: Amount
  readonly virtualTokenUnits: Amount
  readonly realTokenUnits: Amount
}

/** Rows that every detector of a chain gets. */
export interface SeenRows {
  readonly launch: { readonly at: number }
  readonly position: Position
}

/** A launch on the tape; `curve` identifies its rows. */
interface Opened {
  readonly mint: Key
  readonly curve: Key
  readonly creator: Key
}

export interface Market<Rows extends SeenRows> {
  openedBy(event: ChainEvent): Opened | undefined
  curveOf(rows: Rows): Key
  /** Unix seconds of the newest event. */
  secondOf(rows: Rows): number
  peakOf(rows: Rows): Amount
  /** Null if the curve takes no trades, or its quote is not that of the profit column's buyer. */
  reservesOf(rows: Rows): Reserves | null
}

export const MINTS: Market<DetectorRows> = {
  openedBy: (event) => {
    const { type } = event as TapeEvent
    if (type !== 'launch') return undefined
    const { mint, bondingCurve: curve, creator } = event as Extract<TapeEvent, { type: 'launch' }>
    return { mint, curve, creator }
  },
  curveOf: ({ launch }) => launch.bondingCurve,
  secondOf: ({ curve }) => curve.lastAt,
  peakOf: ({ curve }) => curve.peakQuoteUnits,
  reservesOf: ({ curve }) => {
    const { virtualQuoteUnits, virtualTokenUnits, realTokenUnits, completeAt, migratedAt, quoteMint } = curve
    const isUsable = completeAt === 0 && migratedAt === 0 && quoteMint === null && virtualQuoteUnits > 0 && virtualTokenUnits > 0
    return isUsable ? { virtualQuoteUnits, virtualTokenUnits, realTokenUnits } : null
  },
}

export const CURVES: Market<CurveRowsSeen> = {
  openedBy: (event) => {
    const { type } = event as AltTapeEvent
    if (type !== 'launch') return undefined
    const { mint, bondingCurve: curve, creator } = event as Extract<AltTapeEvent, { type: 'launch' }>
    return { mint, curve, creator }
  },
  curveOf: ({ launch }) => launch.curve,
  secondOf: ({ figures }) => figures.lastAt,
  peakOf: ({ figures }) => figures.peakQuoteUnits,
  reservesOf: () => null,
}
