// Blocks of the answers on curves of the other chain.
import { z } from 'zod'
import { FLOW_WINDOW_S, NEW_BUYERS_WINDOW_S, SILENT_S, TAX_WINDOW_S } from '../../processors/curve/thresholds.ts'
import { boolean, count, digits, eth, evmAddress, fields, ratio, seconds, share, text, tokens, unixSeconds } from './vocabulary.ts'

const NOT_ETH = 'null where the pair is not ETH'
const BLOCKS = 'blocks of 100 ms, within what the whole seconds of their times allow'

export const addresses = {
  curve: evmAddress.describe('the curve contract'),
  token: evmAddress.describe('the token'),
  deployer: evmAddress.describe('who launched, as the launch names it'),
}
export const pair = {
  pair_token: evmAddress.describe('token that the curve takes; the zero address means ETH'),
  pair_kind: z.enum(['eth', 'erc20']).describe('eth for ETH, erc20 for another token'),
}
export const launched = {
  launch_block: count.describe('block of the launch'),
  launched_at: unixSeconds.describe('its time, unix seconds'),
}
export const age = { age_s: seconds.describe(`age of the launch at the answer, seconds: ${BLOCKS}`) }
export const status = z
  .enum(['live_curve', 'curve_complete', 'graduated', 'unknown'])
  .describe('live_curve takes trades; curve_complete sold its last token; graduated: its pool is open; unknown where coverage is thin')
export const FULL = `full: the launch was seen, no gap is open, and the curve had an event in the last ${SILENT_S / 3_600} h; else thin`

export const raisedShort = {
  eth: eth.nullable().describe(`real quote in the curve, fees and taxes apart; once it is complete, what it then held; ${NOT_ETH}`),
  progress: share.describe("raised / the launch's own threshold (4.2 ETH for ETH pairs)"),
  price_multiple_vs_launch: ratio.nullable().describe(`price now / price at launch: (Q / T) / (Q0 / S); ${NOT_ETH}`),
}
export const raised = fields({
  quote_units: digits.describe('real quote in the curve, base units of the pair'),
  ...raisedShort,
  threshold_units: digits.describe('real quote at which the curve is full, base units of the pair'),
  peak_quote_units: digits.describe('highest real quote so far, base units of the pair'),
  quote_decimals: count.nullable().describe('decimals of the pair'),
})

export const snipeTax = fields({
  in_tax_window: boolean.describe(`the launch is less than ${TAX_WINDOW_S} s old: buys pay the snipe tax`),
  n_taxed_buys: count.describe('buys that paid it'),
  tax_total_eth: eth.nullable().describe(`what they paid; ${NOT_ETH}`),
  tax_total_units: digits.describe('the same in base units of the pair'),
  n_exempt_accounts: count.describe('accounts that were freed of it'),
})

const OF_CIRCULATING = 'of circulating tokens'
export const structureShort = {
  n_holders: count.nullable().describe("wallets that hold the token; the curve and the launchpad's contracts are never holders"),
  top1_share: share.nullable().describe(`tokens of the largest holder, ${OF_CIRCULATING}`),
  same_block_direct_cluster_share: share
    .nullable()
    .describe(
      `tokens that wallets hold which bought directly in a block with two or more direct buys, ${OF_CIRCULATING}; matching times, no proof of coordination`,
    ),
  direct_buy_share: share.nullable().describe('buys of wallets that called the curve themselves / all buys'),
  terminal_holdings_share: share.nullable().describe(`tokens held by wallets that bought through a terminal, ${OF_CIRCULATING}`),
}
export const structure = fields({
  ...structureShort,
  top5_share: share.nullable().describe(`tokens of the five largest holders, ${OF_CIRCULATING}`),
  hhi: share.nullable().describe('sum of the squares of the shares of all holders, of circulating tokens'),
  deployer_holding_share: share.nullable().describe(`tokens of the deployer, ${OF_CIRCULATING}`),
  same_block_direct_cluster_wallets: count.nullable().describe('such wallets'),
  max_direct_buys_in_one_block: count.describe('most direct buys in one block of 100 ms'),
  terminal_buy_share: share.nullable().describe('buys through trading terminals / all buys'),
  router_join_resolved_share: share
    .nullable()
    .describe('buys whose wallet is known / all buys: direct, or found by the token transfer, an event of the router, or the sender'),
  routes: z
    .record(text, count)
    .describe('buys by route: direct, the name of a router (third parties named them), or other for unknown contracts'),
  supply_tokens: tokens.describe('total supply'),
  circulating_tokens: tokens
    .nullable()
    .describe('supply less the reserve of the curve, once its pool is open what wallets hold: denominator of shares of tokens'),
})

