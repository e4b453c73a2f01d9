// curve_drained: an open SOL curve that had at least 1 SOL is down to a fifth of its peak.
import { solOf } from '../card/amounts.ts'
import { notInSol } from '../card/nulls.ts'
import { isAtMostPercent } from '../fold/reserves.ts'
import { isOpen } from '../rows.ts'
import { DRAINED_PEAK_LAMPORTS, DRAINED_PERCENT } from '../thresholds.ts'
import type { Detector } from './detector.ts'
import { PEAK, peakOf } from './peak.ts'

/** Proven by the event of the peak and the causing one. */
export const curveDrained: Detector = {
  id: 'curve-drained',
  version: 1,
  flag: 'curve_drained',
  bit: 4,
  firesWhen: `the curve is open, its peak was at least ${solOf(DRAINED_PEAK_LAMPORTS)} SOL, and its real SOL is at most ${DRAINED_PERCENT} % of the peak`,
  thresholds: { peak_min_sol: solOf(DRAINED_PEAK_LAMPORTS), rest_max_share: DRAINED_PERCENT / 100 },
  evidence: { peak_rs: PEAK, rs: { type: 'amount', unit: 'SOL', words: 'real reserve of the curve when the flag fired' } },
  headline: { is: 'loss', before: 'peak_rs', after: 'rs' },
  notJudged: notInSol,
  find: ({ curve }) => {
    if (curve.quoteMint !== null || curve.peakQuoteUnits < DRAINED_PEAK_LAMPORTS || curve.realQuoteUnits < 0 || !isOpen(curve))
      return undefined
    if (!isAtMostPercent(curve.realQuoteUnits, curve.peakQuoteUnits, DRAINED_PERCENT)) return undefined
    return { peak_rs: solOf(curve.peakQuoteUnits), rs: solOf(curve.realQuoteUnits) }
  },
  proof: peakOf,
}
