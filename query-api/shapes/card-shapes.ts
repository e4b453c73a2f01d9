// What the fields of cards and launch items are, by the dotted paths of their labels.
import { cardFields, launchFields } from '../labels/card-fields.ts'
import { flags } from '../labels/flags.ts'
import { confidence, finality, riskLabel, status } from '../labels/states.ts'
import { oneOf, type Schema, shapeOf, type Types } from './shape.ts'

const FLAGS = Object.keys(flags)
export const flagWords = oneOf(...FLAGS)
export const finalityWords = oneOf(...Object.keys(finality))

/** What was measured, by flag; base units where another quote is named. */
const EVIDENCE: Readonly<Record<string, Types>> = {
  creator_sold: { tokens_share: 'share', sol: 'amount|null' },
  bundle_dumped: { n_wallets: 'count', bought_share: 'share', sold_share: 'share' },
  curve_drained: { peak_rs: 'amount', rs: 'amount' },
  pool_drained: { opening_quote: 'amount', quote: 'amount', 'quote_mint?': 'address' },
  curve_closed_low: { peak_rs: 'amount' },
  migrate_below_grad: { peak_rs: 'amount', pool: 'address' },
}
export const evidenceShape: Schema = { anyOf: FLAGS.map((flag) => ({ ...shapeOf(EVIDENCE[flag] ?? {}), title: flag })) }

const identityTypes: Types = {
  mint: 'address',
  name: 'text',
  symbol: 'text',
  creator: 'address',
  creator_is_wallet: 'boolean',
  created_at: 'time',
  age_s: 'count',
}

const curveTypes: Types = {
  'curve.rs_sol': 'amount|null',
  'curve.rs_at_migration_sol': 'amount|null',
  'curve.peak_rs_sol': 'amount|null',
  'curve.progress': 'share|null',
  'curve.drawdown_from_peak': 'share|null',
  'curve.complete': 'boolean',
  'curve.migrated': 'boolean',
  'curve.graduated': 'boolean|null',
  'curve.is_mayhem': 'boolean',
  'curve.dev_buy_sol': 'amount|null',
  'curve.quote_mint': 'address',
  'curve.pool?': 'address',
}

const poolTypes: Types = {
  pool: 'object|null',
  'pool.address': 'address',
  'pool.opened_at': 'time',
  'pool.opening_quote_sol': 'amount|null',
  'pool.quote_sol': 'number|null',
  'pool.quote_share': 'number',
  'pool.tokens': 'amount',
  'pool.n_trades': 'count',
  'pool.last_event_at': 'time',
}

const demandTypes: Types = {
  'demand.unique_buyers': 'count',
  'demand.buys_60s': 'count',
  'demand.sells_60s': 'count',
  'demand.net_sol_60s': 'number|null',
  'demand.inflow_stalled': 'boolean',
  'demand.n_buys': 'count',
  'demand.n_sells': 'count',
  'demand.last_trade_at': 'time|null',
}

const holdersTypes: Types = {
  'holders.n_holders': 'count|null',
  'holders.top5_share': 'share|null',
  'holders.hhi': 'share|null',
  'holders.dev_share': 'share|null',
  'holders.bundle_share': 'share|null',
  'holders.insider_share': 'share|null',
  'holders.n_bundle_wallets': 'count',
  'holders.bundle_dumped': 'boolean',
  'holders.supply_tokens': 'amount',
  'holders.supply_tokens_reason?': 'text',
  'holders.circulating_tokens': 'amount|null',
  'holders.insider_share_reason?': 'text',
  'holders.n_insider_wallets?': 'count',
  'holders.insiders?': 'list',
  'holders.insiders[].wallet': 'address',
  'holders.insiders[].rules': 'list',
  'holders.insiders[].rules[]': oneOf('a', 'b', 'c'),
  'holders.insiders[].tokens_share': 'share',
  'holders.entities?': 'object',
  'holders.entities.n_entities': 'count',
  'holders.entities.n_joined_wallets': 'count',
  'holders.entities.top1_share': 'share',
  'holders.entities.top5_share': 'share',
  'holders.entities.hhi': 'share|null',
  'holders.entities.largest[].n_wallets': 'count',
  'holders.entities.largest[].tokens_share': 'share',
  'holders.entities.largest[].wallets[]': 'address',
  'holders.entities.largest[].joins[].by': oneOf('funder', 'transaction', 'handed_over'),
  'holders.entities.largest[].joins[].wallets[]': 'address',
  'holders.entities.largest[].joins[].funder?': 'address',
  'holders.entities.largest[].joins[].slot?': 'count',
  'holders.entities.largest[].joins[].tx_index?': 'integer',
}

/** A creator's figures in full; `path` is where they stand, with a dot at its end. */
const statsTypes = (path: string): Types => ({
  [`${path}n_launches`]: 'count',
  [`${path}n_resolved`]: 'count',
  [`${path}grad_rate`]: 'share|null',
  [`${path}rug_rate`]: 'share|null',
  [`${path}median_dev_sell_s`]: 'amount|null',
  [`${path}is_first_time`]: 'boolean',
  [`${path}observed_since`]: 'time|null',
})

