// Rows of the contract's tables as data, without checks: routes, parameters and typical values, and where we deviate.

export interface RouteRow {
  readonly path: string
  /** USD as the contract has it; 0 is free. */
  readonly priceUsd: number
  readonly tool: string | null
}
export interface ParameterRow {
  readonly path: string
  readonly name: string
  readonly type: string
  readonly bounds: Readonly<Record<string, number | boolean | string>>
  readonly required: boolean
}
/** Typical values, as the contract publishes them: milliseconds, and seconds of age. */
export interface TypicalRow {
  readonly path: string
  readonly coverage: 'full' | 'thin'
  readonly latencyMs: number | null
  readonly freshnessS: number
}

const route = (path: string, priceUsd: number, tool: string | null = null): RouteRow => ({ path, priceUsd, tool })

export const routeRows: readonly RouteRow[] = [
  route('/v1/mint/{mint}', 0.025, 'mint_risk_card'),
  route('/v1/launches/recent', 0.01, 'recent_launches'),
  route('/v1/rugs/recent', 0.02, 'recent_rugs'),
  route('/v1/graduations/recent', 0.02, 'recent_graduations'),
  route('/v1/creator/{address}', 0.02, 'creator_reputation'),
  route('/v1/wallet/{address}', 0.02, 'wallet_profile'),
  route('/v1/alt/launches/recent', 0.01, 'rhc_recent_launches'),
  route('/v1/alt/curve/{address}', 0.02, 'rhc_curve_card'),
  route('/v1/check/mint/{mint}', 0.005, 'check_launchpad_risk'),
  route('/v1/check/watchlist', 0.01, 'check_watchlist_risk'),
  route('/v1/launches/since', 0.001, 'launches_since'),
  route('/v1/alerts/webhook', 0.1),
  route('/v1/calibration', 0),
  route('/v1/track-record', 0),
  route('/v1/outcomes/{mint}', 0),
  route('/v1/odds/proof', 0),
  route('/token/{mint}', 0),
  route('/radar', 0),
  route('/alerts', 0),
  route('/', 0),
  route('/.well-known/x402', 0),
  route('/v1/x402/resources', 0, 'catalog'),
  route('/v1/labels', 0),
  route('/llms.txt', 0),
  route('/llms-full.txt', 0),
  route('/robots.txt', 0),
  route('/terms', 0),
  route('/openapi.json', 0),
  route('/health', 0, 'health'),
  route('/v1/market/regime', 0, 'market_regime'),
  route('/v1/alt/regime', 0, 'rhc_regime'),
  route('/v1/sample/launches', 0),
  route('/v1/sample/rugs', 0),
  route('/v1/sample/mint', 0, 'sample_mint'),
  route('/v1/check/coverage', 0, 'check_coverage'),
  route('/v1/check/watch', 0, 'watchlist_updates'),
  route('/v1/evidence/{finding_id}', 0),
  route('/v1/stream/flags', 0),
  route('/v1/cohort/mint/{mint}', 0.02, 'launch_cohort'),
  route('/v1/radar', 0, 'radar'),
]

type Bounds = ParameterRow['bounds']
const optional = (path: string, name: string, type: string, bounds: Bounds): ParameterRow => ({ path, name, type, bounds, required: false })
const required = (path: string, name: string, bounds: Bounds = {}, type = 'string'): ParameterRow => ({
  path,
  name,
  type,
  bounds,
  required: true,
})

const ADDRESS: Bounds = { minLength: 32, maxLength: 44 }
const MINTS: Bounds = { maxLength: 224 }
const CURSOR: Bounds = { maxLength: 1_024 }
const limit = (path: string, maximum: number, fallback = 50): ParameterRow =>
  optional(path, 'limit', 'integer', { minimum: 1, maximum, default: fallback })
const seconds = (path: string, name: string, minimum: number, maximum: number, fallback: number): ParameterRow =>
  optional(path, name, 'number', { minimum, maximum, default: fallback })

