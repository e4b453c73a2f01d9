// Coins that move without a trade: holders change, nothing else does.
import type { Balance } from '../../schemas/types.ts'
import { isDev, isOpen, type MintContext, newHolder, plus, ROLE_DEV, ROLE_RECEIVED, type Sight } from './rows.ts'

/**
 * Moves a balance; vaults of curve and pools hold nothing. A wallet that gets coins from wallets alone while the curve is open,
 * without trading them in the transaction, is an insider (rule a). What the dev set gets counts as got: selling half of it is a dump.
 */
export const moveBalance = (ctx: MintContext, { launch, curve }: Sight, event: Balance): void => {
  const { owner, units } = event
  if (owner === launch.bondingCurve || owner === curve.pool || ctx.read('pools', owner) !== undefined) return
  const isOfDev = isDev(launch, owner)
  const holder = ctx.edit('holders', owner, () => newHolder(owner, isOfDev ? ROLE_DEV : 0))
  holder.units = plus(holder.units, units)
  if (units < 0) {
    curve.topFloorUnits = 0
    return
  }
  if (isOfDev) curve.devBoughtUnits = plus(curve.devBoughtUnits, units)
  else if (event.isWallet && event.fromWallets && !event.traded && isOpen(curve)) holder.roles |= ROLE_RECEIVED
  if (event.sender !== null && holder.givenBy === null) holder.givenBy = event.sender
}
