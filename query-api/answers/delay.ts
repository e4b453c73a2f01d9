// What is given away is as of five minutes ago. Rows are kept as they are now alone, so that only mints whose rows have not changed
// since then are shown: theirs are the rows of five minutes ago.
import type { MintSnapshot } from '../../topology/ports/mint-view.ts'
import type { Look } from './service.ts'

/** Nothing that is shown for free is younger, seconds. */
export const DELAY_S = 300

/** The same instant, with cards as of then. */
export const delayed = (look: Look): Look => ({ ...look, moment: { ...look.moment, asOf: look.moment.asOf - DELAY_S } })

/** Whether the rows of a mint are now what they were at a time in unix seconds. */
export const restsSince = ({ curve, flags, pools }: MintSnapshot['head'], second: number): boolean =>
  curve !== null &&
  curve.lastAt <= second &&
  curve.lastMoveAt <= second &&
  pools.every(({ lastAt }) => lastAt <= second) &&
  flags.every(({ firstSeenAt }) => firstSeenAt <= second)
