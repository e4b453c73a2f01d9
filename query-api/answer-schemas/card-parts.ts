// Schema blocks shared by cards and launch items.
import * as z from 'zod'
import {
  COMPLETION_LAMPORTS,
  DEMAND_WINDOW_S,
  ENTITIES_SHOWN_MAX,
  ENTITY_WALLETS_SHOWN_MAX,
  GRADUATION_LAMPORTS,
  HOLDER_ROWS_MAX,
  INSIDERS_SHOWN_MAX,
  NEW_BUYER_WINDOW_S,
  STALL_AGE_S,
} from '../../processors/mint/thresholds.ts'
import { sol as inSol, riskLabel, status } from './states.ts'
import { address, boolean, count, fields, ratio, share, signedSol, sol, text, tokens, unixSeconds, wholeSeconds } from './vocabulary.ts'

export const identity = {
  mint: address.describe('token address'),
  name: text.describe('untrusted text of the creator: hidden characters removed, truncated to 32 characters'),
  symbol: text.describe('untrusted text of the creator: hidden characters removed, truncated to 16 characters'),
  creator: address.describe('creator named at launch, wallet or not; if the launch is not stored, the creator in the curve account now'),
  creator_is_wallet: boolean.describe(
    'false: creator is a program-derived address, which has no private key and cannot launch; see dev_wallets and creator_prior_of',
  ),
  created_at: unixSeconds.describe('time of the launch, unix seconds'),
  age_s: wholeSeconds.describe('whole seconds from the launch to t'),
}

export const coverage = <Coverage extends 'full' | 'thin'>(which: Coverage) => ({ coverage: z.literal(which).describe('see coverage') })
export const coverageReason = { coverage_reason: text.describe('why coverage is thin') }

export const statusAndRisk = {
  status: z.enum(Object.keys(status)).describe('see status'),
  risk_label: z.enum(Object.keys(riskLabel)).describe('see risk_label'),
}

export const rsNow = sol.nullable().describe('real SOL in the curve now, 0 after migration; null on curves with another quote')
export const curveState = {
  complete: boolean.describe('the curve sold its last token'),
  migrated: boolean.describe('the pool was observed'),
}
export const isMayhem = boolean.describe('launched in mayhem mode; demand and holders exclude the agent’s own trades')

export const curve = fields({
  rs_sol: rsNow,
  rs_at_migration_sol: sol.nullable().describe('real SOL in the curve when it migrated; null before migration'),
  peak_rs_sol: sol.nullable().describe('highest real SOL before migration'),
  progress: share
    .nullable()
    .describe(
      `real SOL / ${inSol(COMPLETION_LAMPORTS)}, at most 1; for mayhem and other quotes, the share of the curve's tokens sold; after migration, as of the migration`,
    ),
  drawdown_from_peak: share.nullable().describe('1 - rs_sol / peak_rs_sol; after migration, as of the migration'),
  ...curveState,
  graduated: boolean
    .nullable()
    .describe(`true: witnessed at or above ${inSol(GRADUATION_LAMPORTS)} SOL; false: closed or migrated below it; null: still open`),
  is_mayhem: isMayhem,
  dev_buy_sol: sol.nullable().describe('SOL the dev set spent in the create slot'),
  quote_mint: address.describe('quote token of the curve'),
  pool: address.optional().describe('pool that the curve migrated to'),
})

export const pool = fields({
  address: address.describe('address of the pool'),
  opened_at: unixSeconds.describe('time of its opening, unix seconds'),
  opening_quote_sol: sol.nullable().describe('SOL in it at its opening; null in pools with another quote'),
  quote_sol: signedSol.nullable().describe('SOL in it after its newest event, real and virtual'),
  quote_share: ratio.describe('quote amount now / at its opening; pool_drained fires at 0.2 or below'),
  tokens: tokens.describe('tokens in it after its newest event'),
  n_trades: count.describe("trades in it, without the launchpad's own"),
  boosts: fields({
    n: count.describe('times that the launchpad bought coins from the vault of the boost and burnt them'),
    spent_sol: sol.nullable().describe('SOL spent on them; null in pools with another quote'),
    burnt_tokens: tokens.describe('tokens burnt'),
  }).describe('what the launchpad bought in the pool for itself: in no count of trades, buyers, volume and holders'),
  last_event_at: unixSeconds.describe('time of its newest event, unix seconds'),
})
  .nullable()
  .describe('the pool that the curve migrated to; null before migration')

