// What the fields of thin cards and items are: only history and on-chain state is given, as far as known.
import { HAZARDS } from '../../processors/mint/hazards.ts'
import { cardFields, launchFields } from '../labels/card-fields.ts'
import { flagWords, priorTypes, thinParts } from './card-shapes.ts'
import { oneOf, shapeOf, type Types } from './shape.ts'

const { identityTypes, labelTypes, rangeTypes, priorAtLaunchTypes, warmTypes, rugFlagTypes, recordTypes, contextTypes } = thinParts

/** Of a mint whose launch was not witnessed nobody knows these. */
const optional = (types: Types): Types => Object.fromEntries(Object.entries(types).map(([path, type]) => [`${path}?`, type]))

const onchainTypes: Types = {
  onchain: 'object|null',
  'onchain.slot': 'count',
  'onchain.exists': 'boolean',
  'onchain.is_token_mint': 'boolean|null',
  'onchain.name': 'text|null',
  'onchain.symbol': 'text|null',
  'onchain.token_program': 'address|null',
  'onchain.decimals': 'count|null',
  'onchain.supply_ui': 'amount|null',
  'onchain.mint_authority': 'address|null',
  'onchain.freeze_authority': 'address|null',
  'onchain.hazards': 'list|null',
  'onchain.hazards[]': oneOf(...Object.keys(HAZARDS)),
  'onchain.extensions': 'list|null',
  'onchain.extensions[].name': 'text',
  'onchain.extensions[].basis_points?': 'count',
  'onchain.extensions[].from_epoch?': 'count',
  'onchain.extensions[].before_basis_points?': 'count',
  'onchain.extensions[].max_ui?': 'amount',
  'onchain.extensions[].authority?': 'address|null',
  'onchain.extensions[].program?': 'address|null',
  'onchain.extensions[].delegate?': 'address|null',
  'onchain.extensions[].frozen?': 'boolean',
  'onchain.extensions[].paused?': 'boolean',
  'onchain.launchpad': 'object|null',
  'onchain.launchpad.is_launchpad': 'boolean|null',
  'onchain.launchpad.bonding_curve': 'address',
  'onchain.launchpad.complete': 'boolean|null',
  'onchain.launchpad.real_sol_reserves_sol': 'amount|null',
  'onchain.launchpad.virtual_sol_reserves_sol': 'amount|null',
  'onchain.launchpad.progress': 'share|null',
  'onchain.launchpad.price_sol_per_token': 'amount|null',
  'onchain.launchpad.market_cap_sol': 'amount|null',
  'onchain.launchpad.creator': 'address|null',
  'onchain.launchpad.cashback_enabled': 'boolean|null',
  'onchain.launchpad.is_mayhem_supply': 'boolean|null',
  'onchain.launchpad.quote_mint': 'address|null',
}

export const thinCardShape = shapeOf(
  {
    mint: 'address',
    ...optional({ name: 'text', symbol: 'text', created_at: 'time', age_s: 'count' }),
    creator: 'address|null',
    creator_is_wallet: 'boolean|null',
    coverage: oneOf('thin'),
    coverage_reason: 'text',
    ...rangeTypes,
    ...labelTypes,
    'why[]': 'text',
    ...recordTypes('history'),
    ...onchainTypes,
    ...priorTypes,
    'last_seen?': 'object',
    'last_seen.position': 'position',
    'last_seen.at': 'time',
    'last_seen.rs_sol': 'amount|null',
    'last_seen.complete': 'boolean',
    'last_seen.migrated': 'boolean',
    'last_seen.is_mayhem': 'boolean',
    'rug_flags?': 'list',
    ...rugFlagTypes,
    'flags_fired?': 'list',
    'flags_fired[]': flagWords,
    ...contextTypes,
  },
  cardFields,
)

export const thinLaunchShape = shapeOf(
  {
    ...identityTypes,
    coverage: oneOf('thin'),
    coverage_reason: 'text',
    ...labelTypes,
    'curve.position': 'position',
    'curve.at': 'time',
    'curve.rs_sol': 'amount|null',
    'curve.complete': 'boolean',
    'curve.migrated': 'boolean',
    'curve.is_mayhem': 'boolean',
    demand: { type: 'null' },
    demand_reason: 'text',
    holders: { type: 'null' },
    holders_reason: 'text',
    ...priorAtLaunchTypes,
    ...warmTypes,
    ...rugFlagTypes,
  },
  launchFields,
)
