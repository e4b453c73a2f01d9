// Rows of the contract about fields: types, allowed values and bounds, each with its component of `/openapi.json`.

export interface FieldRow {
  /** `Envelope` stands for every answer in an envelope. */
  readonly component: string
  readonly field: string
  /** As the contract states it, with `|null` where it allows null. */
  readonly type: string
}
export interface WordsRow {
  readonly component: string
  readonly field: string
  /** The values that the contract names; the field may have more. */
  readonly words: readonly (string | number | boolean)[]
}
export interface BoundRow {
  readonly component: string
  readonly field: string
  readonly bounds: Readonly<Record<string, number>>
}

/** By component: `field:type`, separated by spaces; `a|b` is one of several types. */
const FIELDS: Readonly<Record<string, string>> = {
  Envelope:
    'ok:boolean schema_version:string generated_at:string t:number coverage:string data:object meta:object meta.source:string meta.version:string meta.feed_lag_s:number|null meta.is_stale:boolean meta.last_slot:integer|null meta.price_usd:number|null meta.next:object|null meta.labels:string meta.disclaimer:string meta.max_feed_lag_s:number meta.chain_lag_s:number meta.slots_behind:integer meta.tape_behind:boolean meta.untrusted_text_note:string',
  LaunchesAnswer: 'data.count:integer data.items:array',
  RugsAnswer: 'data.count:integer data.items:array',
  GraduationsAnswer: 'data.count:integer data.items:array',
  FullMintCard:
    'mint:string name:string symbol:string creator:string created_at:number age_s:number coverage:string status:string risk_label:string confidence:string why:array why[]:string curve.rs_sol:number curve.peak_rs_sol:number curve.progress:number curve.drawdown_from_peak:number curve.complete:boolean curve.migrated:boolean curve.graduated:boolean|null curve.is_mayhem:boolean curve.dev_buy_sol:number demand.unique_buyers:integer demand.buys_60s:integer demand.sells_60s:integer demand.net_sol_60s:number demand.inflow_stalled:boolean holders.n_holders:integer holders.top5_share:number holders.hhi:number holders.dev_share:number holders.bundle_share:number holders.insider_share:number holders.n_bundle_wallets:integer holders.bundle_dumped:boolean exit_signals.creator_sold:boolean exit_signals.top5_holder_sold_recent:boolean exit_signals.inflow_stalled:boolean exit_signals.progress_reversed:boolean creator_prior_at_launch.n_launches:integer creator_prior_at_launch.n_resolved:integer creator_prior_at_launch.grad_rate:number creator_prior_at_launch.rug_rate:number creator_prior_at_launch.median_dev_sell_s:number creator_prior_at_launch.is_first_time:boolean warm_launch:object|null rug_flags:array flags:object base_rates.window_days:integer base_rates.launches:integer base_rates.grad_rate:number base_rates.rug_rate:number base_rates.dev_sold_rate:number base_rates.reached_5_sol_rate:number next.creator:string next.regime:string next.rugs:string',
  ThinMintCard:
    'mint:string coverage:string coverage_reason:string status:string risk_label:string confidence:string why:array why[]:string history:object|null history_reason:string onchain.slot:integer onchain.exists:boolean onchain.is_token_mint:boolean onchain.token_program:string onchain.decimals:integer onchain.supply_ui:number onchain.mint_authority:string|null onchain.freeze_authority:string|null onchain.launchpad.is_launchpad:boolean onchain.launchpad.bonding_curve:string onchain.launchpad.complete:boolean onchain.launchpad.real_sol_reserves_sol:number onchain.launchpad.virtual_sol_reserves_sol:number onchain.launchpad.progress:number onchain.launchpad.price_sol_per_token:number onchain.launchpad.market_cap_sol:number onchain.launchpad.creator:string onchain.launchpad.cashback_enabled:boolean onchain.launchpad.is_mayhem_supply:boolean creator_prior.n_launches:integer creator_prior.grad_rate:number creator_prior.rug_rate:number base_rates.window_days:integer base_rates.launches:integer base_rates.grad_rate:number base_rates.rug_rate:number next.creator:string next.regime:string',
  FullLaunch:
    'mint:string age_s:number curve.rs_sol:number curve.progress:number holders.bundle_share:number holders.top5_share:number demand.unique_buyers:integer creator_prior_at_launch.n_launches:integer creator_prior_at_launch.is_first_time:boolean rug_flags:array rug_flags[].first_seen_at:number holders.insider_share:number holders.dev_share:number warm_launch:object|null',
  Rug: 't:number mint:string flag:string detail:object detail.peak_rs:number detail.rs:number mint_age_at_flag_s:number creator:string name:string symbol:string',
  Graduation:
    'mint:string migrate_t:number graduated:boolean curve.peak_rs_sol:number curve.pool:string holders:object holders.n_holders:integer holders.top5_share:number holders.bundle_share:number holders.insider_share:number creator_prior_at_launch:object',
  CreatorAnswer:
    'data.creator:string data.stats.n_launches:integer data.stats.n_resolved:integer data.stats.grad_rate:number data.stats.rug_rate:number data.stats.median_dev_sell_s:number data.stats.is_first_time:boolean data.stats.total_dev_buy_sol:number data.recent_launches:array data.recent_launches[].mint:string data.recent_launches[].t0:number data.recent_launches[].graduated:integer data.recent_launches[].rugged:integer data.recent_launches[].rug_dt_s:number data.recent_launches[].peak_rs:number data.live_mints:array data.funded_recently_by:object|null',
  WalletAnswer:
    'data.wallet:string data.leaderboard.class:string data.leaderboard.rank:integer data.leaderboard.stats.n_positions:integer data.leaderboard.stats.realized_sol:number data.as_creator:object|null data.live_holdings_recent_mints:array data.live_holdings_recent_mints[].mint:string data.live_holdings_recent_mints[].tokens_share:number data.live_holdings_recent_mints[].first_buy_slot:integer data.live_holdings_recent_mints[].rs_sol:number data.funding_source:object|null',
  CohortAnswer:
    'data.mint:string data.shape.is_mayhem:boolean data.shape.dev_buy:string data.shape.bundle:string data.shape.creator_kind:string data.n:integer data.rugged:object data.rugged.rate:number data.rugged.low:number data.rugged.high:number data.graduated:object data.graduated.rate:number data.graduated.low:number data.graduated.high:number data.collapse_s.p50:integer data.collapse_s.p90:integer data.collapse_s.n:integer data.window_days:integer data.window.from:number data.window.to:number data.as_of:number',
  CheckAnswer:
    'data.status:string data.result_id:string data.count:integer data.items:array data.cursor:string data.watch_events:array data.watch_events[]:string data.changed:boolean data.charged:boolean data.next_check_after_s:integer',
  CheckItem:
    'mint:string status:string lifecycle:string risk_label:string findings:array findings[].code:string findings[].first_seen_at:number|null findings[].evidence:object findings[].evidence.tokens_share:number snapshot_slot:integer|null last_trade_at:number|null concentration.top5_share:number|null concentration.dev_share:number|null concentration.bundle_share:number|null concentration.insider_share:number|null buyer_flow.unique_buyers_60s:integer|null buyer_flow.buys_60s:integer|null buyer_flow.sells_60s:integer|null buyer_flow.net_sol_60s:number|null buyer_flow.inflow_stalled:boolean|null curve.rs_sol:number|null curve.peak_rs_sol:number|null curve.drawdown_from_peak:number|null curve.graduated:boolean|null full_card_url:string',
  AlertAnswer:
    'data.subscription_id:string data.secret:string data.expires_at:number data.kinds:array data.kinds[]:string data.min_odds:number',
  AlertMessage: 'id:string kind:string t:number mint:string name:string symbol:string odds:number|null card_url:string',
  EvidenceAnswer:
    'data.finding_id:string data.status:string data.mint:string data.flag:string data.first_seen_at:number data.position:string data.evidence:object data.events:array|null data.delayed_s:integer',
  PaymentRequired:
    'x402Version:integer error:string resource:object accepts:array accepts[].scheme:string accepts[].network:string accepts[].asset:string accepts[].amount:string accepts[].payTo:string accepts[].maxTimeoutSeconds:number accepts[].extra:object extensions:object',
  ValidationError:
    'detail:array detail[].loc:array detail[].loc[]:string|integer detail[].msg:string detail[].type:string detail[].input:any detail[].ctx:object',
  Refusal: 'ok:boolean error:string hint:string',
  AltLaunch:
    'curve:string token:string age_s:number status:string coverage:string raised.eth:number raised.progress:number raised.price_multiple_vs_launch:number structure.n_holders:integer structure.top1_share:number structure.same_block_direct_cluster_share:number structure.direct_buy_share:number structure.terminal_holdings_share:number flow.n_buys:integer flow.n_sells:integer flow.unique_buyers:integer flow.new_buyers_last_6s:integer flow.last_trade_age_s:number',
  FullAltCurve:
    'curve:string token:string deployer:string pair_token:string pair_kind:string launch_block:integer launched_at:number age_s:number coverage:string status:string raised.quote_units:string raised.eth:number raised.progress:number raised.price_multiple_vs_launch:number snipe_tax.in_tax_window:boolean snipe_tax.n_taxed_buys:integer snipe_tax.tax_total_eth:number structure.n_holders:integer structure.top1_share:number structure.top5_share:number structure.hhi:number structure.deployer_holding_share:number structure.same_block_direct_cluster_share:number structure.same_block_direct_cluster_wallets:integer structure.max_direct_buys_in_one_block:integer structure.direct_buy_share:number structure.terminal_buy_share:number structure.terminal_holdings_share:number structure.router_join_resolved_share:number structure.routes:object flow.n_buys:integer flow.n_sells:integer flow.unique_buyers:integer flow.unique_sellers:integer flow.buys_last_6s:integer flow.sells_last_6s:integer flow.new_buyers_last_2s:integer flow.new_buyers_last_6s:integer flow.first_buy_after_s:number flow.last_trade_age_s:number flow.buy_volume_eth:number flow.sell_volume_eth:number lifecycle.completed_block:integer|null lifecycle.graduated_block:integer|null lifecycle.graduated_after_s:number|null lifecycle.n_refunds:integer findings:array',
  ThinAltCurve: 'address:string coverage:string known:boolean status:string coverage_reason:string',
  PreviewAnswer:
    'data.refresh_s:number data.rug_window_s:number data.graduation_window_s:number data.graduation_min_buys:integer data.candidates:integer data.feed.lag_s:number data.feed.is_stale:boolean data.top_rug_risk:array data.top_graduation:array data.model.id:string data.model.calibration:string data.model.horizon_s:number data.how_to_buy.single.route:string data.how_to_buy.single.price_usd:number data.how_to_buy.single.mcp_tool:string data.how_to_buy.batch.route:string data.how_to_buy.batch.price_usd:number data.how_to_buy.batch.mcp_tool:string data.how_to_buy.batch.max_mints:integer data.how_to_buy.payment:string data.polling:object data.polling.changes_at_most_every_s:number data.polling.suggested_poll_s:number data.polling.rug_rows_leave_after_s:number data.polling.note:string data.polling.every_launch.url:string data.polling.every_launch.price_usd:number data.polling.every_launch.mcp_tool:string data.polling.every_launch.what:string data.polling.push.url:string data.polling.push.price_usd:number data.polling.push.days:number data.polling.push.page:string data.polling.push.what:string data.page:string data.note:string',
  PreviewRow:
    'mint:string name:string symbol:string age_s:number rs_sol:number progress:number n_buys:integer unique_buyers_60s:integer top5_share:number dev_share:number flags:array flags[]:string probabilities.rug_within_300s:number|null probabilities.true_graduation:number check_url:string full_card_url:string record_url:string untrusted_text:boolean',
}

