// The counts of verify-tape as text.
import type { ReserveCounts } from '../../../../processors/verify/reserve-check.ts'

/** How many trades could be checked. Launchpads without their own pools have no pool trades. */
export const tradeWords = ({ trades, checked, poolTrades, poolChecked, withoutLaunch }: ReserveCounts): string => {
  const pools = poolTrades === 0 ? '' : ` and ${poolChecked} of ${poolTrades} in pools`
  return `${checked} of ${trades} trades on curves${pools} could be checked; ${withoutLaunch} curves without their launch`
}

/** By kind of finding. */
export const foundWords = (found: ReadonlyMap<string, number>): string =>
  found.size === 0 ? 'nothing is missing' : `found: ${[...found].map(([kind, count]) => `${count} ${kind}`).join(', ')}`
