// What the fields of list items, records of wallets and the regime are.
import { creatorRecordFields } from '../labels/creator-fields.ts'
import { flags } from '../labels/flags.ts'
import { graduationFields, regimeFields, rugFields } from '../labels/market-fields.ts'
import { walletFields } from '../labels/wallet-fields.ts'
import { evidenceShape, finalityWords, flagWords, funderTypes, priorAtLaunchTypes, priorTypes, statsTypes } from './card-shapes.ts'
import { oneOf, ref, shapeOf, type Types } from './shape.ts'

/** What a window of time lacks; only where coverage is thin. */
export const missingTypes: Types = {
  coverage_reason: 'text',
  'coverage_range?': 'object',
  'coverage_range.from_slot': 'count',
  'coverage_range.to_slot': 'count',
  'observed_since?': 'time',
}
/** The same where one window of several may lack something. */
const mayMiss = (path: string): Types =>
  Object.fromEntries(
    Object.entries(missingTypes).map(([key, type]) => [path + (key === 'coverage_reason' ? 'coverage_reason?' : key), type]),
  )

/** A list of items of a named shape; `more` are fields beside it. */
export const listTypes = (item: string, more: Types = {}): Types => ({
  count: 'count',
  items: { type: 'array', items: ref(item) },
  ...more,
})

export const rugTypes: Types = {
  t: 'time',
  mint: 'address',
  name: 'text|null',
  symbol: 'text|null',
  creator: 'address|null',
  creator_is_wallet: 'boolean|null',
  flag: flagWords,
  detail: evidenceShape,
  mint_age_at_flag_s: 'number|null',
  position: 'position',
  finding_id: 'text',
  finality: finalityWords,
  ...priorTypes,
}
export const rugShape = shapeOf(rugTypes, rugFields)

export const graduationShape = shapeOf(
  {
    mint: 'address',
    name: 'text|null',
    symbol: 'text|null',
    creator: 'address',
    creator_is_wallet: 'boolean',
    migrate_t: 'time',
    graduated: 'boolean|null',
    'curve.peak_rs_sol': 'amount|null',
    'curve.pool': 'address',
    position: 'position',
    finality: finalityWords,
    holders: 'object|null',
    'holders.n_holders': 'count|null',
    'holders.top5_share': 'share|null',
    'holders.bundle_share': 'share|null',
    'holders.insider_share': 'share|null',
    'holders.insider_share_reason?': 'text',
    ...priorAtLaunchTypes,
  },
  graduationFields,
)

const creatorTypes: Types = {
  creator: 'address',
  ...statsTypes('stats.'),
  'stats.total_dev_buy_sol': 'amount',
  'recent_launches[].mint': 'address',
  'recent_launches[].t0': 'time',
  'recent_launches[].position': 'position',
  'recent_launches[].settled_at': 'time|null',
  'recent_launches[].graduated': 'count|null',
  'recent_launches[].rugged': 'count|null',
  'recent_launches[].rug_dt_s': 'amount|null',
  'recent_launches[].peak_rs': 'amount|null',
  'recent_launches[].self_graduated': 'boolean|null',
  n_live_mints: 'count',
  'live_mints[]': 'address',
  funded_recently_by: 'object|null',
  'funded_recently_by.funder': 'address',
  'funded_recently_by.amount_sol': 'amount',
  'funded_recently_by.funded_at': 'time',
  'funded_recently_by.position': 'position',
  ...funderTypes('funded_recently_by'),
}

const walletTypes: Types = {
  wallet: 'address',
  'leaderboard.class': { enum: ['insider', 'sniper', 'skilled', 'crowd', null] },
  'leaderboard.class_reason?': 'text',
  'leaderboard.rank': 'count|null',
  ...Object.fromEntries(
    ['n_positions', 'n_closed', 'n_won', 'n_sniped', 'n_with_role', 'n_trades'].map((name) => [`leaderboard.stats.${name}`, 'count']),
  ),
  'leaderboard.stats.realized_sol': 'number',
  'leaderboard.as_of': 'time|null',
  'leaderboard.window_s': 'count',
  as_creator: 'object|null',
  ...statsTypes('as_creator.'),
  'as_creator.total_dev_buy_sol': 'amount',
  'live_holdings_recent_mints[].mint': 'address',
  'live_holdings_recent_mints[].tokens_share': 'share|null',
  'live_holdings_recent_mints[].first_buy_slot': 'count|null',
  'live_holdings_recent_mints[].rs_sol': 'amount|null',
  funding_source: 'object|null',
  'funding_source.funder': 'address',
  'funding_source.amount_sol': 'amount',
  'funding_source.funded_at': 'time',
  'funding_source.position': 'position',
  'funding_source.seconds_ago': 'amount',
  ...funderTypes('funding_source'),
}

const windowTypes = (name: string): Types => ({
  [name]: 'object|null',
  [`${name}.window_s`]: 'count',
  [`${name}.launches`]: 'count',
  [`${name}.observed_s`]: 'amount',
  [`${name}.launches_per_hour`]: 'amount|null',
  [`${name}.mayhem_share`]: 'share|null',
  [`${name}.buys`]: 'count',
  [`${name}.sells`]: 'count',
  [`${name}.buy_sol`]: 'amount',
  [`${name}.sell_sol`]: 'amount',
  [`${name}.failed_share`]: 'share|null',
  [`${name}.migrations`]: 'count',
  [`${name}.true_graduations`]: 'count',
  ...Object.fromEntries(Object.keys(flags).map((flag) => [`${name}.rug_flags.${flag}`, 'count|null'])),
  [`${name}.coverage`]: oneOf('full', 'thin'),
  ...mayMiss(`${name}.`),
})

const regimeTypes: Types = { as_of: 'time|null', ...windowTypes('minute'), ...windowTypes('hour'), ...windowTypes('day') }

/** Full, and thin with what is missing. */
const both = (types: Types, docs: Readonly<Record<string, string>>) => ({
  full: shapeOf(types, docs),
  thin: shapeOf({ ...types, ...missingTypes }, docs),
})

export const creatorShapes = both(creatorTypes, creatorRecordFields)
export const walletShapes = both(walletTypes, walletFields)
export const regimeShapes = both(regimeTypes, regimeFields)
