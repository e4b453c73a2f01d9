// Applies trades: holders, demand, dev set and bundle. A trade changes one holder row and one flow row.
import { type Amount, add, lesserOf, subtract, times } from '../../../schemas/amount.ts'
import type { CurveRow, HolderRow, PoolLiquidity, PoolTrade, PostCompleteBuy, Trade } from '../../../schemas/types.ts'
import type { TapeAt } from '../../tape.ts'
import { lowerTopFive } from '../card/top-five.ts'
import { bundleDumped } from '../detectors/bundle-dumped.ts'
import { isOpen, type MintContext, type MintRowsView, newFlow, ROLE_BUNDLE, ROLE_CREATE_TX, ROLE_DEV } from '../rows.ts'
import { DEMAND_WINDOW_S, PROOFS_MAX } from '../thresholds.ts'
import { openHolder } from './crowd.ts'
import { requestFunders } from './funding.ts'
import { noteReopened, quietFrom } from './outcome.ts'
import { gainRole } from './roles.ts'

/** Events by which a user buys or sells coins for quote. */
type WalletTrade = Trade | PoolTrade | PostCompleteBuy

/** The name of the timer that closes the create slot, set when a bundle wallet sells within it. */
export const CREATE_SLOT_TIMER = 'create-slot'

/** Adds to the trades of one second. `trades` is 0 for the part of a buy that went to the future pool: its other part was counted. */
const addFlow = (ctx: MintContext, curve: Readonly<CurveRow>, trade: WalletTrade, isBuy: boolean, trades: number): void => {
  const second = trade.timestamp
  const slot = ((second % DEMAND_WINDOW_S) + DEMAND_WINDOW_S) % DEMAND_WINDOW_S
  const flow = ctx.edit('flows', slot, () => newFlow(slot, second))
  if (flow.second > second) return
  if (flow.second < second) {
    flow.second = second
    flow.buys = 0
    flow.sells = 0
    flow.netQuoteUnits = 0
  }
  if (isBuy) flow.buys += trades
  else flow.sells += trades
  if (trade.quoteMint === curve.quoteMint) flow.netQuoteUnits = (isBuy ? add : subtract)(flow.netQuoteUnits, trade.quoteUnits)
}

const addProof = (ctx: MintContext, curve: Readonly<CurveRow>, at: TapeAt): void => {
  const n = ctx.count('proofs')
  if (n >= PROOFS_MAX || (curve.flagBits & bundleDumped.bit) !== 0) return
  const { number, tx, outer, inner } = at.position
  ctx.edit('proofs', n, () => ({ n, number, tx, outer, inner, hash8: at.header.hash8 }))
}

/** Records a buy in the create slot: the dev set's spending, the members of the bundle, the buyers in the create transaction. */
const noteCreateSlotBuy = (ctx: MintContext, { launch, curve }: MintRowsView, holder: HolderRow, trade: WalletTrade, at: TapeAt): void => {
  if ((holder.roles & ROLE_DEV) !== 0) {
    if (trade.quoteMint === curve.quoteMint) curve.devBuyQuoteUnits = add(curve.devBuyQuoteUnits, trade.quoteUnits)
    return
  }
  if ((holder.roles & ROLE_BUNDLE) === 0) curve.bundleWallets += 1
  const when = { at, second: trade.timestamp }
  gainRole(ctx, launch, holder, ROLE_BUNDLE, when)
  if (at.position.tx === launch.tx) gainRole(ctx, launch, holder, ROLE_CREATE_TX, when)
  holder.bundleUnits = add(holder.bundleUnits, trade.tokenUnits)
  curve.bundleBoughtUnits = add(curve.bundleBoughtUnits, trade.tokenUnits)
  addProof(ctx, curve, at)
}

/** Applies a buy or sell. The part of a buy that went to the future pool counts as a buy. */
export const applyWalletTrade = (ctx: MintContext, view: MintRowsView, trade: WalletTrade, at: TapeAt): void => {
  const { launch, curve } = view
  if (at.header.time >= quietFrom(launch, curve)) noteReopened(ctx, trade.timestamp)
  if (trade.type === 'postCompleteBuy' || trade.isBuy) buy(ctx, view, trade, at)
  else sell(ctx, view, trade, at)
}