export const parameterRows: readonly ParameterRow[] = [
  required('/v1/mint/{mint}', 'mint', ADDRESS),
  limit('/v1/launches/recent', 100),
  seconds('/v1/launches/recent', 'max_age_s', 30, 21_600, 3_600),
  optional('/v1/launches/recent', 'exclude_mayhem', 'boolean', { default: true }),
  optional('/v1/launches/recent', 'min_rs', 'number', { minimum: 0, default: 0 }),
  optional('/v1/launches/recent', 'only_alive', 'boolean', { default: false }),
  limit('/v1/rugs/recent', 200),
  seconds('/v1/rugs/recent', 'window_s', 60, 21_600, 3_600),
  limit('/v1/graduations/recent', 100),
  seconds('/v1/graduations/recent', 'window_s', 60, 86_400, 21_600),
  required('/v1/creator/{address}', 'address', ADDRESS),
  required('/v1/wallet/{address}', 'address', ADDRESS),
  required('/v1/check/mint/{mint}', 'mint', ADDRESS),
  optional('/v1/check/mint/{mint}', 'cursor', 'string', CURSOR),
  required('/v1/check/watchlist', 'mints', MINTS),
  optional('/v1/check/watchlist', 'cursor', 'string', CURSOR),
  required('/v1/check/coverage', 'mints', MINTS),
  required('/v1/check/watch', 'mints', MINTS),
  optional('/v1/check/watch', 'cursor', 'string', CURSOR),
  limit('/v1/alt/launches/recent', 200),
  seconds('/v1/alt/launches/recent', 'max_age_s', 30, 21_600, 3_600),
  optional('/v1/alt/launches/recent', 'pair', 'string', { pattern: '^(any|eth)$', default: 'any' }),
  optional('/v1/alt/launches/recent', 'only_live', 'boolean', { default: false }),
  optional('/v1/alt/launches/recent', 'min_buys', 'integer', { minimum: 0, default: 0 }),
  required('/v1/evidence/{finding_id}', 'finding_id', { maxLength: 200 }),
  optional('/v1/evidence/{finding_id}', 'bundle', 'boolean', { default: false }),
  required('/v1/alt/curve/{address}', 'address'),
  required('/v1/cohort/mint/{mint}', 'mint', ADDRESS),
  required('/v1/outcomes/{mint}', 'mint', ADDRESS),
  required('/v1/odds/proof', 'id', { maxLength: 250 }),
  required('/v1/launches/since', 'since', CURSOR),
  limit('/v1/launches/since', 100, 100),
  limit('/v1/radar', 25, 10),
  required('/v1/alerts/webhook', 'kinds'),
  required('/v1/alerts/webhook', 'target'),
  optional('/v1/alerts/webhook', 'url', 'string', { maxLength: 2_000 }),
  optional('/v1/alerts/webhook', 'chat_id', 'string', { maxLength: 64 }),
  optional('/v1/alerts/webhook', 'bot_token', 'string', { maxLength: 128 }),
  optional('/v1/alerts/webhook', 'min_odds', 'number', { minimum: 0, maximum: 1, default: 0.5 }),
]

const typical = (path: string, latencyMs: number | null, freshnessS: number, coverage: TypicalRow['coverage'] = 'full'): TypicalRow => ({
  path,
  coverage,
  latencyMs,
  freshnessS,
})

export const typicalRows: readonly TypicalRow[] = [
  typical('/v1/mint/{mint}', 15, 2),
  typical('/v1/mint/{mint}', 300, 1, 'thin'),
  typical('/v1/launches/recent', 25, 2),
  typical('/v1/rugs/recent', 10, 2),
  typical('/v1/graduations/recent', 15, 2),
  typical('/v1/creator/{address}', 20, 2),
  typical('/v1/wallet/{address}', 20, 2),
  typical('/v1/alt/launches/recent', 60, 3),
  typical('/v1/alt/curve/{address}', 20, 3),
  typical('/v1/check/mint/{mint}', null, 5),
  typical('/v1/check/watchlist', null, 5),
]

/** Where we depart from the contract, and why. */
export const deviations: readonly (readonly [row: string, what: string])[] = [
  ['creator record: recent_launches[].graduated, rugged', 'null with a reason while a launch is not settled: unknown is never 0'],
  [
    'fields marked "or null with its reason" below',
    'null where the value is not known (another quote currency, a gap, an answer that is pending), and a field of the same name with _reason has the reason',
  ],
  ['all envelopes', 'meta has fields in addition to those of the contract (sandbox, delayed_s, ages of results): additions'],
  ['422 of paid routes', 'an unknown query parameter is refused too, and the body has charged: false in addition to detail'],
  [
    'evidence of a finding younger than 300 s',
    'status withheld, for every id in a slot of that age: the answer does not reveal whether the finding exists',
  ],
  ['400 and 422 of the compact checks', 'a wrong form (missing, too long, too many, given twice) is a 422, a wrong content a 400'],
  [
    '/v1/cohort/mint/{mint}, launch_cohort',
    'an addition, with its own fields, labels and refusals (404 no_cohort, 503 history_unavailable, both before payment)',
  ],
  [
    '/v1/track-record, /v1/outcomes/{mint}, /v1/odds/proof',
    'additions, free: the calls of the odds, the outcomes of launches, and the proof that a probability was logged before the outcome',
  ],
  [
    '/v1/radar, radar',
    'the data route of the ranked preview, whose path the contract does not show, and a tool: additions. Rows and data have fields of their own (flags_pending, ranked_by, as_of, model.heads)',
  ],
  [
    '/v1/launches/since',
    'launches of confirmed slots in the order of the chain; 400 for a forged cursor and 410 for an expired one, as on the paid checks, and 503 feed_behind, all unpaid; limit is an addition',
  ],
  [
    '/v1/alerts/webhook',
    'no 402 and no receipt shows url, chat_id or bot_token: resource.url has redacted in their place; two more headers carry the time of an attempt and a signature over it',
  ],
  ['list routes, creator, wallet, regime', 'data has coverage_reason and coverage_range where coverage is thin: additions'],
]
