// The rows of the contract's tables, as data: what is said there, and nothing of how it is met.

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
  readonly bounds: Readonly<Record<string, number | boolean>>
  readonly required: boolean
}
export interface FieldRow {
  readonly component: string
  readonly field: string
  readonly type: string
}
export interface ErrorRow {
  readonly status: number
  readonly where: string
  /** A request that meets it; `MINT` is a covered mint, `UNSEEN` one that nobody saw. */
  readonly request: string
  readonly charged: false | 'not said'
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
]

const optional = (path: string, name: string, type: string, bounds: ParameterRow['bounds']): ParameterRow => ({
  path,
  name,
  type,
  bounds,
  required: false,
})
const required = (path: string, name: string, bounds: ParameterRow['bounds'] = {}): ParameterRow => ({
  path,
  name,
  type: 'string',
  bounds,
  required: true,
})

export const parameterRows: readonly ParameterRow[] = [
  required('/v1/mint/{mint}', 'mint', { minLength: 32, maxLength: 44 }),
  optional('/v1/launches/recent', 'limit', 'integer', { minimum: 1, maximum: 100, default: 50 }),
  optional('/v1/launches/recent', 'max_age_s', 'number', { minimum: 30, maximum: 21_600, default: 3_600 }),
  optional('/v1/launches/recent', 'exclude_mayhem', 'boolean', { default: true }),
  optional('/v1/launches/recent', 'min_rs', 'number', { minimum: 0, default: 0 }),
  optional('/v1/launches/recent', 'only_alive', 'boolean', { default: false }),
  optional('/v1/rugs/recent', 'limit', 'integer', { minimum: 1, maximum: 200, default: 50 }),
  optional('/v1/rugs/recent', 'window_s', 'number', { minimum: 60, maximum: 21_600, default: 3_600 }),
  optional('/v1/graduations/recent', 'limit', 'integer', { minimum: 1, maximum: 100, default: 50 }),
  optional('/v1/graduations/recent', 'window_s', 'number', { minimum: 60, maximum: 86_400, default: 21_600 }),
  required('/v1/creator/{address}', 'address'),
  required('/v1/wallet/{address}', 'address'),
  required('/v1/check/mint/{mint}', 'mint'),
  optional('/v1/check/mint/{mint}', 'cursor', 'string', { maxLength: 1_024 }),
  required('/v1/check/watchlist', 'mints', { maxLength: 224 }),
  optional('/v1/check/watchlist', 'cursor', 'string', { maxLength: 1_024 }),
  required('/v1/check/coverage', 'mints', { maxLength: 224 }),
  required('/v1/check/watch', 'mints', { maxLength: 224 }),
  optional('/v1/check/watch', 'cursor', 'string', { maxLength: 1_024 }),
  optional('/v1/alt/launches/recent', 'limit', 'integer', { minimum: 1, maximum: 200, default: 50 }),
  optional('/v1/alt/launches/recent', 'max_age_s', 'number', { minimum: 30, maximum: 21_600, default: 3_600 }),
  optional('/v1/alt/launches/recent', 'pair', 'string', {}),
  optional('/v1/alt/launches/recent', 'only_live', 'boolean', { default: false }),
  optional('/v1/alt/launches/recent', 'min_buys', 'integer', { minimum: 0, default: 0 }),
  required('/v1/alt/curve/{address}', 'address'),
]

