// Bounds the holder rows of a coin: beyond a limit the smallest wallets share one row, so a coin with very many holders does not use up
// memory and time that other coins need.
import { add, compareAmounts, greaterOf } from '../../../schemas/amount.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { HolderRow, LaunchRow, MintState } from '../../../schemas/types.ts'
import { tokensOf } from '../card/amounts.ts'
import { isDev, type MintContext, newHolder, ROLE_BUNDLE, ROLE_DEV, ROLES_INSIDER } from '../rows.ts'
import { HOLDER_ROWS_KEPT, HOLDER_ROWS_MAX } from '../thresholds.ts'

/** The row of a wallet, created where there is none. */
export const openHolder = (ctx: MintContext, launch: Readonly<LaunchRow>, wallet: Key): HolderRow => {
  if (ctx.count('holders') >= HOLDER_ROWS_MAX && ctx.read('holders', wallet) === undefined) foldSmallest(ctx)
  return ctx.edit('holders', wallet, () => newHolder(wallet, isDev(launch, wallet) ? ROLE_DEV : 0))
}

/** Detectors need the dev set and the bundle as individual wallets. */
const isFoldable = ({ roles }: Readonly<HolderRow>): boolean => (roles & (ROLE_DEV | ROLE_BUNDLE)) === 0
const bySize = (a: Readonly<HolderRow>, b: Readonly<HolderRow>): number =>
  compareAmounts(a.units, b.units) || (a.wallet < b.wallet ? -1 : 1)

/**
 * Removes the rows with the fewest coins and adds them to the row `folded`. Rows with negative units come first: most of their wallets were
 * folded before and have since given away or sold coins, so they reduce the sum. Rows with 0 units follow. A folded wallet that buys again
 * gets a new row, with only what it buys from then on.
 */
const foldSmallest = (ctx: MintContext): void => {
  const smallest = Array.from(ctx.rows('holders')).filter(isFoldable).sort(bySize)
  const folded = ctx.edit('folded', undefined, () => ({ wallets: 0, units: 0, insiderUnits: 0 }))
  for (const { wallet, units, roles } of smallest.slice(0, HOLDER_ROWS_MAX - HOLDER_ROWS_KEPT)) {
    folded.units = greaterOf(0, add(folded.units, units))
    if (units > 0) folded.wallets += 1
    if (units > 0 && (roles & ROLES_INSIDER) !== 0) folded.insiderUnits = add(folded.insiderUnits, units)
    ctx.remove('holders', wallet)
  }
}

/** Why the number of holders is unknown; undefined where it is known. */
export const uncounted = ({ folded }: Pick<MintState, 'folded'>): string | undefined => {
  if (folded === null || folded.wallets === 0) return undefined
  const held = `${folded.wallets} so far with ${tokensOf(folded.units)} tokens`
  return `more than ${HOLDER_ROWS_MAX} wallets: the smallest, ${held}, are counted together`
}
