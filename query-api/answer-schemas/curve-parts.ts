// Schema blocks of the answers about curves on the alt chain.
import * as z from 'zod'
import { FLOW_WINDOW_S, NEW_BUYERS_WINDOW_S, SILENT_S, TAX_WINDOW_S } from '../../processors/curve/thresholds.ts'
import { boolean, count, digits, eth, evmAddress, fields, ratio, seconds, share, text, tokens, unixSeconds } from './vocabulary.ts'

const NULL_UNLESS_ETH = 'null if the pair is not ETH'
const BY_BLOCKS = 'estimated from the number of blocks since then (100 ms each), within the bounds that the whole-second block times set'

export const addresses = {
  curve: evmAddress.describe('the curve contract'),
  token: evmAddress.describe('the token'),
  deployer: evmAddress.describe('deployer named by the launch'),
}
export const pair = {
  pair_token: evmAddress.describe('token that the curve is paired with; the zero address means ETH'),
  pair_kind: z.enum(['eth', 'erc20']).describe('eth for ETH, erc20 for another token'),
}
export const launched = {
  launch_block: count.describe('block of the launch'),
  launched_at: unixSeconds.describe('time of the launch, unix seconds'),
}
export const age = { age_s: seconds.describe(`age of the launch at the answer, seconds: ${BY_BLOCKS}`) }
export const status = z
  .enum(['live_curve', 'curve_complete', 'graduated', 'unknown'])
  .describe(
    'live_curve: open for trades; curve_complete: its last token was sold; graduated: its pool is open; unknown if coverage is thin',
  )
export const FULL = `full: the launch was witnessed, no trade can be missing because of a gap, and the curve had an event in the last ${SILENT_S / 3_600} h; else thin`

export const raisedShort = {
  eth: eth
    .nullable()
    .describe(`real quote in the curve without fees and taxes; after completion, as of the completion; ${NULL_UNLESS_ETH}`),
  progress: share.describe("raised / the launch's own threshold (4.2 ETH for ETH pairs)"),
  price_multiple_vs_launch: ratio
    .nullable()
    .describe(`price now / price at launch; price: quote in the curve (real and virtual) / tokens in the curve; ${NULL_UNLESS_ETH}`),
}
export const raised = fields({
  quote_units: digits.describe('real quote in the curve, base units of the pair token'),
  ...raisedShort,
  threshold_units: digits.describe('real quote at which the curve is complete, base units of the pair token'),
  peak_quote_units: digits.describe('highest real quote so far, base units of the pair token'),
  quote_decimals: count.nullable().describe('decimals of the pair token'),
})

export const snipeTax = fields({
  in_tax_window: boolean.describe(`the launch is less than ${TAX_WINDOW_S} s old: buys pay the snipe tax`),
  n_taxed_buys: count.describe('buys that paid the tax'),
  tax_total_eth: eth.nullable().describe(`tax paid in total; ${NULL_UNLESS_ETH}`),
  tax_total_units: digits.describe('tax paid in total, base units of the pair token'),
  n_exempt_accounts: count.describe('accounts exempt from the tax'),
})

const OF_CIRCULATING = 'of circulating tokens'
export const structureShort = {
  n_holders: count.nullable().describe("wallets that hold the token, without the curve and the launchpad's contracts"),
  top1_share: share.nullable().describe(`tokens of the largest holder, ${OF_CIRCULATING}`),
  same_block_direct_cluster_share: share
    .nullable()
    .describe(
      `tokens held by wallets that bought directly in a block with two or more direct buys, ${OF_CIRCULATING}; matching timing, not proof of coordination`,
    ),
  direct_buy_share: share.nullable().describe('buys of wallets that called the curve themselves / all buys'),
  terminal_holdings_share: share.nullable().describe(`tokens held by wallets that bought through a trading terminal, ${OF_CIRCULATING}`),
}
export const structure = fields({
  ...structureShort,
  top5_share: share.nullable().describe(`tokens of the five largest holders, ${OF_CIRCULATING}`),
  hhi: share.nullable().describe('sum of the squared holder shares of circulating tokens'),
  deployer_holding_share: share.nullable().describe(`tokens of the deployer, ${OF_CIRCULATING}`),
  same_block_direct_cluster_wallets: count.nullable().describe('wallets of the same-block cluster'),
  max_direct_buys_in_one_block: count.describe('most direct buys in one block of 100 ms'),
  terminal_buy_share: share.nullable().describe('buys through trading terminals / all buys'),
  router_join_resolved_share: share
    .nullable()
    .describe('buys whose wallet is known / all buys; known: direct, or resolved by the token transfer, a router event or the sender'),
  routes: z
    .record(text, count)
    .describe('buys by route: direct, the name of a router (names given by third parties), or other for unknown contracts'),
  supply_tokens: tokens.describe('total supply'),
  circulating_tokens: tokens
    .nullable()
    .describe('supply minus the reserve of the curve; after graduation, tokens held by wallets: denominator of the token shares'),
})