export const flowShort = {
  n_buys: count.describe('buys on the curve'),
  n_sells: count.describe('sells on the curve'),
  unique_buyers: count.nullable().describe('known wallets that bought'),
  new_buyers_last_6s: count.nullable().describe(`known wallets that bought first in the last ${FLOW_WINDOW_S} s`),
  last_trade_age_s: seconds.nullable().describe(`age of the newest trade, seconds: ${BLOCKS}`),
}
export const flow = fields({
  ...flowShort,
  unique_sellers: count.nullable().describe('known wallets that sold'),
  buys_last_6s: count.describe(`buys in the last ${FLOW_WINDOW_S} s`),
  sells_last_6s: count.describe(`sells in the last ${FLOW_WINDOW_S} s`),
  new_buyers_last_2s: count.nullable().describe(`known wallets that bought first in the last ${NEW_BUYERS_WINDOW_S} s`),
  first_buy_after_s: seconds.nullable().describe('seconds from the launch to the first buy, which may be of the launch itself'),
  buy_volume_eth: eth.nullable().describe(`what buyers paid, fees and taxes included; ${NOT_ETH}`),
  sell_volume_eth: eth.nullable().describe(`what sellers got, after fees and taxes; ${NOT_ETH}`),
  buy_volume_units: digits.describe('what buyers paid, base units of the pair'),
  sell_volume_units: digits.describe('what sellers got, base units of the pair'),
})

export const steps = {
  state: z.enum(['live', 'complete', 'graduated']).describe('how far the curve is'),
  completed_block: count.nullable().describe('block in which it sold its last token'),
  graduated_block: count.nullable().describe('block in which its pool opened'),
  graduated_after_s: seconds.nullable().describe('seconds from the launch to there'),
  n_refunds: count.describe('buys that filled the curve and were paid back in part'),
}
export const lifecycle = fields({
  ...steps,
  n_failed_graduations: count.describe('times the full curve could not be handed over'),
  swept_block: count.nullable().describe('block in which the factory took the full curve over apart from its completion'),
  is_force_swept: boolean.describe('it did so by force'),
  n_buybacks: count.describe('times the curve bought its own tokens for good with its fees'),
  locked_tokens: tokens.describe('tokens it so locked'),
  n_rescues: count.describe('rare ways out for tokens or quote that were taken'),
})

/** Above 1 where tokens went to and fro. */
const ofSupply = z.number().min(0).meta({ unit: '1' })
export const deployerActivity = fields({
  bought_share: ofSupply.describe('tokens the deployer bought on the curve / total supply'),
  launch_buy_eth: eth.nullable().describe(`what it paid for buys in the block of the launch; ${NOT_ETH}`),
  n_sells: count.describe('its sells on the curve'),
  sold_share: ofSupply.describe('tokens it sold there / total supply'),
  first_sell_after_s: seconds.nullable().describe('seconds from the launch to its first sell'),
  given_share: z
    .number()
    .min(0)
    .meta({ unit: '1' })
    .describe('tokens that left it by transfers and were not sold on the curve / total supply'),
  first_given_after_s: seconds.nullable().describe('seconds from the launch to its first transfer to another wallet'),
})

export const prior = fields({
  n_launches: count.describe('launches of the deployer in the 90 days before, as far as the service observed'),
  n_resolved: count.describe('those of them that had settled with both labels known: denominator of the rates'),
  grad_rate: share.nullable().describe('graduated / resolved'),
  rug_rate: share.nullable().describe('rugged / resolved'),
  median_dev_sell_s: seconds.nullable().describe('median seconds from launch to its first sell, of the resolved in which it sold'),
  is_first_time: boolean.describe('no launch of it was seen since observed_since'),
  observed_since: unixSeconds.nullable().describe('nothing before this time is counted, unix seconds'),
})
  .nullable()
  .describe('what the deployer had done before this launch: nothing that settled later counts; null while the answer is pending')
