// Free data are as of five minutes ago. Only current rows are stored, so free answers show only mints whose rows have not changed since:
// these equal the rows of five minutes ago.
import type { MintSnapshot } from '../../topology/ports/mint-view.ts'
import type { Instant } from './service.ts'

/** Minimum age of free data, seconds. */
export const DELAY_S = 300

/** The same request snapshot, with cards as of `DELAY_S` ago. */
export const delayed = (instant: Instant): Instant => ({ ...instant, moment: { ...instant.moment, asOf: instant.moment.asOf - DELAY_S } })

/** Whether a mint's rows have not changed since `second`, unix seconds. */
export const restsSince = ({ curve, flags, pools }: MintSnapshot['head'], second: number): boolean =>
  curve !== null &&
  curve.lastAt <= second &&
  curve.lastMoveAt <= second &&
  pools.every(({ lastAt }) => lastAt <= second) &&
  flags.every(({ firstSeenAt }) => firstSeenAt <= second)