/** By component: `field:type`, with `a|b` for one of several. */
const FIELDS: Readonly<Record<string, string>> = {
  LaunchesAnswer:
    'ok:boolean schema_version:string generated_at:string t:number coverage:string data:object meta:object meta.source:string meta.version:string meta.feed_lag_s:number|null meta.is_stale:boolean meta.last_slot:integer|null meta.price_usd:number meta.next:object meta.labels:string meta.disclaimer:string meta.max_feed_lag_s:number meta.chain_lag_s:number|null meta.slots_behind:integer|null meta.tape_behind:boolean meta.untrusted_text_note:string data.count:integer data.items:array',
  FullMintCard:
    'mint:string name:string symbol:string creator:string created_at:number age_s:number coverage:string status:string risk_label:string confidence:string why:array curve.rs_sol:number curve.peak_rs_sol:number curve.progress:number curve.drawdown_from_peak:number curve.complete:boolean curve.migrated:boolean curve.graduated:boolean|null curve.is_mayhem:boolean curve.dev_buy_sol:number demand.unique_buyers:integer demand.buys_60s:integer demand.sells_60s:integer demand.net_sol_60s:number demand.inflow_stalled:boolean holders.n_holders:integer holders.top5_share:number holders.hhi:number holders.dev_share:number holders.bundle_share:number holders.insider_share:number holders.n_bundle_wallets:integer holders.bundle_dumped:boolean exit_signals.creator_sold:boolean exit_signals.top5_holder_sold_recent:boolean exit_signals.inflow_stalled:boolean exit_signals.progress_reversed:boolean creator_prior_at_launch.n_launches:integer creator_prior_at_launch.n_resolved:integer creator_prior_at_launch.grad_rate:number creator_prior_at_launch.rug_rate:number creator_prior_at_launch.median_dev_sell_s:number creator_prior_at_launch.is_first_time:boolean warm_launch:object|null rug_flags:array flags:object base_rates.window_days:integer base_rates.launches:integer base_rates.grad_rate:number base_rates.rug_rate:number base_rates.dev_sold_rate:number base_rates.reached_5_sol_rate:number next.creator:string next.regime:string next.rugs:string',
  ThinMintCard:
    'mint:string coverage:string coverage_reason:string status:string risk_label:string confidence:string why:array history:object|null onchain.slot:integer onchain.exists:boolean onchain.is_token_mint:boolean onchain.token_program:string onchain.decimals:integer onchain.supply_ui:number onchain.mint_authority:string|null onchain.freeze_authority:string|null onchain.launchpad.is_launchpad:boolean onchain.launchpad.bonding_curve:string onchain.launchpad.complete:boolean onchain.launchpad.real_sol_reserves_sol:number onchain.launchpad.virtual_sol_reserves_sol:number onchain.launchpad.progress:number onchain.launchpad.price_sol_per_token:number onchain.launchpad.market_cap_sol:number onchain.launchpad.creator:string onchain.launchpad.cashback_enabled:boolean onchain.launchpad.is_mayhem_supply:boolean creator_prior.n_launches:integer creator_prior.grad_rate:number creator_prior.rug_rate:number base_rates.window_days:integer base_rates.launches:integer base_rates.grad_rate:number base_rates.rug_rate:number next.creator:string next.regime:string history_reason:string',
  FullLaunch:
    'mint:string age_s:number curve.rs_sol:number curve.progress:number holders.bundle_share:number holders.top5_share:number demand.unique_buyers:integer creator_prior_at_launch.n_launches:integer creator_prior_at_launch.is_first_time:boolean rug_flags:array holders.insider_share:number holders.dev_share:number warm_launch:object|null',
  Rug: 't:number mint:string flag:string detail:object mint_age_at_flag_s:number creator:string name:string symbol:string',
  Graduation:
    'mint:string migrate_t:number graduated:boolean curve.peak_rs_sol:number curve.pool:string holders.n_holders:integer holders.top5_share:number holders.bundle_share:number holders.insider_share:number creator_prior_at_launch:object',
  CreatorAnswer:
    'data.creator:string data.stats.n_launches:integer data.stats.n_resolved:integer data.stats.grad_rate:number data.stats.rug_rate:number data.stats.median_dev_sell_s:number data.stats.is_first_time:boolean data.stats.total_dev_buy_sol:number data.recent_launches[].mint:string data.recent_launches[].t0:number data.recent_launches[].graduated:integer data.recent_launches[].rugged:integer data.recent_launches[].rug_dt_s:number data.recent_launches[].peak_rs:number data.live_mints:array data.funded_recently_by:object|null',
  WalletAnswer:
    'data.wallet:string data.leaderboard.class:string data.leaderboard.rank:integer data.leaderboard.stats.n_positions:integer data.leaderboard.stats.realized_sol:number data.as_creator:object|null data.live_holdings_recent_mints[].mint:string data.live_holdings_recent_mints[].tokens_share:number data.live_holdings_recent_mints[].first_buy_slot:integer data.live_holdings_recent_mints[].rs_sol:number',
  CheckAnswer:
    'data.status:string data.result_id:string data.count:integer data.items:array data.cursor:string data.watch_events:array data.changed:boolean data.charged:boolean data.next_check_after_s:integer',
  CheckItem:
    'mint:string status:string lifecycle:string risk_label:string findings[].code:string findings[].first_seen_at:number|null findings[].evidence:object snapshot_slot:integer|null last_trade_at:number|null concentration.top5_share:number|null concentration.dev_share:number|null concentration.bundle_share:number|null concentration.insider_share:number|null buyer_flow.unique_buyers_60s:integer|null buyer_flow.buys_60s:integer|null buyer_flow.sells_60s:integer|null buyer_flow.net_sol_60s:number|null buyer_flow.inflow_stalled:boolean|null curve.rs_sol:number|null curve.peak_rs_sol:number|null curve.drawdown_from_peak:number|null curve.graduated:boolean|null full_card_url:string',
  PaymentRequired:
    'x402Version:number error:string resource:object accepts[].scheme:string accepts[].network:string accepts[].asset:string accepts[].amount:string accepts[].payTo:string accepts[].maxTimeoutSeconds:number accepts[].extra:object extensions:object',
  ValidationError: 'detail[].loc:array detail[].msg:string detail[].type:string detail[].ctx:object',
  Refusal: 'ok:boolean error:string hint:string',
}

