// The moment of a card, and the coverage of its mint at that moment.
import type { CurveRow, MintState } from '../../../schemas/types.ts'
import { GAP_BROKEN, isWatched } from '../rows.ts'
import { CONFIDENT_LAG_S, CONFIDENT_TRADES, MEDIUM_LAG_S, MEDIUM_TRADES, SILENT_S } from '../thresholds.ts'

/** The time of a card and the newest gap then: functions of the tape, so replay equals live. */
export interface Moment {
  /** Unix seconds; fractions are dropped. */
  readonly asOf: number
  /** First and last number of the newest capture gap so far. */
  readonly gap: { readonly from: number; readonly to: number } | null
}

/** `reason` is null for full coverage; `gap` is the range of slots that makes a mint thin. */
export interface Coverage {
  readonly coverage: 'full' | 'thin'
  readonly reason: string | null
  readonly gap: { readonly from: number; readonly to: number } | null
}

/** Rows alone cannot tell which of these applies: once its stub has expired, a forgotten launch has only a record in the history. */
const LAUNCH_NOT_HELD =
  'its launch is not stored: capture began later, the launch is in a gap, or its rows were removed after a long silence'

const thin = (reason: string): Coverage => ({ coverage: 'thin', reason, gap: null })
const overGap = (from: number, to: number): Coverage => ({
  coverage: 'thin',
  reason: `gap: slots ${from} to ${to} were not delivered, trades of this mint may be missing`,
  gap: { from, to },
})

const withoutEvent = ({ gapFrom, gapNumber, gapCall }: CurveRow): Coverage => ({
  coverage: 'thin',
  reason: `event missing: ${gapCall} in slot ${gapFrom} has no event in the record of the node, trades of this mint may be missing`,
  gap: { from: gapFrom, to: gapNumber },
})

const withoutTrades = ({ gapFrom, gapNumber }: CurveRow): Coverage => ({
  coverage: 'thin',
  reason: `reserves: a trade in slot ${gapNumber} does not follow from the reserves in slot ${gapFrom}, trades between them are missing or out of order`,
  gap: { from: gapFrom, to: gapNumber },
})

/** Full: the launch was witnessed, no trade can be missing after a gap, and the mint had an event in the last 2 h. */
export const coverageOf = ({ launch, curve, stub }: Pick<MintState, 'launch' | 'curve' | 'stub'>, moment: Moment): Coverage => {
  if (curve === null && stub === null) return thin('not observed: no event of this mint was seen')
  if (stub !== null) return thin(`forgotten: ${stub.reason}; its conclusions are kept`)
  if (curve !== null && curve.gapCall !== null && !isWatched(curve)) return withoutEvent(curve)
  if (launch === null || curve === null) return thin(LAUNCH_NOT_HELD)
  if (!launch.placed) return thin('the slot of the launch is not known')
  if (curve.gapTrades === GAP_BROKEN) return withoutTrades(curve)
  if (!isWatched(curve)) return overGap(curve.gapFrom, curve.gapNumber)
  if (moment.gap !== null && !launch.vouched && moment.gap.to >= curve.lastNumber) return overGap(moment.gap.from, moment.gap.to)
  if (Math.floor(moment.asOf) - curve.lastAt > SILENT_S) return thin(`silent: no event for more than ${SILENT_S / 3_600} h`)
  return { coverage: 'full', reason: null, gap: null }
}

/** How much data a label is based on, not how accurate it is. `feedLagS` is null before the first frame. */
export const confidenceOf = (coverage: 'full' | 'thin', trades: number, feedLagS: number | null): 'high' | 'medium' | 'low' => {
  if (coverage === 'thin' || feedLagS === null || feedLagS >= MEDIUM_LAG_S || trades < MEDIUM_TRADES) return 'low'
  return trades >= CONFIDENT_TRADES && feedLagS < CONFIDENT_LAG_S ? 'high' : 'medium'
}
