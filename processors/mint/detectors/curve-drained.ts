// curve_drained: an open SOL curve that had at least 1 SOL is down to a fifth of its peak.
import { solOf } from '../amounts.ts'
import { isAtMostPercent } from '../reserves.ts'
import { BIT_CURVE_DRAINED, isOpen } from '../rows.ts'
import { DRAINED_PEAK_LAMPORTS, DRAINED_PERCENT } from '../thresholds.ts'
import type { Detector } from './detector.ts'

/** Evidence {peak_rs, rs}, SOL. Proven by the event of the peak and the causing one. */
export const curveDrained: Detector = {
  id: 'curve-drained',
  version: 1,
  flag: 'curve_drained',
  bit: BIT_CURVE_DRAINED,
  find: ({ curve }) => {
    if (curve.quoteMint !== null || curve.peakQuoteUnits < DRAINED_PEAK_LAMPORTS || curve.realQuoteUnits < 0 || !isOpen(curve))
      return undefined
    if (!isAtMostPercent(curve.realQuoteUnits, curve.peakQuoteUnits, DRAINED_PERCENT)) return undefined
    return { peak_rs: solOf(curve.peakQuoteUnits), rs: solOf(curve.realQuoteUnits) }
  },
  proof: ({ curve }) => [
    { number: curve.peakNumber, tx: curve.peakTx, outer: curve.peakOuter, inner: curve.peakInner, hash8: curve.peakHash8 },
  ],
}
