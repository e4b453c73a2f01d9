// curve_closed_low and migrate_below_grad: a SOL curve that ended without ever being witnessed at the level of graduation.
import { keyText } from '../../../schemas/keys.ts'
import type { CurveRow } from '../../../schemas/types.ts'
import { solOf } from '../card/amounts.ts'
import { notInSol } from '../card/nulls.ts'
import { GRADUATION_LAMPORTS } from '../thresholds.ts'
import type { Detector } from './detector.ts'
import { PEAK, peakOf } from './peak.ts'

type Low = Detector<{ graduationLamports: number }>
const settings = { graduationLamports: GRADUATION_LAMPORTS }
const isLow = ({ quoteMint, peakQuoteUnits }: Readonly<CurveRow>, lamports: number): boolean =>
  quoteMint === null && peakQuoteUnits < lamports

/** Proven by the event of the peak and the completion. */
export const curveClosedLow: Low = {
  id: 'curve-closed-low',
  version: 1,
  tier: 'active',
  flag: 'curve_closed_low',
  bit: 16,
  firesWhen: `the curve completed without being witnessed at or above ${solOf(GRADUATION_LAMPORTS)} SOL`,
  evidence: { peak_rs: PEAK },
  headline: { is: 'peakSol', field: 'peak_rs' },
  settings,
  notJudged: notInSol,
  find: ({ curve }, { graduationLamports }) =>
    curve.completeAt !== 0 && isLow(curve, graduationLamports) ? { peak_rs: solOf(curve.peakQuoteUnits) } : undefined,
  proof: peakOf,
}

/** Proven by the event of the peak and the migration. */
export const migrateBelowGrad: Low = {
  id: 'migrate-below-grad',
  version: 1,
  tier: 'active',
  flag: 'migrate_below_grad',
  bit: 32,
  firesWhen: `a pool was created for a curve never witnessed at or above ${solOf(GRADUATION_LAMPORTS)} SOL`,
  evidence: { peak_rs: PEAK, pool: { type: 'address', words: 'address of the pool' } },
  headline: { is: 'peakSol', field: 'peak_rs' },
  settings,
  notJudged: notInSol,
  find: ({ curve }, { graduationLamports }) =>
    curve.migratedAt !== 0 && curve.pool !== null && isLow(curve, graduationLamports)
      ? { peak_rs: solOf(curve.peakQuoteUnits), pool: keyText(curve.pool) }
      : undefined,
  proof: peakOf,
}
