// Trades over the life of the curve and in the last seconds.
import type { Amount } from '../../../schemas/amount.ts'
import type { CurveFiguresRow, CurveLaunchRow, CurveState } from '../../../schemas/types.ts'
import { explain } from '../../mint/card/explain.ts'
import { isNative } from '../rows.ts'
import { FLOW_WINDOW_S, NEW_BUYERS_WINDOW_S } from '../thresholds.ts'
import { inNative } from './amounts.ts'
import { uncountedWallets } from './holdings.ts'
import { type CurveMoment, inSeconds, tenthsBetween, tenthsSince } from './moment.ts'
import { notNativeOf } from './nulls.ts'

const NO_TRADE = 'nobody traded yet'
const NO_BUY = 'nobody bought yet'

/** Sums of trades in blocks younger than `windowS` seconds. */
export const flowOf = ({ flows }: Pick<CurveState, 'flows'>, moment: CurveMoment, windowS: number) => {
  const sum = { buys: 0, sells: 0, newBuyers: 0 }
  for (const flow of flows) {
    if (tenthsSince(flow, moment) >= windowS * 10) continue
    sum.buys += flow.buys
    sum.sells += flow.sells
    sum.newBuyers += flow.newBuyers
  }
  return sum
}

const nativeOrNull = (launch: CurveLaunchRow, units: Amount): number | null => (isNative(launch) ? inNative(units) : null)

const lastTradeAgeOf = ({ lastTradeNumber, lastTradeAt }: CurveFiguresRow, moment: CurveMoment): number | null =>
  lastTradeNumber === -1 ? null : inSeconds(tenthsSince({ number: lastTradeNumber, at: lastTradeAt }, moment))

const firstBuyAfterOf = (launch: CurveLaunchRow, { firstBuyNumber, firstBuyAt }: CurveFiguresRow): number | null =>
  firstBuyNumber === -1 ? null : inSeconds(tenthsBetween(launch, { number: firstBuyNumber, at: firstBuyAt }))

/** Counts of wallets, where each wallet is tracked. */
const walletCounts = (figures: CurveFiguresRow, state: CurveState, moment: CurveMoment) => {
  const reason = uncountedWallets(state)
  const count = (n: number): number | null => (reason === undefined ? n : null)
  return {
    values: {
      unique_buyers: count(figures.uniqueBuyers),
      unique_sellers: count(figures.uniqueSellers),
      new_buyers_last_2s: count(flowOf(state, moment, NEW_BUYERS_WINDOW_S).newBuyers),
      new_buyers_last_6s: count(flowOf(state, moment, FLOW_WINDOW_S).newBuyers),
    },
    reason: reason ?? '',
  }
}

/** The full block. Volumes are what buyers paid and sellers received. */
export const flowPart = (launch: CurveLaunchRow, figures: CurveFiguresRow, state: CurveState, moment: CurveMoment) => {
  const { buys, sells } = flowOf(state, moment, FLOW_WINDOW_S)
  const { values, reason } = walletCounts(figures, state, moment)
  const { unique_buyers, unique_sellers, ...newest } = values
  const noEth = notNativeOf(launch)
  return explain(
    {
      n_buys: figures.buys,
      n_sells: figures.sells,
      unique_buyers,
      unique_sellers,
      buys_last_6s: buys,
      sells_last_6s: sells,
      ...newest,
      first_buy_after_s: firstBuyAfterOf(launch, figures),
      last_trade_age_s: lastTradeAgeOf(figures, moment),
      buy_volume_eth: nativeOrNull(launch, figures.buyQuoteUnits),
      sell_volume_eth: nativeOrNull(launch, figures.sellQuoteUnits),
      buy_volume_units: String(figures.buyQuoteUnits),
      sell_volume_units: String(figures.sellQuoteUnits),
    },
    {
      unique_buyers: reason,
      unique_sellers: reason,
      new_buyers_last_2s: reason,
      new_buyers_last_6s: reason,
      first_buy_after_s: NO_BUY,
      last_trade_age_s: NO_TRADE,
      buy_volume_eth: noEth,
      sell_volume_eth: noEth,
    },
  )
}

/** The figures in lists. */
export const flowInShort = (figures: CurveFiguresRow, state: CurveState, moment: CurveMoment) => {
  const { values, reason } = walletCounts(figures, state, moment)
  return explain(
    {
      n_buys: figures.buys,
      n_sells: figures.sells,
      unique_buyers: values.unique_buyers,
      new_buyers_last_6s: values.new_buyers_last_6s,
      last_trade_age_s: lastTradeAgeOf(figures, moment),
    },
    { unique_buyers: reason, new_buyers_last_6s: reason, last_trade_age_s: NO_TRADE },
  )
}
