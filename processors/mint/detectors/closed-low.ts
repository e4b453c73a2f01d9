// curve_closed_low and migrate_below_grad: a SOL curve that ended without ever being witnessed at the level of graduation.
import { keyText } from '../../../schemas/keys.ts'
import type { CurveRow } from '../../../schemas/types.ts'
import { solOf } from '../card/amounts.ts'
import { notInSol } from '../card/nulls.ts'
import { GRADUATION_LAMPORTS } from '../thresholds.ts'
import type { Detector } from './detector.ts'
import { PEAK, peakOf } from './peak.ts'

const isLow = ({ quoteMint, peakQuoteUnits }: Readonly<CurveRow>): boolean => quoteMint === null && peakQuoteUnits < GRADUATION_LAMPORTS

/** Proven by the event of the peak and the completion. */
export const curveClosedLow: Detector = {
  id: 'curve-closed-low',
  version: 1,
  flag: 'curve_closed_low',
  bit: 16,
  firesWhen: `the curve completed without being witnessed at or above ${solOf(GRADUATION_LAMPORTS)} SOL`,
  thresholds: { peak_below_sol: solOf(GRADUATION_LAMPORTS) },
  evidence: { peak_rs: PEAK },
  headline: { is: 'peakSol', field: 'peak_rs' },
  notJudged: notInSol,
  find: ({ curve }) => (curve.completeAt !== 0 && isLow(curve) ? { peak_rs: solOf(curve.peakQuoteUnits) } : undefined),
  proof: peakOf,
}

/** Proven by the event of the peak and the migration. */
export const migrateBelowGrad: Detector = {
  id: 'migrate-below-grad',
  version: 1,
  flag: 'migrate_below_grad',
  bit: 32,
  firesWhen: `a pool was created for a curve never witnessed at or above ${solOf(GRADUATION_LAMPORTS)} SOL`,
  thresholds: { peak_below_sol: solOf(GRADUATION_LAMPORTS) },
  evidence: { peak_rs: PEAK, pool: { type: 'address', words: 'address of the pool' } },
  headline: { is: 'peakSol', field: 'peak_rs' },
  notJudged: notInSol,
  find: ({ curve }) =>
    curve.migratedAt !== 0 && curve.pool !== null && isLow(curve)
      ? { peak_rs: solOf(curve.peakQuoteUnits), pool: keyText(curve.pool) }
      : undefined,
  proof: peakOf,
}
