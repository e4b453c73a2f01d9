// Applies trades: counts by route, wallets, blocks with several direct buys, the deployer.
import { add } from '../../../schemas/amount.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { AltTrade, BlockFlowRow, CurveFiguresRow } from '../../../schemas/types.ts'
import type { TapeAt } from '../../tape.ts'
import {
  type CurveChain,
  type CurveContext,
  type CurveRowsView,
  DIRECT,
  ROLE_BOUGHT,
  ROLE_CLUSTER,
  ROLE_SOLD,
  ROLE_TERMINAL,
} from '../rows.ts'
import { FLOW_BLOCKS } from '../thresholds.ts'
import { openHolder } from './holders.ts'

/** The flow of the block; when a block gets its row, rows that no window reaches any more are removed. */
const openFlow = (ctx: CurveContext, { position: { number }, header }: TapeAt): BlockFlowRow => {
  if (ctx.read('flows', number) === undefined) {
    const old = Array.from(ctx.rows('flows')).filter((row) => row.number <= number - FLOW_BLOCKS)
    for (const row of old) ctx.remove('flows', row.number)
  }
  return ctx.edit('flows', number, () => ({ number, at: header.time, buys: 0, sells: 0, newBuyers: 0 }))
}

const joinCluster = (ctx: CurveContext, { launch, figures }: CurveRowsView, wallet: Key): void => {
  const holder = openHolder(ctx, launch, wallet)
  if ((holder.roles & ROLE_CLUSTER) !== 0) return
  holder.roles |= ROLE_CLUSTER
  figures.clusterWallets += 1
}

/** From the second direct buy of a block on, all its direct buyers count as having bought together. */
const noteDirectBuy = (ctx: CurveContext, view: CurveRowsView, wallet: Key): void => {
  const { figures, position } = view
  if (figures.directNumber !== position.number) {
    figures.directNumber = position.number
    figures.directInBlock = 0
    figures.directFirst = wallet
  }
  figures.directBuys += 1
  figures.directInBlock += 1
  figures.maxDirectBuys = Math.max(figures.maxDirectBuys, figures.directInBlock)
  if (figures.directInBlock === 1) return
  if (figures.directInBlock === 2 && figures.directFirst !== null) joinCluster(ctx, view, figures.directFirst)
  joinCluster(ctx, view, wallet)
}

const noteDeployerBuy = ({ launch, figures, position }: CurveRowsView, trade: AltTrade): void => {
  figures.deployerBoughtUnits = add(figures.deployerBoughtUnits, trade.tokenUnits)
  if (position.number === launch.number) figures.deployerBuyQuoteUnits = add(figures.deployerBuyQuoteUnits, trade.userQuoteUnits)
}

/** All tokens that the deployer ever received: by transfers, or by its buys where transfers are missing. */
const gotUnits = ({ deployerInUnits, deployerBoughtUnits }: CurveFiguresRow) =>
  deployerInUnits > deployerBoughtUnits ? deployerInUnits : deployerBoughtUnits

const noteDeployerSell = (figures: CurveFiguresRow, { tokenUnits, userQuoteUnits }: AltTrade, second: number): void => {
  figures.deployerSells += 1
  figures.deployerSoldUnits = add(figures.deployerSoldUnits, tokenUnits)
  if (figures.deployerFirstSellAt === 0) {
    figures.deployerFirstSellAt = second
    figures.deployerFirstSellUnits = tokenUnits
    figures.deployerFirstSellQuoteUnits = userQuoteUnits
  }
  if (figures.deployerDumpAt === 0 && add(figures.deployerSoldUnits, figures.deployerSoldUnits) >= gotUnits(figures))
    figures.deployerDumpAt = second
}

const noteBuyer = (ctx: CurveContext, view: CurveRowsView, wallet: Key, trade: AltTrade, flow: BlockFlowRow, isTerminal: boolean): void => {
  const { launch, figures } = view
  figures.resolvedBuys += 1
  if (trade.route === DIRECT) noteDirectBuy(ctx, view, wallet)
  const holder = openHolder(ctx, launch, wallet)
  if ((holder.roles & ROLE_BOUGHT) === 0) {
    figures.uniqueBuyers += 1
    flow.newBuyers += 1
  }
  holder.roles |= isTerminal ? ROLE_BOUGHT | ROLE_TERMINAL : ROLE_BOUGHT
  if (wallet === launch.deployer) noteDeployerBuy(view, trade)
}

const noteBuy = (ctx: CurveContext, view: CurveRowsView, trade: AltTrade, at: TapeAt, { terminals }: CurveChain): void => {
  const { figures, position } = view
  const { route, wallet } = trade
  const flow = openFlow(ctx, at)
  flow.buys += 1
  figures.buys += 1
  figures.buyQuoteUnits = add(figures.buyQuoteUnits, trade.userQuoteUnits)
  if (figures.firstBuyNumber === -1) {
    figures.firstBuyNumber = position.number
    figures.firstBuyAt = at.header.time
  }
  if (trade.snipeTaxUnits > 0) {
    figures.taxedBuys += 1
    figures.taxUnits = add(figures.taxUnits, trade.snipeTaxUnits)
  }
  ctx.edit('routes', route, () => ({ route, buys: 0 })).buys += 1
  const isTerminal = terminals.has(route)
  if (isTerminal) figures.terminalBuys += 1
  if (wallet !== null) noteBuyer(ctx, view, wallet, trade, flow, isTerminal)
}

const noteSell = (ctx: CurveContext, { launch, figures }: CurveRowsView, trade: AltTrade, at: TapeAt): void => {
  openFlow(ctx, at).sells += 1
  figures.sells += 1
  figures.sellQuoteUnits = add(figures.sellQuoteUnits, trade.userQuoteUnits)
  const { wallet } = trade
  if (wallet === null) return
  const holder = openHolder(ctx, launch, wallet)
  if ((holder.roles & ROLE_SOLD) === 0) figures.uniqueSellers += 1
  holder.roles |= ROLE_SOLD
  if (wallet === launch.deployer) noteDeployerSell(figures, trade, at.header.time)
}

/** Counts a trade. Balances change by the transfers that accompany it. */
export const noteTrade = (ctx: CurveContext, view: CurveRowsView, trade: AltTrade, at: TapeAt, chain: CurveChain): void => {
  const { figures, position } = view
  figures.lastTradeNumber = position.number
  figures.lastTradeAt = at.header.time
  if (trade.isBuy) noteBuy(ctx, view, trade, at, chain)
  else noteSell(ctx, view, trade, at)
}