export const fieldRows: readonly FieldRow[] = Object.entries(FIELDS).flatMap(([component, fields]) =>
  fields.split(' ').map((entry) => {
    const [field = '', type = ''] = entry.split(':')
    return { component, field, type }
  }),
)

const FLAGS = ['creator_sold', 'bundle_dumped', 'curve_drained', 'pool_drained', 'curve_closed_low', 'migrate_below_grad']
const words = (component: string, field: string, ...named: WordsRow['words']): WordsRow => ({ component, field, words: named })

export const wordsRows: readonly WordsRow[] = [
  words('Envelope', 'ok', true),
  words('Envelope', 'schema_version', '2.0'),
  words('Envelope', 'meta.labels', '/v1/labels'),
  words('LaunchesAnswer', 'coverage', 'full', 'thin'),
  words('FullMintCard', 'coverage', 'full'),
  words('FullMintCard', 'status', 'live_curve'),
  words('FullMintCard', 'risk_label', 'concentrated', 'rug_flagged'),
  words('FullMintCard', 'confidence', 'medium', 'low'),
  words('ThinMintCard', 'coverage', 'thin'),
  words('ThinMintCard', 'status', 'onchain_only'),
  words('ThinMintCard', 'risk_label', 'unknown'),
  words('ThinMintCard', 'confidence', 'low'),
  words('Rug', 'flag', ...FLAGS),
  words('WalletAnswer', 'data.leaderboard.class', 'insider', 'sniper', 'skilled', 'crowd'),
  words('CohortAnswer', 'data.shape.dev_buy', 'none', 'under_1_sol', '1_to_5_sol', 'over_5_sol'),
  words('CohortAnswer', 'data.shape.bundle', 'none', '1_to_4', '5_or_more'),
  words('CohortAnswer', 'data.shape.creator_kind', 'first_time', 'mixed', 'serial_rugger', 'has_graduated'),
  words('CheckAnswer', 'coverage', 'full'),
  words('CheckAnswer', 'data.status', 'flags_observed', 'no_flags_observed', 'no_new_events'),
  words('CheckAnswer', 'data.changed', false),
  words('CheckAnswer', 'data.charged', false),
  words('CheckAnswer', 'data.watch_events[]', ...FLAGS, 'lifecycle_transition'),
  words('CheckItem', 'status', 'flags_observed', 'no_flags_observed'),
  words('CheckItem', 'lifecycle', 'live_curve'),
  words('CheckItem', 'risk_label', 'rug_flagged'),
  words('CheckItem', 'findings[].code', ...FLAGS),
  words('PaymentRequired', 'x402Version', 2),
  words('PaymentRequired', 'accepts[].scheme', 'exact'),
  words('PaymentRequired', 'accepts[].maxTimeoutSeconds', 60),
  words('Refusal', 'ok', false),
  words('AltLaunch', 'status', 'live_curve'),
  words('FullAltCurve', 'status', 'live_curve'),
  words('ThinAltCurve', 'status', 'unknown'),
  words('PreviewRow', 'flags[]', 'serial_rugger_creator'),
]

const bound = (component: string, field: string, bounds: BoundRow['bounds']): BoundRow => ({ component, field, bounds })

export const boundRows: readonly BoundRow[] = [
  bound('CheckAnswer', 'data.count', { minimum: 1, maximum: 5 }),
  bound('CheckAnswer', 'data.items', { minItems: 1, maxItems: 5 }),
  bound('CheckAnswer', 'data.items', { maxItems: 0 }),
  bound('CheckAnswer', 'data.cursor', { maxLength: 1_024 }),
  bound('WatchAnswer', 'data.cursor', { maxLength: 1_024 }),
  bound('FullMintCard', 'curve.progress', { minimum: 0, maximum: 1 }),
  bound('FullMintCard', 'curve.drawdown_from_peak', { minimum: 0, maximum: 1 }),
  bound('FullMintCard', 'holders.top5_share', { minimum: 0, maximum: 1 }),
  bound('FullMintCard', 'base_rates.rug_rate', { minimum: 0, maximum: 1 }),
]