export const flowShort = {
  n_buys: count.describe('buys on the curve'),
  n_sells: count.describe('sells on the curve'),
  unique_buyers: count.nullable().describe('known wallets that bought'),
  new_buyers_last_6s: count.nullable().describe(`known wallets whose first buy is in the last ${FLOW_WINDOW_S} s`),
  last_trade_age_s: seconds.nullable().describe(`age of the newest trade, seconds: ${BY_BLOCKS}`),
}
export const flow = fields({
  ...flowShort,
  unique_sellers: count.nullable().describe('known wallets that sold'),
  buys_last_6s: count.describe(`buys in the last ${FLOW_WINDOW_S} s`),
  sells_last_6s: count.describe(`sells in the last ${FLOW_WINDOW_S} s`),
  new_buyers_last_2s: count.nullable().describe(`known wallets whose first buy is in the last ${NEW_BUYERS_WINDOW_S} s`),
  first_buy_after_s: seconds.nullable().describe('seconds from the launch to the first buy, which may be part of the launch'),
  buy_volume_eth: eth.nullable().describe(`paid by buyers, fees and taxes included; ${NULL_UNLESS_ETH}`),
  sell_volume_eth: eth.nullable().describe(`received by sellers, after fees and taxes; ${NULL_UNLESS_ETH}`),
  buy_volume_units: digits.describe('paid by buyers, base units of the pair token'),
  sell_volume_units: digits.describe('received by sellers, base units of the pair token'),
})

export const steps = {
  state: z.enum(['live', 'complete', 'graduated']).describe('state of the curve'),
  completed_block: count.nullable().describe('block in which its last token was sold'),
  graduated_block: count.nullable().describe('block in which its pool opened'),
  graduated_after_s: seconds.nullable().describe('seconds from the launch to the graduation'),
  n_refunds: count.describe('buys that completed the curve and were refunded in part'),
}
export const lifecycle = fields({
  ...steps,
  n_failed_graduations: count.describe('failed attempts to graduate the complete curve'),
  swept_block: count.nullable().describe('block in which the factory swept the complete curve, if not in the block of its completion'),
  is_force_swept: boolean.describe('the factory swept it by force'),
  n_buybacks: count.describe(
    'buybacks: the curve bought its own tokens with its fees and locked them permanently, or a contract of the launchpad bought them; in no count of buys, buyers and volume',
  ),
  locked_tokens: tokens.describe('tokens locked by buybacks'),
  n_rescues: count.describe('rescues: rare withdrawals of tokens or quote'),
})

/** Above 1 if the same tokens were traded repeatedly. */
const ofSupply = z.number().min(0).meta({ unit: '1' })
export const deployerActivity = fields({
  bought_share: ofSupply.describe('tokens the deployer bought on the curve / total supply'),
  launch_buy_eth: eth.nullable().describe(`paid by the deployer for buys in the block of the launch; ${NULL_UNLESS_ETH}`),
  n_sells: count.describe('sells of the deployer on the curve'),
  sold_share: ofSupply.describe('tokens it sold on the curve / total supply'),
  first_sell_after_s: seconds.nullable().describe('seconds from the launch to its first sell'),
  given_share: z
    .number()
    .min(0)
    .meta({ unit: '1' })
    .describe('tokens it transferred to other wallets (not by selling them on the curve) / total supply'),
  first_given_after_s: seconds.nullable().describe('seconds from the launch to its first transfer to another wallet'),
})

export const prior = fields({
  n_launches: count.describe('launches of the deployer in the 90 days before this one, as far as the service has observed'),
  n_resolved: count.describe('of these, settled with both labels known: denominator of the rates'),
  grad_rate: share.nullable().describe('graduated / resolved'),
  rug_rate: share.nullable().describe('rugged / resolved'),
  median_dev_sell_s: seconds
    .nullable()
    .describe('median seconds from launch to the first sell of the deployer, over the resolved launches in which it sold'),
  is_first_time: boolean.describe('no earlier launch of the deployer was observed since observed_since'),
  observed_since: unixSeconds.nullable().describe('start of observation, unix seconds: nothing earlier is counted'),
})
  .nullable()
  .describe('record of the deployer before this launch, without launches that settled later; null while it is pending')
