// What the fields of list items, records of wallets and the regime are.
import { flags } from '../labels/flags.ts'
import { graduationFields, regimeFields, rugFields } from '../labels/market-fields.ts'
import { evidenceShape, finalityWords, flagWords, priorAtLaunchTypes, priorTypes } from './card-shapes.ts'
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

export const regimeShapes = both(regimeTypes, regimeFields)
