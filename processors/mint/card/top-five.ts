// Decides whether a seller was one of the five largest holders. A floor avoids the walk over all holders for most sells.
import type { Amount } from '../../../schemas/amount.ts'
import type { CurveRow, HolderRow } from '../../../schemas/types.ts'
import type { MintContext } from '../rows.ts'

/** Keeps in `five`, descending, the largest values seen. */
export const keepLargest = (five: Amount[], units: Amount): void => {
  if (five.length === 5 && units <= (five[4] as Amount)) return
  let at = five.length
  while (at > 0 && (five[at - 1] as Amount) < units) at -= 1
  five.splice(at, 0, units)
  if (five.length > 5) five.pop()
}

/**
 * True when fewer than five wallets held more than `seller`, ties by key. Call it before the sale, for sellers at or above the floor; it
 * sets the floor to the fifth balance after the sale. Purchases never lower that balance, so the floor holds until the next such sale.
 */
export const lowerTopFive = (ctx: MintContext, curve: CurveRow, seller: Readonly<HolderRow>, unitsAfter: Amount): boolean => {
  const { wallet, units } = seller
  const five: Amount[] = []
  let above = 0
  for (const other of ctx.rows('holders')) {
    if (other.wallet === wallet) {
      keepLargest(five, unitsAfter)
      continue
    }
    keepLargest(five, other.units)
    if (other.units > units || (other.units === units && other.wallet < wallet)) above += 1
  }
  curve.topFloorUnits = five[4] ?? 0
  return above < 5
}
