// Holders and buyers of the token on the card. Shares are of circulating tokens.
import type { Amount } from '../../../schemas/amount.ts'
import { compareText } from '../../../schemas/keys.ts'
import type { CurveFiguresRow, CurveLaunchRow, CurveState } from '../../../schemas/types.ts'
import { shareOf } from '../../mint/card/amounts.ts'
import { explain } from '../../mint/card/explain.ts'
import { inTokens, ratioOf } from './amounts.ts'
import { circulatingUnits, holdingsOf, uncountedWallets, unknownHolders } from './holdings.ts'

const NOBODY = 'no tokens are outside the curve and the pool'
const NO_BUY = 'nobody bought yet'

/** Figures of wallets, with the reasons of nulls. */
const walletFigures = (launch: CurveLaunchRow, figures: CurveFiguresRow, state: CurveState) => {
  const holdings = holdingsOf(state, launch.deployer)
  const circulating = circulatingUnits(launch, figures, holdings)
  const unknown = unknownHolders(figures)
  const uncounted = unknown ?? uncountedWallets(state)
  const empty = circulating > 0 ? undefined : NOBODY
  const share = (units: Amount, reason: string | undefined): number | null => (reason === undefined ? shareOf(units, circulating) : null)
  const hhi = (): number | null => ratioOf(holdings.squares, BigInt(circulating) * BigInt(circulating)) ?? null
  const [ofAll, ofCounted] = [unknown ?? empty, uncounted ?? empty]
  return {
    values: {
      n_holders: uncounted === undefined ? holdings.holders : null,
      top1_share: share(holdings.topOneUnits, ofAll),
      top5_share: share(holdings.topFiveUnits, ofAll),
      hhi: ofCounted === undefined ? hhi() : null,
      deployer_holding_share: share(holdings.deployerUnits, ofAll),
      same_block_direct_cluster_share: share(holdings.clusterUnits, ofCounted),
      terminal_holdings_share: share(holdings.terminalUnits, ofCounted),
    },
    reasons: {
      n_holders: uncounted ?? '',
      top1_share: ofAll ?? '',
      top5_share: ofAll ?? '',
      hhi: ofCounted ?? '',
      deployer_holding_share: ofAll ?? '',
      same_block_direct_cluster_share: ofCounted ?? '',
      terminal_holdings_share: ofCounted ?? '',
    },
    circulating,
    unknown,
  }
}

/** A share of all buys. */
const ofBuys = (buys: number, { buys: all }: CurveFiguresRow): number | null => (all === 0 ? null : buys / all)

const routesOf = ({ routes }: Pick<CurveState, 'routes'>): Readonly<Record<string, number>> =>
  Object.fromEntries([...routes].sort((a, b) => compareText(a.route, b.route)).map(({ route, buys }) => [route, buys]))

/** Concentration, same-block buyers and routes. */
export const structurePart = (launch: CurveLaunchRow, figures: CurveFiguresRow, state: CurveState) => {
  const { values, reasons, circulating, unknown } = walletFigures(launch, figures, state)
  const uncounted = uncountedWallets(state)
  const { terminal_holdings_share, ...held } = values
  return explain(
    {
      ...held,
      same_block_direct_cluster_wallets: uncounted === undefined ? figures.clusterWallets : null,
      max_direct_buys_in_one_block: figures.maxDirectBuys,
      direct_buy_share: ofBuys(figures.directBuys, figures),
      terminal_buy_share: ofBuys(figures.terminalBuys, figures),
      terminal_holdings_share,
      router_join_resolved_share: ofBuys(figures.resolvedBuys, figures),
      routes: routesOf(state),
      supply_tokens: inTokens(launch.supplyUnits),
      circulating_tokens: figures.graduatedNumber !== -1 && unknown !== undefined ? null : inTokens(circulating),
    },
    {
      ...reasons,
      same_block_direct_cluster_wallets: uncounted ?? '',
      direct_buy_share: NO_BUY,
      terminal_buy_share: NO_BUY,
      router_join_resolved_share: NO_BUY,
      circulating_tokens: unknown ?? '',
    },
  )
}

/** The figures in lists. */
export const structureInShort = (launch: CurveLaunchRow, figures: CurveFiguresRow, state: CurveState) => {
  const { values, reasons } = walletFigures(launch, figures, state)
  const { n_holders, top1_share, same_block_direct_cluster_share, terminal_holdings_share } = values
  return explain(
    {
      n_holders,
      top1_share,
      same_block_direct_cluster_share,
      direct_buy_share: ofBuys(figures.directBuys, figures),
      terminal_holdings_share,
    },
    { ...reasons, direct_buy_share: NO_BUY },
  )
}
