// Chooses the launches with which a launch is compared: of the same shape or, if they are too few, with fewer parts of the shape in common.
import type { Shape } from './shape.ts'

/**
 * Parts of a shape in order of priority: the last is dropped first. A young history knows few creators, and the kind of a creator is not
 * known yet in the first seconds of a launch.
 */
export const SHAPE_PARTS = ['is_mayhem', 'dev_buy', 'bundle', 'creator_kind'] as const

/** Fewer launches than this are not meaningful: the interval of a share of 20 is some 40 points wide. Also in views/93-cohorts.sql. */
export const COHORT_LAUNCHES_MIN = 20
/** Counted launches are of the last UTC day of the complete history and of this many days before it. Also in views/93-cohorts.sql. */
export const COHORT_WINDOW_DAYS = 30

/** Outcomes of the launches of one key (`cohortKeyOf`). */
export interface CohortCounts {
  /** Settled launches of which both labels, graduated and rugged, are known. */
  readonly n: number
  readonly rugged: number
  readonly graduated: number
  /** Seconds after launch within which half, and 90 %, of the rugged ones had collapsed; null without any. */
  readonly collapseP50S: number | null
  readonly collapseP90S: number | null
}

/** The key of launches that have the first `parts` of a shape in common; undefined where the shape lacks one of them. */
export const cohortKeyOf = ({ isMayhem, devBuy, bundle, creatorKind }: Shape, parts: number): string | undefined => {
  const alike = [isMayhem, devBuy, bundle, creatorKind].slice(0, parts)
  return alike.includes(null) ? undefined : alike.join('/')
}

export interface Chosen {
  /** How many of SHAPE_PARTS, from the first on, the launches have in common. */
  readonly parts: number
  readonly counts: CohortCounts
}

/** The cohort with the most parts that has at least 20 launches; undefined where even the first part has fewer. */
export const chooseCohort = (shape: Shape, cohorts: ReadonlyMap<string, CohortCounts>): Chosen | undefined => {
  for (let parts = SHAPE_PARTS.length; parts > 0; parts--) {
    const key = cohortKeyOf(shape, parts)
    const counts = key === undefined ? undefined : cohorts.get(key)
    if (counts !== undefined && counts.n >= COHORT_LAUNCHES_MIN) return { parts, counts }
  }
  return undefined
}
