// The peak of a SOL curve, in the evidence of several detectors.
import type { DetectorRows, EvidenceField, ProofEvent } from './detector.ts'

export const PEAK: EvidenceField = { type: 'amount', unit: 'SOL', words: 'highest real reserve of the curve before migration' }

/** The event of the peak; the launch where there was no trade. */
export const peakOf = ({ launch, curve }: DetectorRows): readonly ProofEvent[] =>
  curve.peakNumber === -1
    ? [launch]
    : [{ number: curve.peakNumber, tx: curve.peakTx, outer: curve.peakOuter, inner: curve.peakInner, hash8: curve.peakHash8 }]
