// Applies coins that move without a trade: only holders change.
import { type Amount, add } from '../../../schemas/amount.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { Balance } from '../../../schemas/types.ts'
import type { TapeAt } from '../../tape.ts'
import { isDev, isOpen, type MintContext, type MintRowsView, ROLE_RECEIVED } from '../rows.ts'
import { openHolder } from './crowd.ts'
import { gainRole } from './roles.ts'

/**
 * Changes the supply to which shares refer. For a mayhem coin it is the supply of the launch event, plus what was minted to the agent,
 * minus what the agent burnt. Other coins keep the supply of the launch event.
 */
const changeSupply = (ctx: MintContext, { mayhem }: MintRowsView['launch'], units: Amount): void => {
  if (!mayhem) return
  const launch = ctx.edit('launch')
  launch.supplyUnits = add(launch.supplyUnits, units)
}

/**
 * Changes a balance; vaults of curve and pools are not tracked. A wallet that gets coins only from wallets while the curve is open, without
 * trading in the transaction, is an insider (rule a). All coins that the dev set receives count as acquired: it dumps once it has sold
 * half of what it acquired. `agent`: the launchpad's own trader.
 */
export const moveBalance = (ctx: MintContext, { launch, curve }: MintRowsView, event: Balance, at: TapeAt, agent: Key | null): void => {
  const { owner, units, sender } = event
  curve.lastMoveAt = at.header.time
  if (owner === agent) {
    changeSupply(ctx, launch, units)
    return
  }
  if (owner === launch.bondingCurve || owner === curve.pool || ctx.read('pools', owner) !== undefined) return
  const isOfDev = isDev(launch, owner)
  const holder = openHolder(ctx, launch, owner)
  const isOfFive = holder.units >= curve.topFloorUnits
  holder.units = add(holder.units, units)
  if (units < 0) {
    if (isOfFive) curve.topFloorUnits = 0
    return
  }
  if (isOfDev) curve.devBoughtUnits = add(curve.devBoughtUnits, units)
  else if (event.isWallet && event.fromWallets && !event.traded && isOpen(curve))
    gainRole(ctx, launch, holder, ROLE_RECEIVED, { at, second: event.timestamp ?? at.header.time }, sender)
  if (sender !== null && holder.givenBy === null) holder.givenBy = sender
}