const buy = (ctx: MintContext, view: MintRowsView, trade: WalletTrade, at: TapeAt): void => {
  const { launch, curve } = view
  const trades = trade.type === 'postCompleteBuy' ? 0 : 1
  const holder = openHolder(ctx, launch, trade.user)
  holder.units = add(holder.units, trade.tokenUnits)
  holder.lastBuyAt = trade.timestamp
  if (holder.firstBuyNumber === -1) {
    holder.firstBuyNumber = at.position.number
    holder.firstBuyTx = at.position.tx
    curve.uniqueBuyers += 1
    curve.lastNewBuyerAt = trade.timestamp
    if ((holder.roles & ROLE_DEV) === 0 && isOpen(curve)) requestFunders(ctx, trade.user, trade.timestamp)
  }
  curve.trades += trades
  curve.buys += trades
  curve.lastTradeAt = trade.timestamp
  curve.lastBuyAt = trade.timestamp
  if ((holder.roles & ROLE_DEV) !== 0) curve.devBoughtUnits = add(curve.devBoughtUnits, trade.tokenUnits)
  if (at.position.number === launch.number) noteCreateSlotBuy(ctx, view, holder, trade, at)
  addFlow(ctx, curve, trade, true, trades)
}

const noteDevSell = (curve: CurveRow, trade: WalletTrade): void => {
  curve.devSoldUnits = add(curve.devSoldUnits, trade.tokenUnits)
  if (curve.devFirstSellAt === 0) {
    curve.devFirstSellAt = trade.timestamp
    curve.devFirstSellUnits = trade.tokenUnits
    curve.devFirstSellQuoteUnits = trade.quoteMint === curve.quoteMint ? trade.quoteUnits : -1
  }
  if (curve.devDumpAt === 0 && times(curve.devSoldUnits, 2) >= curve.devBoughtUnits) curve.devDumpAt = trade.timestamp
}

const noteBundleSell = (ctx: MintContext, { launch, curve }: MintRowsView, holder: HolderRow, units: Amount, at: TapeAt): void => {
  const ofBundle = lesserOf(units, subtract(holder.bundleUnits, holder.bundleSoldUnits))
  holder.bundleSoldUnits = add(holder.bundleSoldUnits, ofBundle)
  curve.bundleSoldUnits = add(curve.bundleSoldUnits, ofBundle)
  addProof(ctx, curve, at)
  if (at.position.number === launch.number) ctx.schedule(CREATE_SLOT_TIMER, at.header.time)
}

/**
 * A wallet may sell more coins than its row has, if it got them earlier in the same transaction: the transaction's `balance` events come
 * last, and until then the row is negative.
 */
const sell = (ctx: MintContext, view: MintRowsView, trade: Trade | PoolTrade, at: TapeAt): void => {
  const { launch, curve } = view
  const holder = openHolder(ctx, launch, trade.user)
  const unitsAfter = subtract(holder.units, trade.tokenUnits)
  if (holder.units > 0 && holder.units >= curve.topFloorUnits && lowerTopFive(ctx, curve, holder, unitsAfter))
    curve.lastTop5SellAt = trade.timestamp
  holder.units = unitsAfter
  curve.trades += 1
  curve.sells += 1
  curve.lastTradeAt = trade.timestamp
  if ((holder.roles & ROLE_DEV) !== 0) noteDevSell(curve, trade)
  else if (holder.bundleUnits > holder.bundleSoldUnits) noteBundleSell(ctx, view, holder, trade.tokenUnits, at)
  addFlow(ctx, curve, trade, false, 1)
}

/** Coins that liquidity moved into or out of a pool: not a trade, but the wallet's balance changes. */
export const moveLiquidity = (ctx: MintContext, { launch, curve }: MintRowsView, event: PoolLiquidity): void => {
  const holder = openHolder(ctx, launch, event.user)
  if (event.isDeposit && holder.units >= curve.topFloorUnits) curve.topFloorUnits = 0
  holder.units = (event.isDeposit ? subtract : add)(holder.units, event.tokenUnits)
}
