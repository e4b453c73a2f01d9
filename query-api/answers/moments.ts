// The one check of times that callers send: no answer begins ahead of the service clock.
import type { ProblemDetail } from '../questions/bodies.ts'

/** Tolerated clock skew of callers, seconds. */
const AHEAD_S_MAX = 60
/** In seconds the year 5138, in milliseconds 1973. */
const MILLISECONDS_MIN = 1e11

/** For the descriptions of parameters. */
export const NOT_AHEAD = `not more than ${AHEAD_S_MAX} s later than now on the service clock (t of /health)`

/** @param second unix seconds, sent as `input`. Null if the time is not ahead of now. */
export const aheadProblem = (name: string, { second, input }: { second: number; input: string }, nowS: number): ProblemDetail | null => {
  if (second <= nowS + AHEAD_S_MAX) return null
  const unit = second >= MILLISECONDS_MIN ? '; unix seconds; this looks like milliseconds' : ''
  const msg = `Input should not be later than now, which is ${nowS} on the service clock (t of /health)${unit}`
  return { type: 'less_than_equal', loc: ['query', name], msg, ctx: { le: nowS }, input }
}
