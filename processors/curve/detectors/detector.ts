// The interface of a detector of curves: a pure function of rows, published like detectors of mints.
import type { DetectorFacts, Evidence, ProofEvent, Settings } from '../../mint/detectors/detector.ts'
import type { CurveRowsView } from '../rows.ts'

/** The input of a detector. */
export interface CurveRowsSeen extends Omit<CurveRowsView, 'figures'> {
  readonly figures: Readonly<CurveRowsView['figures']>
}

/** A detector of curves: fires once per curve. */
export interface CurveDetector<Set extends Settings = Settings> extends DetectorFacts {
  readonly settings: Set
  /** Why curves like this one are not judged. Absent: every curve is judged. */
  notJudged?(launch: CurveRowsView['launch']): string | undefined
  /** Evidence, or undefined. Called after every event of a curve until it fires: must be cheap while it does not. */
  find(rows: CurveRowsSeen, settings: Set): Evidence | undefined
  /** The events before the causing one that prove the finding, in position order. */
  proof(rows: CurveRowsSeen): readonly ProofEvent[]
}
