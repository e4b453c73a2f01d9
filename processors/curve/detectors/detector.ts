// What a detector of curves is: a pure function of rows, published as those of mints are.
import type { DetectorFacts, Evidence, ProofEvent, Settings } from '../../mint/detectors/detector.ts'
import type { CurveSight } from '../rows.ts'

/** What a detector sees. */
export interface CurveRowsSeen extends Omit<CurveSight, 'figures'> {
  readonly figures: Readonly<CurveSight['figures']>
}

/** Fires once per curve. */
export interface CurveDetector<Set extends Settings = Settings> extends DetectorFacts {
  readonly settings: Set
  /** Why curves like this one are not judged. Absent: every curve is. */
  notJudged?(launch: CurveSight['launch']): string | undefined
  /** Evidence, or undefined. Called after every event of a curve until it fires: cheap while nothing is there. */
  find(rows: CurveRowsSeen, settings: Set): Evidence | undefined
  /** The events before the causing one that prove it, in position order. */
  proof(rows: CurveRowsSeen): readonly ProofEvent[]
}
