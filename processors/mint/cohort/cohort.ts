// Which launches the figures of a launch are of: those of the same shape, or of fewer of its parts where these are too few.
import type { Shape } from './shape.ts'

/**
 * Parts of a shape in the order in which they are kept: the last is left out first. Kinds of creators are what a young history knows least,
 * and what is not known yet in the first seconds of a launch.
 */
export const SHAPE_PARTS = ['is_mayhem', 'dev_buy', 'bundle', 'creator_kind'] as const

/** Fewer launches than this say nothing: the interval of a share of 20 is some 40 points wide. Also in views/93-cohorts.sql. */
export const COHORT_LAUNCHES_MIN = 20
/** Launches of the UTC day up to which the history is whole, and so many before it. Also in views/93-cohorts.sql. */
export const COHORT_WINDOW_DAYS = 30

/** What became of launches that are alike in so many parts. */
export interface CohortCounts {
  /** Resolved with both labels. */
  readonly n: number
  readonly rugged: number
  readonly graduated: number
  /** Half, and nine in ten, of the rugged had collapsed so many seconds after their launch; null without any. */
  readonly collapseP50S: number | null
  readonly collapseP90S: number | null
}

/** Names the launches that are alike in the first `parts` of a shape; undefined where the shape lacks one of them. */
export const cohortKeyOf = ({ isMayhem, devBuy, bundle, creatorKind }: Shape, parts: number): string | undefined => {
  const alike = [isMayhem, devBuy, bundle, creatorKind].slice(0, parts)
  return alike.includes(null) ? undefined : alike.join('/')
}

export interface Chosen {
  /** How many of the parts, in their order, the launches share. */
  readonly parts: number
  readonly counts: CohortCounts
}

/** The most parts of the shape that at least 20 launches share; undefined where not even the first leaves so many. */
export const chooseCohort = (shape: Shape, cohorts: ReadonlyMap<string, CohortCounts>): Chosen | undefined => {
  for (let parts = SHAPE_PARTS.length; parts > 0; parts--) {
    const key = cohortKeyOf(shape, parts)
    const counts = key === undefined ? undefined : cohorts.get(key)
    if (counts !== undefined && counts.n >= COHORT_LAUNCHES_MIN) return { parts, counts }
  }
  return undefined
}
