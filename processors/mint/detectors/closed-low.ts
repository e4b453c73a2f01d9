// curve_closed_low and migrate_below_grad: a SOL curve that ended without ever being witnessed at the level of graduation.
import { toBase58 } from '../../../schemas/keys.ts'
import type { CurveRow } from '../../../schemas/types.ts'
import { solOf } from '../amounts.ts'
import { BIT_CURVE_CLOSED_LOW, BIT_MIGRATE_BELOW_GRAD } from '../rows.ts'
import { GRADUATION_LAMPORTS } from '../thresholds.ts'
import type { Detector, DetectorRows, ProofEvent } from './detector.ts'

const isLow = ({ quoteMint, peakQuoteUnits }: Readonly<CurveRow>): boolean => quoteMint === null && peakQuoteUnits < GRADUATION_LAMPORTS

/** The event of the peak; the launch where nobody ever traded. */
const peakOf = ({ launch, curve }: DetectorRows): readonly ProofEvent[] =>
  curve.peakNumber === -1
    ? [launch]
    : [{ number: curve.peakNumber, tx: curve.peakTx, outer: curve.peakOuter, inner: curve.peakInner, hash8: curve.peakHash8 }]

/** Evidence {peak_rs}, SOL. Proven by the event of the peak and the completion. */
export const curveClosedLow: Detector = {
  id: 'curve-closed-low',
  version: 1,
  flag: 'curve_closed_low',
  bit: BIT_CURVE_CLOSED_LOW,
  find: ({ curve }) => (curve.completeAt !== 0 && isLow(curve) ? { peak_rs: solOf(curve.peakQuoteUnits) } : undefined),
  proof: peakOf,
}

/** Evidence {peak_rs: SOL, pool: address}. Proven by the event of the peak and the migration. */
export const migrateBelowGrad: Detector = {
  id: 'migrate-below-grad',
  version: 1,
  flag: 'migrate_below_grad',
  bit: BIT_MIGRATE_BELOW_GRAD,
  find: ({ curve }) =>
    curve.migratedAt !== 0 && curve.pool !== null && isLow(curve)
      ? { peak_rs: solOf(curve.peakQuoteUnits), pool: toBase58(curve.pool) }
      : undefined,
  proof: peakOf,
}