export const demand = fields({
  unique_buyers: count.describe('wallets that have ever bought'),
  buys_60s: count.describe(`buys in the ${DEMAND_WINDOW_S} s before t; not reliable while meta.is_stale is true`),
  sells_60s: count.describe(`sells in the ${DEMAND_WINDOW_S} s before t`),
  net_sol_60s: signedSol.nullable().describe(`SOL in minus SOL out in the ${DEMAND_WINDOW_S} s before t, without fees`),
  inflow_stalled: boolean.describe(`older than ${STALL_AGE_S} s and no new unique buyer in the last ${NEW_BUYER_WINDOW_S} s`),
  n_buys: count.describe('buys since launch, curve and pool'),
  n_sells: count.describe('sells since launch, curve and pool'),
  last_trade_at: unixSeconds.nullable().describe('time of the newest trade, unix seconds'),
})

const join = z.strictObject({
  by: z
    .enum(['funder', 'transaction', 'handed_over'])
    .describe('kind of link: a common funder, first buys in one transaction, or a transfer of tokens'),
  wallets: z.array(address).describe('the two wallets; handed_over: sender first'),
  funder: address
    .optional()
    .describe('wallet that funded both before their first buys; it may be one of the two, which then funded the other'),
  slot: count.optional().describe('slot of the transaction in which both first bought'),
  tx_index: z.int().optional().describe('index of the transaction in the slot'),
})

const entity = z.strictObject({
  n_wallets: count.describe('its wallets that hold tokens'),
  tokens_share: share.describe('their tokens / total supply'),
  wallets: z.array(address).describe(`the largest of them, at most ${ENTITY_WALLETS_SHOWN_MAX}`),
  joins: z.array(join).describe(`links that join the wallets, at most ${ENTITY_WALLETS_SHOWN_MAX}`),
})

const entities = fields({
  n_entities: count.describe('entities that hold tokens, single wallets included'),
  n_joined_wallets: count.describe('wallets that hold tokens and belong to an entity of several wallets'),
  top1_share: share.describe('tokens of the largest entity / total supply'),
  top5_share: share.describe('tokens of the five largest entities / total supply'),
  hhi: share.nullable().describe('sum of the squared shares of circulating tokens, by entity'),
  largest: z.array(entity).describe(`the largest entities of several wallets, at most ${ENTITIES_SHOWN_MAX}`),
})

const insider = z.strictObject({
  wallet: address.describe('insider wallet'),
  rules: z
    .array(z.enum(['a', 'b', 'c']))
    .describe(
      'a: received tokens by transfer before completion, from wallets only (tokens of a program may come from a pool that is not followed); b: funded by the creator or its funder; c: bought in the create transaction',
    ),
  tokens_share: share.describe('its tokens / total supply'),
})

export const holders = fields({
  n_holders: count
    .nullable()
    .describe(
      `wallets that hold the token, without curve and pool accounts; null above ${HOLDER_ROWS_MAX}: the smallest are then aggregated`,
    ),
  top5_share: share.nullable().describe('tokens of the five largest holders / total supply'),
  hhi: share.nullable().describe('sum of the squared holder shares of circulating tokens'),
  dev_share: share.nullable().describe('tokens of the dev set / total supply'),
  bundle_share: share
    .nullable()
    .describe(
      'tokens still held by wallets of the bundle / total supply; bundle: wallets outside the dev set that bought in the create slot',
    ),
  insider_share: share.nullable().describe('tokens of insider wallets / total supply; the dev set counts in dev_share, not here'),
  n_bundle_wallets: count.describe('wallets in the bundle'),
  bundle_dumped: boolean.describe('the bundle has sold more than half of what it bought in the create slot'),
  supply_tokens: tokens.describe('total supply: denominator of the shares'),
  supply_tokens_reason: text.optional(),
  circulating_tokens: tokens.nullable().describe('tokens outside the curve and the pool: denominator of hhi'),
  insider_share_reason: text.optional().describe('why the funding of wallets is not known'),
  n_insider_wallets: count.optional().describe('insider wallets that hold tokens'),
  insiders: z.array(insider).optional().describe(`the largest insider wallets, at most ${INSIDERS_SHOWN_MAX}`),
  entities: entities
    .optional()
    .describe(
      'holders by entity, in addition to the figures by wallet: wallets joined by a common funder in the 30 min before their first buy (customers of one exchange share a funder), by first buys in one transaction, or by a transfer of tokens',
    ),
})