/** A creator's figures in short, null where they are not known. */
export const priorTypes: Types = {
  creator_prior: 'object|null',
  creator_prior_of: 'address|null',
  'creator_prior.n_launches': 'count',
  'creator_prior.grad_rate': 'share|null',
  'creator_prior.rug_rate': 'share|null',
}

export const priorAtLaunchTypes: Types = {
  creator_prior_at_launch: 'object|null',
  ...statsTypes('creator_prior_at_launch.'),
  creator_prior_of: 'address|null',
}

/** A funder's own record beside a payment. */
const funderTypes = (path: string): Types => ({
  [`${path}.funder_prior`]: 'object|null',
  [`${path}.funder_prior.n_launches`]: 'count',
  [`${path}.funder_prior.rug_rate`]: 'share|null',
})

const warmTypes: Types = {
  warm_launch: 'object|null',
  'warm_launch.funder': 'address',
  'warm_launch.amount_sol': 'amount',
  'warm_launch.funded_at': 'time',
  'warm_launch.seconds_before_launch': 'amount',
  'warm_launch.position': 'position',
  'warm_launch.funder_is_creator': 'boolean|null',
  ...funderTypes('warm_launch'),
}

const rugFlagTypes: Types = {
  'rug_flags[].flag': flagWords,
  'rug_flags[].first_seen_at': 'time',
  'rug_flags[].position': 'position',
  'rug_flags[].finding_id': 'text',
  'rug_flags[].detector_id': 'text',
  'rug_flags[].detector_version': 'count',
  'rug_flags[].finality': finalityWords,
  'rug_flags[].evidence': evidenceShape,
}

const recordTypes = (path: string): Types => ({
  [path]: 'object|null',
  [`${path}.mint`]: 'address',
  [`${path}.creator`]: 'address',
  [`${path}.t0`]: 'time',
  [`${path}.slot0`]: 'count',
  [`${path}.settled_at`]: 'time',
  [`${path}.settled_by`]: 'text',
  [`${path}.graduated`]: 'boolean|null',
  [`${path}.rugged`]: 'boolean|null',
  [`${path}.rug_kind`]: 'text|null',
  [`${path}.rug_dt_s`]: 'amount|null',
  [`${path}.peak_rs`]: 'amount|null',
  [`${path}.terminal_rs`]: 'amount|null',
  [`${path}.dev_first_sell_dt_s`]: 'amount|null',
  [`${path}.dev_buy_sol`]: 'amount|null',
  [`${path}.reached_5_sol`]: 'boolean|null',
  [`${path}.n_trades`]: 'count',
  [`${path}.n_buyers`]: 'count',
  [`${path}.is_mayhem`]: 'boolean',
  [`${path}.self_graduated`]: 'boolean',
  [`${path}.censored`]: 'text|null',
  [`${path}.reopened_at`]: 'time|null',
})

const contextTypes: Types = {
  confidence: oneOf(...Object.keys(confidence)),
  base_rates: 'object|null',
  'base_rates.window_days': 'count',
  'base_rates.launches': 'count',
  'base_rates.grad_rate': 'share|null',
  'base_rates.rug_rate': 'share|null',
  'base_rates.dev_sold_rate': 'share|null',
  'base_rates.reached_5_sol_rate': 'share|null',
  'base_rates.as_of': 'time',
  'next.creator': 'text|null',
  'next.regime': 'text|null',
}

const labelTypes: Types = { status: oneOf(...Object.keys(status)), risk_label: oneOf(...Object.keys(riskLabel)) }
const rangeTypes: Types = { 'coverage_range?': 'object', 'coverage_range.from_slot': 'count', 'coverage_range.to_slot': 'count' }

const fullTypes: Types = {
  ...identityTypes,
  'dev_wallets[]': 'address',
  coverage: oneOf('full'),
  ...labelTypes,
  'why[]': 'text',
  ...curveTypes,
  ...poolTypes,
  ...demandTypes,
  ...holdersTypes,
  'exit_signals.creator_sold': 'boolean',
  'exit_signals.top5_holder_sold_recent': 'boolean|null',
  'exit_signals.inflow_stalled': 'boolean',
  'exit_signals.progress_reversed': 'boolean|null',
  ...priorAtLaunchTypes,
  ...warmTypes,
  ...rugFlagTypes,
  ...Object.fromEntries(FLAGS.map((flag) => [`flags.${flag}`, 'boolean|null'])),
  'creator_changes[].creator': 'address',
  'creator_changes[].kind': 'text',
  'creator_changes[].at': 'time',
  'creator_changes[].position': 'position',
  ...recordTypes('outcome'),
  'as_of.position': 'position',
  'as_of.at': 'time',
  ...contextTypes,
  'next.wallet': 'text|null',
  'next.rugs': 'text|null',
}
export const fullCardShape = shapeOf(fullTypes, cardFields)

export const fullLaunchShape = shapeOf(
  {
    ...identityTypes,
    coverage: oneOf('full'),
    ...labelTypes,
    ...curveTypes,
    ...demandTypes,
    ...holdersTypes,
    ...priorAtLaunchTypes,
    ...warmTypes,
    ...rugFlagTypes,
  },
  launchFields,
)

/** Parts that thin cards are made of. */
export const thinParts = { identityTypes, labelTypes, rangeTypes, priorAtLaunchTypes, warmTypes, rugFlagTypes, recordTypes, contextTypes }
