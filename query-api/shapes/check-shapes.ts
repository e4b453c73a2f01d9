// What the fields of the compact checks, of the free watch, of coverage and of evidence are.
import { WATCH_EVENTS } from '../../processors/mint/watch-events.ts'
import { MINTS_MAX } from '../answers/check-ground.ts'
import { CURSOR_CHARS_MAX } from '../cursors.ts'
import { checkFields, coverageFields, evidenceFields, watchFields } from '../labels/check-fields.ts'
import { riskLabel, status } from '../labels/states.ts'
import { evidenceShape, finalityWords, flagWords } from './card-shapes.ts'
import { oneOf, ref, type Schema, shapeOf } from './shape.ts'

const cursor: Schema = { type: 'string', minLength: 1, maxLength: CURSOR_CHARS_MAX }
const items: Schema = { type: 'array', items: ref('CheckItem'), minItems: 1, maxItems: MINTS_MAX }

/** Meanings of an item, without the list it stands in. */
const itemDocs = Object.fromEntries(
  Object.entries(checkFields).flatMap(([path, doc]) => (path.startsWith('items[].') ? [[path.slice('items[].'.length), doc]] : [])),
)

export const checkItemShape = shapeOf(
  {
    mint: 'address',
    status: oneOf('flags_observed', 'no_flags_observed'),
    lifecycle: oneOf(...Object.keys(status)),
    risk_label: oneOf(...Object.keys(riskLabel)),
    new_events: { type: 'array', items: oneOf(...WATCH_EVENTS) },
    'findings[].code': flagWords,
    'findings[].first_seen_at': 'time|null',
    'findings[].finding_id': 'text',
    'findings[].finality': finalityWords,
    'findings[].is_new': 'boolean',
    'findings[].evidence': evidenceShape,
    snapshot_slot: 'count|null',
    last_trade_at: 'time|null',
    'concentration.top5_share': 'share|null',
    'concentration.dev_share': 'share|null',
    'concentration.bundle_share': 'share|null',
    'concentration.insider_share': 'share|null',
    'concentration.insider_share_reason?': 'text',
    'buyer_flow.unique_buyers_60s': 'count|null',
    'buyer_flow.buys_60s': 'count|null',
    'buyer_flow.sells_60s': 'count|null',
    'buyer_flow.net_sol_60s': 'number|null',
    'buyer_flow.inflow_stalled': 'boolean|null',
    'curve.rs_sol': 'amount|null',
    'curve.peak_rs_sol': 'amount|null',
    'curve.drawdown_from_peak': 'share|null',
    'curve.graduated': 'boolean|null',
    full_card_url: { type: 'string', pattern: '^https?://' },
  },
  itemDocs,
)

export const checkResultShape = shapeOf(
  {
    status: oneOf('flags_observed', 'no_flags_observed'),
    result_id: 'text',
    count: { type: 'integer', minimum: 1, maximum: MINTS_MAX },
    items,
    cursor,
    watch_events: { type: 'array', items: oneOf(...WATCH_EVENTS) },
  },
  checkFields,
)

export const noChangeShape = shapeOf(
  {
    status: oneOf('no_new_events'),
    changed: oneOf(false),
    count: oneOf(0),
    items: { type: 'array', items: ref('CheckItem'), maxItems: 0 },
    cursor,
    charged: oneOf(false),
    next_check_after_s: 'count',
  },
  checkFields,
)

export const watchShape = shapeOf(
  {
    has_new_events: 'boolean',
    cursor,
    mints: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MINTS_MAX },
    next_check_after_s: 'count',
  },
  watchFields,
)

export const coverageShape = shapeOf(
  {
    'items[].mint': 'address',
    'items[].coverage': oneOf('full', 'thin'),
    'items[].reason': 'text',
    all_full: 'boolean',
    feed_lag_s: 'amount|null',
    'prices.single_usd': 'amount',
    'prices.watchlist_usd': 'amount',
  },
  coverageFields,
)

export const findingShape = shapeOf(
  {
    finding_id: 'text',
    status: oneOf('stands', 'retracted'),
    mint: 'address',
    flag: flagWords,
    detector_id: 'text',
    detector_version: 'count|null',
    first_seen_at: 'time',
    mint_age_at_flag_s: 'number|null',
    position: 'position',
    finality: 'text|null',
    evidence: evidenceShape,
    events: { type: ['array', 'null'], items: { type: 'string' } },
    'events_reason?': 'text',
    delayed_s: 'count',
  },
  evidenceFields,
)

/** Of a finding that is not free yet, and of every id in a slot so young. */
export const withheldShape = shapeOf(
  {
    finding_id: 'text',
    status: oneOf('withheld'),
    mint: 'address',
    detector_id: 'text',
    position: 'position',
    free_at: 'time',
    delayed_s: 'count',
  },
  evidenceFields,
)