export const fieldRows: readonly FieldRow[] = Object.entries(FIELDS).flatMap(([component, fields]) =>
  fields.split(' ').map((entry) => {
    const [field = '', type = ''] = entry.split(':')
    return { component, field, type }
  }),
)

export const errorRows: readonly ErrorRow[] = [
  { status: 400, where: 'compact checks: invalid mint list', request: '/v1/check/watchlist?mints=MINT,MINT', charged: false },
  { status: 400, where: 'compact checks: invalid cursor', request: '/v1/check/mint/MINT?cursor=forged', charged: false },
  { status: 402, where: 'all paid routes: payment required', request: '/v1/mint/MINT', charged: 'not said' },
  { status: 402, where: 'bare paths, for crawlers', request: '/v1/mint', charged: 'not said' },
  { status: 404, where: 'card routes: not an address', request: '/v1/mint/nonsense', charged: 'not said' },
  { status: 404, where: 'compact checks: coverage missing', request: '/v1/check/mint/UNSEEN', charged: false },
  { status: 422, where: 'routes with parameters: validation error', request: '/v1/launches/recent?limit=0', charged: 'not said' },
  { status: 422, where: 'free checks: validation error', request: '/v1/check/coverage?mints=nonsense', charged: 'not said' },
  { status: 422, where: 'mints: more than 224 characters', request: `/v1/check/coverage?mints=${'1'.repeat(225)}`, charged: 'not said' },
  {
    status: 422,
    where: 'cursor: more than 1024 characters',
    request: `/v1/check/watch?mints=MINT&cursor=${'c'.repeat(1_025)}`,
    charged: 'not said',
  },
]

/** Rows that are met elsewhere, by a test that exists under this name. */
export const testedElsewhere: readonly (readonly [row: string, file: string])[] = [
  ['410: cursor older than 24 hours', 'test/integration/api-check.test.ts'],
  ['503: feed lag above 5 s, unpaid', 'test/integration/api-check.test.ts'],
  ['no change: unpaid, status 200, charged false', 'test/integration/api-check.test.ts'],
  ['409: payment and request do not fit, or the outcome is not known', 'test/integration/payment/faults.test.ts'],
  ['an exact signed-payment retry within 10 minutes returns the original result', 'test/integration/payment/buying.test.ts'],
  ['429: Retry-After, nothing charged', 'test/integration/api-limits.test.ts'],
  ['payment in params._meta over MCP; HTTP header PAYMENT-RESPONSE on the 200', 'test/e2e/clients/clients.test.ts'],
  ['samples are at least 300 s old', 'test/integration/api-samples.test.ts'],
  ['creator record: last 25 launches', 'test/integration/api-creator.test.ts'],
  ['wallet record: last 3000 mints, 3-day leaderboard', 'test/integration/api-wallet.test.ts'],
]

/** What is not here yet, by the beginning of its path. */
export const NOT_BUILT: readonly string[] = ['/v1/alt/', '/v1/launches/since', '/v1/alerts/webhook', '/v1/calibration']

/** Where we depart from the contract, and why. */
export const deviations: readonly (readonly [row: string, what: string])[] = [
  ['creator record: recent_launches[].graduated, rugged', 'null with a reason while a launch is not settled: unknown is never 0'],
  ['numbers of cards', 'null with a reason where they are not known: another quote currency, a gap, an answer that is pending'],
  ['all envelopes', 'meta has fields of its own beside those of the contract (sandbox, delayed_s, ages of results): additions'],
]
