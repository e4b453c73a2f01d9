// Made from /openapi.json by `npm run documents`: not for editing.

type Schemas = components['schemas']
type Answer<Status extends number, Body, Type extends string = 'application/json'> = {
  [status in Status]: { headers: Record<string, unknown>; content: { [type in Type]: Body } }
}
interface Get<Parameters, Responses> {
  get: { parameters: Parameters; requestBody?: never; responses: Responses }
}
/** Type of an object that pairs each nullable field with its reason. */
type Explained<Fields> = Fields & { readonly [Name in keyof Fields & string as null extends Fields[Name] ? `${Name}_reason` : never]?: string }

export interface paths {
  '/v1/mint/{mint}': Get<
    { path: { mint: string } },
    Answer<200, Schemas['MintAnswer']> & Answer<400 | 404 | 409 | 413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']> & Answer<402, Schemas['PaymentRequired']> & Answer<422, Schemas['ValidationError']>
  >
  '/v1/launches/recent': Get<
    { query?: { limit?: number; max_age_s?: number; exclude_mayhem?: boolean; min_rs?: number; only_alive?: boolean } },
    Answer<200, Schemas['LaunchesAnswer']> & Answer<400 | 409 | 413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']> & Answer<402, Schemas['PaymentRequired']> & Answer<422, Schemas['ValidationError']>
  >
  '/v1/launches/since': Get<
    { query: { since: string; limit?: number } },
    Answer<200, Schemas['LaunchesSinceAnswer']> & Answer<400 | 409 | 410 | 413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']> & Answer<402, Schemas['PaymentRequired']> & Answer<422, Schemas['ValidationError']>
  >
  '/v1/rugs/recent': Get<
    { query?: { limit?: number; window_s?: number } },
    Answer<200, Schemas['RugsAnswer']> & Answer<400 | 409 | 413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']> & Answer<402, Schemas['PaymentRequired']> & Answer<422, Schemas['ValidationError']>
  >
  '/v1/graduations/recent': Get<
    { query?: { limit?: number; window_s?: number } },
    Answer<200, Schemas['GraduationsAnswer']> & Answer<400 | 409 | 413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']> & Answer<402, Schemas['PaymentRequired']> & Answer<422, Schemas['ValidationError']>
  >
  '/v1/creator/{address}': Get<
    { path: { address: string } },
    Answer<200, Schemas['CreatorAnswer']> & Answer<400 | 404 | 409 | 413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']> & Answer<402, Schemas['PaymentRequired']> & Answer<422, Schemas['ValidationError']>
  >
  '/v1/wallet/{address}': Get<
    { path: { address: string } },
    Answer<200, Schemas['WalletAnswer']> & Answer<400 | 404 | 409 | 413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']> & Answer<402, Schemas['PaymentRequired']> & Answer<422, Schemas['ValidationError']>
  >
  '/v1/cohort/mint/{mint}': Get<
    { path: { mint: string } },
    Answer<200, Schemas['CohortAnswer']> & Answer<400 | 404 | 409 | 413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']> & Answer<402, Schemas['PaymentRequired']> & Answer<422, Schemas['ValidationError']>
  >
  '/v1/check/mint/{mint}': Get<
    { path: { mint: string }; query?: { cursor?: string } },
    Answer<200, Schemas['CheckAnswer']> & Answer<400 | 404 | 409 | 410 | 413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']> & Answer<402, Schemas['PaymentRequired']> & Answer<422, Schemas['ValidationError']>
  >
  '/v1/check/watchlist': Get<
    { query: { mints: string; cursor?: string } },
    Answer<200, Schemas['CheckAnswer']> & Answer<400 | 404 | 409 | 410 | 413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']> & Answer<402, Schemas['PaymentRequired']> & Answer<422, Schemas['ValidationError']>
  >
  '/v1/check/coverage': Get<
    { query: { mints: string } },
    Answer<200, Schemas['CheckCoverageAnswer']> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']> & Answer<422, Schemas['ValidationError']>
  >
  '/v1/check/watch': Get<
    { query: { mints: string; cursor?: string } },
    Answer<200, Schemas['WatchAnswer']> & Answer<404 | 410 | 413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']> & Answer<422, Schemas['ValidationError']>
  >
  '/v1/evidence/{finding_id}': Get<
    { path: { finding_id: string }; query?: { bundle?: boolean } },
    Answer<200, Schemas['EvidenceAnswer']> & Answer<404 | 413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']> & Answer<422, Schemas['ValidationError']>
  >
  '/v1/alerts/webhook': Get<
    { query: { kinds: string; target: string; url?: string; chat_id?: string; bot_token?: string; min_odds?: number } },
    Answer<200, Schemas['AlertAnswer']> & Answer<400 | 409 | 413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']> & Answer<402, Schemas['PaymentRequired']> & Answer<422, Schemas['ValidationError']>
  >
  '/v1/alt/launches/recent': Get<
    { query?: { limit?: number; max_age_s?: number; pair?: string; only_live?: boolean; min_buys?: number } },
    Answer<200, Schemas['AltLaunchesAnswer']> & Answer<400 | 409 | 413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']> & Answer<402, Schemas['PaymentRequired']> & Answer<422, Schemas['ValidationError']>
  >
  '/v1/alt/curve/{address}': Get<
    { path: { address: string } },
    Answer<200, Schemas['AltCurveAnswer']> & Answer<400 | 404 | 409 | 413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']> & Answer<402, Schemas['PaymentRequired']> & Answer<422, Schemas['ValidationError']>
  >
  '/v1/alt/regime': Get<
    object,
    Answer<200, Schemas['AltRegimeAnswer']> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/v1/calibration': Get<
    object,
    Answer<200, Schemas['CalibrationAnswer']> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/v1/track-record': Get<
    object,
    Answer<200, Schemas['TrackRecordAnswer']> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/v1/outcomes/{mint}': Get<
    { path: { mint: string } },
    Answer<200, Schemas['OutcomesAnswer']> & Answer<404 | 413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/v1/odds/proof': Get<
    { query: { id: string } },
    Answer<200, Schemas['OddsProofAnswer']> & Answer<404 | 413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']> & Answer<422, Schemas['ValidationError']>
  >
  '/': Get<
    object,
    Answer<200, Schemas['IndexAnswer']> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/health': Get<
    object,
    Answer<200 | 503, Schemas['HealthAnswer']> & Answer<413 | 414 | 429 | 431 | 500, Schemas['Refusal']>
  >
  '/v1/labels': Get<
    object,
    Answer<200, Schemas['LabelsAnswer']> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/v1/market/regime': Get<
    object,
    Answer<200, Schemas['RegimeAnswer']> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/v1/radar': Get<
    { query?: { limit?: number } },
    Answer<200, Schemas['PreviewAnswer']> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']> & Answer<422, Schemas['ValidationError']>
  >
  '/v1/sample/launches': Get<
    object,
    Answer<200, Schemas['SampleLaunchesAnswer']> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/v1/sample/rugs': Get<
    object,
    Answer<200, Schemas['SampleRugsAnswer']> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/v1/sample/mint': Get<
    object,
    Answer<200, Schemas['MintAnswer']> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/v1/x402/resources': Get<
    object,
    Answer<200, Schemas['CatalogAnswer']> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/.well-known/x402': Get<
    object,
    Answer<200, Schemas['ManifestAnswer']> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/openapi.json': Get<
    object,
    Answer<200, Readonly<Record<string, unknown>>> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/.well-known/agent-card.json': Get<
    object,
    Answer<200, Readonly<Record<string, unknown>>> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/.well-known/agent.json': Get<
    object,
    Answer<200, Readonly<Record<string, unknown>>> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/mcp/server-card': Get<
    object,
    Answer<200, Readonly<Record<string, unknown>>, 'application/mcp-server-card+json'> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/.well-known/mcp/server-card.json': Get<
    object,
    Answer<200, Readonly<Record<string, unknown>>> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/.well-known/ai-catalog.json': Get<
    object,
    Answer<200, Readonly<Record<string, unknown>>, 'application/ai-catalog+json'> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/.well-known/mcp/catalog.json': Get<
    object,
    Answer<200, Readonly<Record<string, unknown>>, 'application/ai-catalog+json'> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/llms.txt': Get<
    object,
    Answer<200, string, 'text/plain'> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/llms-full.txt': Get<
    object,
    Answer<200, string, 'text/plain'> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/robots.txt': Get<
    object,
    Answer<200, string, 'text/plain'> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/terms': Get<
    object,
    Answer<200, string, 'text/plain'> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']>
  >
  '/v1/stream/flags': Get<
    { query?: { after?: string }; header?: { 'Last-Event-ID'?: string } },
    Answer<200, Schemas['StreamEvent'], 'text/event-stream'> & Answer<413 | 414 | 429 | 431 | 500 | 503, Schemas['Refusal']> & Answer<422, Schemas['ValidationError']>
  >
}

export interface components {
  schemas: {
    FullMintCard: Explained<{
      readonly mint: string
      readonly name: string
      readonly symbol: string
      readonly creator: string
      readonly creator_is_wallet: boolean
      readonly created_at: number
      readonly age_s: number
      readonly dev_wallets: (string)[]
      readonly coverage: 'full'
      readonly status: 'live_curve' | 'curve_complete' | 'migrated_graduated' | 'migrated_below_grad' | 'historical' | 'onchain_only' | 'not_launchpad' | 'not_observed'
      readonly risk_label: 'unknown' | 'rug_flagged' | 'mayhem' | 'concentrated' | 'stalled' | 'active'
      readonly why: (string)[]
      readonly curve: Curve
      readonly pool: Explained<{
        readonly address: string
        readonly opened_at: number
        readonly opening_quote_sol: number | null
        readonly quote_sol: number | null
        readonly quote_share: number
        readonly tokens: number
        readonly n_trades: number
        readonly boosts: Explained<{
          readonly n: number
          readonly spent_sol: number | null
          readonly burnt_tokens: number
        }>
        readonly last_event_at: number
      }> | null
      readonly demand: Demand
      readonly holders: Holders
      readonly exit_signals: Explained<{
        readonly creator_sold: boolean
        readonly top5_holder_sold_recent: boolean | null
        readonly inflow_stalled: boolean
        readonly progress_reversed: boolean | null
      }>
      readonly creator_prior_at_launch: CreatorPriorAtLaunch | null
      readonly creator_prior_of: string | null
      readonly warm_launch: WarmLaunch | null
      readonly rug_flags: (RugFlags)[]
      readonly flags: Schemas['CardFlags']
      readonly creator_changes: ({
        readonly creator: string
        readonly kind: string
        readonly at: number
        readonly position: string
      })[]
      readonly outcome: Outcome | null
      readonly as_of: {
        readonly position: string
        readonly at: number
      }
      readonly confidence: 'high' | 'medium' | 'low'
      readonly base_rates: BaseRates | null
      readonly next: Explained<{
        readonly creator: string | null
        readonly regime: string | null
        readonly wallet: string | null
        readonly rugs: string | null
      }>
    }>
    ThinMintCard: Explained<{
      readonly mint: string
      readonly name?: string
      readonly symbol?: string
      readonly created_at?: number
      readonly age_s?: number
      readonly creator: string | null
      readonly creator_is_wallet: boolean | null
      readonly coverage: 'thin'
      readonly coverage_reason: string
      readonly coverage_range?: {
        readonly from_slot: number
        readonly to_slot: number
      }
      readonly status: 'live_curve' | 'curve_complete' | 'migrated_graduated' | 'migrated_below_grad' | 'historical' | 'onchain_only' | 'not_launchpad' | 'not_observed'
      readonly risk_label: 'unknown' | 'rug_flagged' | 'mayhem' | 'concentrated' | 'stalled' | 'active'
      readonly why: (string)[]
      readonly history: Outcome | null
      readonly onchain: Explained<{
        readonly slot: number
        readonly exists: boolean
        readonly is_token_mint: boolean | null
        readonly name: string | null
        readonly symbol: string | null
        readonly token_program: string | null
        readonly decimals: number | null
        readonly supply_ui: number | null
        readonly mint_authority: string | null
        readonly freeze_authority: string | null
        readonly hazards: ('mint_authority' | 'freeze_authority' | 'default_frozen' | 'permanent_delegate' | 'transfer_fee' | 'transfer_hook' | 'pausable' | 'non_transferable')[] | null
        readonly extensions: (Explained<{
          readonly name: string
          readonly basis_points?: number
          readonly from_epoch?: number
          readonly before_basis_points?: number
          readonly max_ui?: number
          readonly authority?: string | null
          readonly program?: string | null
          readonly delegate?: string | null
          readonly frozen?: boolean
          readonly paused?: boolean
        }>)[] | null
        readonly launchpad: Explained<{
          readonly is_launchpad: boolean | null
          readonly bonding_curve: string
          readonly complete: boolean | null
          readonly real_sol_reserves_sol: number | null
          readonly virtual_sol_reserves_sol: number | null
          readonly progress: number | null
          readonly price_sol_per_token: number | null
          readonly market_cap_sol: number | null
          readonly creator: string | null
          readonly cashback_enabled: boolean | null
          readonly is_mayhem_supply: boolean | null
          readonly quote_mint: string | null
        }> | null
      }> | null
      readonly creator_prior: CreatorPrior | null
      readonly creator_prior_of: string | null
      readonly last_seen?: LastSeen
      readonly rug_flags?: (RugFlags)[]
      readonly flags_fired?: (Schemas['Flag'])[]
      readonly confidence: 'high' | 'medium' | 'low'
      readonly base_rates: BaseRates | null
      readonly next: Explained<{
        readonly creator: string | null
        readonly regime: string | null
      }>
    }>
    FullLaunch: Explained<{
      readonly mint: string
      readonly name: string
      readonly symbol: string
      readonly creator: string
      readonly creator_is_wallet: boolean
      readonly created_at: number
      readonly age_s: number
      readonly coverage: 'full'
      readonly status: 'live_curve' | 'curve_complete' | 'migrated_graduated' | 'migrated_below_grad' | 'historical' | 'onchain_only' | 'not_launchpad' | 'not_observed'
      readonly risk_label: 'unknown' | 'rug_flagged' | 'mayhem' | 'concentrated' | 'stalled' | 'active'
      readonly curve: Curve
      readonly demand: Demand
      readonly holders: Holders
      readonly creator_prior_at_launch: CreatorPriorAtLaunch | null
      readonly creator_prior_of: string | null
      readonly warm_launch: WarmLaunch | null
      readonly rug_flags: (RugFlags)[]
    }>
    ThinLaunch: Explained<{
      readonly mint: string
      readonly name: string
      readonly symbol: string
      readonly creator: string
      readonly creator_is_wallet: boolean
      readonly created_at: number
      readonly age_s: number
      readonly coverage: 'thin'
      readonly coverage_reason: string
      readonly status: 'live_curve' | 'curve_complete' | 'migrated_graduated' | 'migrated_below_grad' | 'historical' | 'onchain_only' | 'not_launchpad' | 'not_observed'
      readonly risk_label: 'unknown' | 'rug_flagged' | 'mayhem' | 'concentrated' | 'stalled' | 'active'
      readonly curve: LastSeen
      readonly demand: null
      readonly demand_reason: string
      readonly holders: null
      readonly holders_reason: string
      readonly creator_prior_at_launch: CreatorPriorAtLaunch | null
      readonly creator_prior_of: string | null
      readonly warm_launch: WarmLaunch | null
      readonly rug_flags: (RugFlags)[]
    }>
    FullAltCurve: Explained<{
      readonly curve: string
      readonly token: string
      readonly deployer: string
      readonly pair_token: string
      readonly pair_kind: 'eth' | 'erc20'
      readonly launch_block: number
      readonly launched_at: number
      readonly age_s: number
      readonly coverage: 'full'
      readonly status: 'live_curve' | 'curve_complete' | 'graduated' | 'unknown'
      readonly raised: Explained<{
        readonly quote_units: string
        readonly eth: number | null
        readonly progress: number
        readonly price_multiple_vs_launch: number | null
        readonly threshold_units: string
        readonly peak_quote_units: string
        readonly quote_decimals: number | null
      }>
      readonly snipe_tax: Explained<{
        readonly in_tax_window: boolean
        readonly n_taxed_buys: number
        readonly tax_total_eth: number | null
        readonly tax_total_units: string
        readonly n_exempt_accounts: number
      }>
      readonly structure: Explained<{
        readonly n_holders: number | null
        readonly top1_share: number | null
        readonly same_block_direct_cluster_share: number | null
        readonly direct_buy_share: number | null
        readonly terminal_holdings_share: number | null
        readonly top5_share: number | null
        readonly hhi: number | null
        readonly deployer_holding_share: number | null
        readonly same_block_direct_cluster_wallets: number | null
        readonly max_direct_buys_in_one_block: number
        readonly terminal_buy_share: number | null
        readonly router_join_resolved_share: number | null
        readonly routes: Readonly<Record<string, number>>
        readonly supply_tokens: number
        readonly circulating_tokens: number | null
      }>
      readonly flow: Explained<{
        readonly n_buys: number
        readonly n_sells: number
        readonly unique_buyers: number | null
        readonly new_buyers_last_6s: number | null
        readonly last_trade_age_s: number | null
        readonly unique_sellers: number | null
        readonly buys_last_6s: number
        readonly sells_last_6s: number
        readonly new_buyers_last_2s: number | null
        readonly first_buy_after_s: number | null
        readonly buy_volume_eth: number | null
        readonly sell_volume_eth: number | null
        readonly buy_volume_units: string
        readonly sell_volume_units: string
      }>
      readonly lifecycle: Explained<{
        readonly state: 'live' | 'complete' | 'graduated'
        readonly completed_block: number | null
        readonly graduated_block: number | null
        readonly graduated_after_s: number | null
        readonly n_refunds: number
        readonly n_failed_graduations: number
        readonly swept_block: number | null
        readonly is_force_swept: boolean
        readonly n_buybacks: number
        readonly locked_tokens: number
        readonly n_rescues: number
      }>
      readonly launch_route: string
      readonly deployer_activity: Explained<{
        readonly bought_share: number
        readonly launch_buy_eth: number | null
        readonly n_sells: number
        readonly sold_share: number
        readonly first_sell_after_s: number | null
        readonly given_share: number
        readonly first_given_after_s: number | null
      }>
      readonly deployer_prior_at_launch: CreatorPriorAtLaunch | null
      readonly findings: (Findings)[]
      readonly flags: Schemas['AltCardFlags']
      readonly as_of: {
        readonly position: string
        readonly at: number
      }
    }>
    ThinAltCurve: {
      readonly address: string
      readonly coverage: 'thin'
      readonly known: boolean
      readonly status: 'unknown'
      readonly coverage_reason: string
      readonly coverage_range?: {
        readonly from_block: number
        readonly to_block: number
      }
      readonly curve?: string
      readonly token?: string
      readonly deployer?: string
      readonly pair_token?: string
      readonly pair_kind?: 'eth' | 'erc20'
      readonly launch_block?: number
      readonly launched_at?: number
      readonly lifecycle?: Explained<{
        readonly state: 'live' | 'complete' | 'graduated'
        readonly completed_block: number | null
        readonly graduated_block: number | null
        readonly graduated_after_s: number | null
        readonly n_refunds: number
      }>
    }
    AltLaunch: {
      readonly curve: string
      readonly token: string
      readonly deployer: string
      readonly pair_token: string
      readonly pair_kind: 'eth' | 'erc20'
      readonly launched_at: number
      readonly age_s: number
      readonly status: 'live_curve' | 'curve_complete' | 'graduated' | 'unknown'
      readonly lifecycle: 'live' | 'complete' | 'graduated'
      readonly coverage: 'full'
      readonly raised: Explained<{
        readonly eth: number | null
        readonly progress: number
        readonly price_multiple_vs_launch: number | null
      }>
      readonly structure: Explained<{
        readonly n_holders: number | null
        readonly top1_share: number | null
        readonly same_block_direct_cluster_share: number | null
        readonly direct_buy_share: number | null
        readonly terminal_holdings_share: number | null
      }>
      readonly flow: Explained<{
        readonly n_buys: number
        readonly n_sells: number
        readonly unique_buyers: number | null
        readonly new_buyers_last_6s: number | null
        readonly last_trade_age_s: number | null
      }>
      readonly findings: (Findings)[]
    }
    ThinAltLaunch: {
      readonly curve: string
      readonly token: string
      readonly deployer: string
      readonly pair_token: string
      readonly pair_kind: 'eth' | 'erc20'
      readonly launched_at: number
      readonly age_s: number
      readonly status: 'live_curve' | 'curve_complete' | 'graduated' | 'unknown'
      readonly lifecycle: 'live' | 'complete' | 'graduated'
      readonly coverage: 'thin'
      readonly coverage_reason: string
      readonly raised: null
      readonly raised_reason: string
      readonly structure: null
      readonly structure_reason: string
      readonly flow: null
      readonly flow_reason: string
      readonly findings: (Findings)[]
    }
    AltCurveAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: Schemas['FullAltCurve']
      readonly meta: Meta
    } | {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'thin'
      readonly data: Schemas['ThinAltCurve']
      readonly meta: Meta
    }
    AltLaunchesAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: {
        readonly count: number
        readonly items: (Schemas['AltLaunch'] | Schemas['ThinAltLaunch'])[]
      }
      readonly meta: Meta
    } | {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'thin'
      readonly data: {
        readonly count: number
        readonly items: (Schemas['AltLaunch'] | Schemas['ThinAltLaunch'])[]
        readonly coverage_reason: string
        readonly coverage_range?: {
          readonly from_block: number
          readonly to_block: number
        }
        readonly observed_since?: number
      }
      readonly meta: Meta
    }
    AltRegimeAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: Explained<{
        readonly as_of: number | null
        readonly trades_as_of: number | null
        readonly minute: Minute
        readonly hour: Minute
      }>
      readonly meta: Meta
    } | {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'thin'
      readonly data: Explained<{
        readonly as_of: number | null
        readonly trades_as_of: number | null
        readonly minute: Minute
        readonly hour: Minute
        readonly coverage_reason: string
        readonly coverage_range?: {
          readonly from_block: number
          readonly to_block: number
        }
        readonly observed_since?: number
      }>
      readonly meta: Meta
    }
    AltFlag: 'deployer_sold' | 'curve_drained'
    AltFlagEvidence: AltFlagEvidence | AltFlagEvidence2
    AltCardFlags: Explained<{
      readonly deployer_sold: boolean | null
      readonly curve_drained: boolean | null
    }>
    Launch: Schemas['FullLaunch'] | Schemas['ThinLaunch']
    Rug: Explained<{
      readonly t: number
      readonly mint: string
      readonly name: string | null
      readonly symbol: string | null
      readonly creator: string | null
      readonly creator_is_wallet: boolean | null
      readonly flag: Schemas['Flag']
      readonly detail: Schemas['FlagEvidence']
      readonly mint_age_at_flag_s: number | null
      readonly position: string
      readonly finding_id: string
      readonly finality: 'processed' | 'confirmed' | 'finalized'
      readonly creator_prior: CreatorPrior | null
      readonly creator_prior_of: string | null
    }>
    Graduation: Explained<{
      readonly mint: string
      readonly name: string | null
      readonly symbol: string | null
      readonly creator: string
      readonly creator_is_wallet: boolean
      readonly migrate_t: number
      readonly graduated: boolean | null
      readonly curve: Explained<{
        readonly peak_rs_sol: number | null
        readonly pool: string
      }>
      readonly position: string
      readonly finality: 'processed' | 'confirmed' | 'finalized'
      readonly holders: Explained<{
        readonly n_holders: number | null
        readonly top5_share: number | null
        readonly bundle_share: number | null
        readonly insider_share: number | null
      }> | null
      readonly creator_prior_at_launch: CreatorPriorAtLaunch | null
      readonly creator_prior_of: string | null
    }>
    CheckItem: Explained<{
      readonly mint: string
      readonly status: 'flags_observed' | 'no_flags_observed'
      readonly lifecycle: 'live_curve' | 'curve_complete' | 'migrated_graduated' | 'migrated_below_grad' | 'historical' | 'onchain_only' | 'not_launchpad' | 'not_observed'
      readonly risk_label: 'unknown' | 'rug_flagged' | 'mayhem' | 'concentrated' | 'stalled' | 'active'
      readonly new_events: (Schemas['WatchEvent'])[]
      readonly findings: (Explained<{
        readonly code: Schemas['Flag']
        readonly first_seen_at: number | null
        readonly finding_id: string
        readonly finality: 'processed' | 'confirmed' | 'finalized'
        readonly is_new: boolean
        readonly evidence: Schemas['FlagEvidence']
      }>)[]
      readonly snapshot_slot: number | null
      readonly last_trade_at: number | null
      readonly concentration: Explained<{
        readonly top5_share: number | null
        readonly dev_share: number | null
        readonly bundle_share: number | null
        readonly insider_share: number | null
      }>
      readonly buyer_flow: Explained<{
        readonly unique_buyers_60s: number | null
        readonly buys_60s: number | null
        readonly sells_60s: number | null
        readonly net_sol_60s: number | null
        readonly inflow_stalled: boolean | null
      }>
      readonly curve: Explained<{
        readonly rs_sol: number | null
        readonly peak_rs_sol: number | null
        readonly drawdown_from_peak: number | null
        readonly graduated: boolean | null
      }>
      readonly full_card_url: string
    }>
    PreviewRow: Explained<{
      readonly mint: string
      readonly name: string
      readonly symbol: string
      readonly untrusted_text: true
      readonly age_s: number
      readonly rs_sol: number | null
      readonly progress: number | null
      readonly n_buys: number
      readonly unique_buyers_60s: number
      readonly top5_share: number | null
      readonly dev_share: number | null
      readonly flags: ('creator_sold' | 'bundle_dumped' | 'curve_drained' | 'pool_drained' | 'curve_closed_low' | 'migrate_below_grad' | 'serial_rugger_creator')[]
      readonly flags_pending: ('serial_rugger_creator')[]
      readonly probabilities: Probabilities
      readonly check_url: string
      readonly full_card_url: string
      readonly record_url: string
    }>
    SinceLaunch: Explained<{
      readonly mint: string
      readonly name: string
      readonly symbol: string
      readonly creator: string
      readonly creator_is_wallet: boolean
      readonly created_at: number
      readonly age_s: number
      readonly coverage: 'full'
      readonly status: 'live_curve' | 'curve_complete' | 'migrated_graduated' | 'migrated_below_grad' | 'historical' | 'onchain_only' | 'not_launchpad' | 'not_observed'
      readonly risk_label: 'unknown' | 'rug_flagged' | 'mayhem' | 'concentrated' | 'stalled' | 'active'
      readonly curve: Curve
      readonly demand: Demand
      readonly holders: Holders
      readonly creator_prior_at_launch: CreatorPriorAtLaunch | null
      readonly creator_prior_of: string | null
      readonly warm_launch: WarmLaunch | null
      readonly rug_flags: (RugFlags)[]
      readonly probabilities: Probabilities
      readonly verdict: 'avoid' | 'caution' | 'no_flags_observed'
      readonly verdict_why: (string)[]
      readonly check_url: string
      readonly full_card_url: string
    }>
    MintAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: Schemas['FullMintCard']
      readonly meta: Meta
    } | {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'thin'
      readonly data: Schemas['ThinMintCard']
      readonly meta: Meta
    }
    LaunchesAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: {
        readonly count: number
        readonly items: (Schemas['Launch'])[]
      }
      readonly meta: Meta
    } | {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'thin'
      readonly data: {
        readonly count: number
        readonly items: (Schemas['Launch'])[]
        readonly coverage_reason: string
        readonly coverage_range?: {
          readonly from_slot: number
          readonly to_slot: number
        }
        readonly observed_since?: number
      }
      readonly meta: Meta
    }
    LaunchesSinceAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: {
        readonly count: number
        readonly items: (Schemas['SinceLaunch'])[]
        readonly next_cursor: string
        readonly has_more: boolean
        readonly next_check_after_s: number
        readonly window_from: number
        readonly cut_reason?: string
        readonly n_not_covered: number
      }
      readonly meta: Meta
    } | {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'thin'
      readonly data: {
        readonly count: number
        readonly items: (Schemas['SinceLaunch'])[]
        readonly next_cursor: string
        readonly has_more: boolean
        readonly next_check_after_s: number
        readonly window_from: number
        readonly cut_reason?: string
        readonly n_not_covered: number
        readonly coverage_reason: string
        readonly coverage_range?: {
          readonly from_slot: number
          readonly to_slot: number
        }
        readonly observed_since?: number
      }
      readonly meta: Meta
    }
    PreviewAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: {
        readonly as_of: number
        readonly refresh_s: number
        readonly rug_window_s: number
        readonly graduation_window_s: number
        readonly graduation_min_buys: number
        readonly candidates: number
        readonly feed: Explained<{
          readonly lag_s: number | null
          readonly is_stale: boolean
        }>
        readonly ranked_by: {
          readonly rug_risk: string
          readonly graduation: string
        }
        readonly top_rug_risk: (Schemas['PreviewRow'])[]
        readonly top_graduation: (Schemas['PreviewRow'])[]
        readonly model: Model
        readonly how_to_buy: HowToBuy
        readonly polling: Polling
        readonly page: string
        readonly note: string
      }
      readonly meta: Meta
    } | {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'thin'
      readonly data: {
        readonly as_of: number
        readonly refresh_s: number
        readonly rug_window_s: number
        readonly graduation_window_s: number
        readonly graduation_min_buys: number
        readonly candidates: number
        readonly feed: Explained<{
          readonly lag_s: number | null
          readonly is_stale: boolean
        }>
        readonly ranked_by: {
          readonly rug_risk: string
          readonly graduation: string
        }
        readonly top_rug_risk: (Schemas['PreviewRow'])[]
        readonly top_graduation: (Schemas['PreviewRow'])[]
        readonly model: Model
        readonly how_to_buy: HowToBuy
        readonly polling: Polling
        readonly page: string
        readonly note: string
        readonly coverage_reason: string
        readonly coverage_range?: {
          readonly from_slot: number
          readonly to_slot: number
        }
        readonly observed_since?: number
      }
      readonly meta: Meta
    }
    RugsAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: {
        readonly count: number
        readonly items: (Schemas['Rug'])[]
      }
      readonly meta: Meta
    } | {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'thin'
      readonly data: {
        readonly count: number
        readonly items: (Schemas['Rug'])[]
        readonly coverage_reason: string
        readonly coverage_range?: {
          readonly from_slot: number
          readonly to_slot: number
        }
        readonly observed_since?: number
      }
      readonly meta: Meta
    }
    GraduationsAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: {
        readonly count: number
        readonly items: (Schemas['Graduation'])[]
      }
      readonly meta: Meta
    } | {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'thin'
      readonly data: {
        readonly count: number
        readonly items: (Schemas['Graduation'])[]
        readonly coverage_reason: string
        readonly coverage_range?: {
          readonly from_slot: number
          readonly to_slot: number
        }
        readonly observed_since?: number
      }
      readonly meta: Meta
    }
    CreatorAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: Explained<{
        readonly creator: string
        readonly stats: Stats
        readonly recent_launches: (RecentLaunches)[]
        readonly n_live_mints: number
        readonly live_mints: (string)[]
        readonly funded_recently_by: FundedRecentlyBy | null
      }>
      readonly meta: Meta
    } | {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'thin'
      readonly data: Explained<{
        readonly creator: string
        readonly stats: Stats
        readonly recent_launches: (RecentLaunches)[]
        readonly n_live_mints: number
        readonly live_mints: (string)[]
        readonly funded_recently_by: FundedRecentlyBy | null
        readonly coverage_reason: string
        readonly coverage_range?: {
          readonly from_slot: number
          readonly to_slot: number
        }
        readonly observed_since?: number
      }>
      readonly meta: Meta
    }
    WalletAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: Explained<{
        readonly wallet: string
        readonly leaderboard: Leaderboard
        readonly as_creator: Stats | null
        readonly live_holdings_recent_mints: (LiveHoldingsRecentMints)[]
        readonly funding_source: FundingSource | null
      }>
      readonly meta: Meta
    } | {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'thin'
      readonly data: Explained<{
        readonly wallet: string
        readonly leaderboard: Leaderboard
        readonly as_creator: Stats | null
        readonly live_holdings_recent_mints: (LiveHoldingsRecentMints)[]
        readonly funding_source: FundingSource | null
        readonly coverage_reason: string
        readonly coverage_range?: {
          readonly from_slot: number
          readonly to_slot: number
        }
        readonly observed_since?: number
      }>
      readonly meta: Meta
    }
    CohortAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: Explained<{
        readonly mint: string
        readonly t0: number
        readonly shape: Shape
        readonly alike_in: ('is_mayhem' | 'dev_buy' | 'bundle' | 'creator_kind')[]
        readonly coarser_reason?: string
        readonly n_same_shape: number | null
        readonly n: number | null
        readonly rugged: Rugged | null
        readonly graduated: Rugged | null
        readonly collapse_s: CollapseS | null
        readonly window_days: 30
        readonly window: Window
        readonly as_of: number
      }>
      readonly meta: Meta
    } | {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'thin'
      readonly data: Explained<{
        readonly mint: string
        readonly t0: number
        readonly shape: Shape
        readonly alike_in: ('is_mayhem' | 'dev_buy' | 'bundle' | 'creator_kind')[]
        readonly coarser_reason?: string
        readonly n_same_shape: number | null
        readonly n: number | null
        readonly rugged: Rugged | null
        readonly graduated: Rugged | null
        readonly collapse_s: CollapseS | null
        readonly window_days: 30
        readonly window: Window
        readonly as_of: number
        readonly coverage_reason: string
      }>
      readonly meta: Meta
    }
    RegimeAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: Explained<{
        readonly as_of: number | null
        readonly minute: Minute2 | null
        readonly hour: Minute2 | null
        readonly day: Minute2 | null
      }>
      readonly meta: Meta
    } | {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'thin'
      readonly data: Explained<{
        readonly as_of: number | null
        readonly minute: Minute2 | null
        readonly hour: Minute2 | null
        readonly day: Minute2 | null
        readonly coverage_reason: string
        readonly coverage_range?: {
          readonly from_slot: number
          readonly to_slot: number
        }
        readonly observed_since?: number
      }>
      readonly meta: Meta
    }
    CalibrationAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: Explained<{
        readonly window_days: 30
        readonly as_of: number | null
        readonly heads: Heads
        readonly ledger: Ledger | null
      }>
      readonly meta: Meta
    } | {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'thin'
      readonly data: Explained<{
        readonly window_days: 30
        readonly as_of: number | null
        readonly heads: Heads
        readonly ledger: Ledger | null
        readonly coverage_reason: string
      }>
      readonly meta: Meta
    }
    TrackRecordAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: Explained<{
        readonly as_of: number | null
        readonly calls: (Calls)[] | null
      }>
      readonly meta: Meta
    } | {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'thin'
      readonly data: Explained<{
        readonly as_of: number | null
        readonly calls: (Calls)[] | null
        readonly coverage_reason: string
      }>
      readonly meta: Meta
    }
    OutcomesAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: Explained<{
        readonly mint: string
        readonly outcome: Outcome | null
        readonly odds: (Odds)[] | null
        readonly delayed_s: number
      }>
      readonly meta: Meta
    } | {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'thin'
      readonly data: Explained<{
        readonly mint: string
        readonly outcome: Outcome | null
        readonly odds: (Odds)[] | null
        readonly delayed_s: number
        readonly coverage_reason: string
      }>
      readonly meta: Meta
    }
    OddsProofAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: Explained<{
        readonly state: 'proven' | 'open' | 'left_out'
        readonly hour: number
        readonly closes_at: number
        readonly value: {
          readonly odds_id: string
          readonly mint: string
          readonly head: 'rug_within_300s' | 'true_graduation'
          readonly age_s: number
          readonly at: number
          readonly probability: number
          readonly model_id: string
          readonly t0: number
          readonly ppm: number
          readonly inputs_hash: string
          readonly is_shadow: boolean
          readonly is_retracted: boolean
        } | null
        readonly line: string | null
        readonly leaf: string | null
        readonly n: number | null
        readonly proof: (string)[] | null
        readonly root: string | null
        readonly made_at: number | null
        readonly how_to_verify: string
        readonly delayed_s: number
      }>
      readonly meta: Meta
    }
    SampleLaunchesAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: {
        readonly count: number
        readonly items: (Schemas['Launch'])[]
        readonly delayed_s: number
      }
      readonly meta: Meta
    } | {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'thin'
      readonly data: {
        readonly count: number
        readonly items: (Schemas['Launch'])[]
        readonly coverage_reason: string
        readonly coverage_range?: {
          readonly from_slot: number
          readonly to_slot: number
        }
        readonly observed_since?: number
        readonly delayed_s: number
      }
      readonly meta: Meta
    }
    SampleRugsAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: {
        readonly count: number
        readonly items: (Schemas['Rug'])[]
        readonly delayed_s: number
      }
      readonly meta: Meta
    } | {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'thin'
      readonly data: {
        readonly count: number
        readonly items: (Schemas['Rug'])[]
        readonly coverage_reason: string
        readonly coverage_range?: {
          readonly from_slot: number
          readonly to_slot: number
        }
        readonly observed_since?: number
        readonly delayed_s: number
      }
      readonly meta: Meta
    }
    CheckAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: {
        readonly status: 'flags_observed' | 'no_flags_observed'
        readonly result_id: string
        readonly count: number
        readonly items: (Schemas['CheckItem'])[]
        readonly cursor: string
        readonly watch_events: (Schemas['WatchEvent'])[]
      } | {
        readonly status: 'no_new_events'
        readonly changed: false
        readonly count: 0
        readonly items: (Schemas['CheckItem'])[]
        readonly cursor: string
        readonly charged: false
        readonly next_check_after_s: number
      }
      readonly meta: Meta
    }
    CheckCoverageAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: Data
      readonly meta: Meta
    } | {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'thin'
      readonly data: Data
      readonly meta: Meta
    }
    WatchAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: {
        readonly has_new_events: boolean
        readonly cursor: string
        readonly mints: (string)[]
        readonly next_check_after_s: number
      }
      readonly meta: Meta
    }
    AlertAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: {
        readonly subscription_id: string
        readonly secret: string
        readonly expires_at: number
        readonly kinds: ('graduation_odds' | 'rug_flags')[]
        readonly min_odds: number
      }
      readonly meta: Meta
    }
    AlertMessage: Explained<{
      readonly id: string
      readonly kind: 'graduation_odds' | 'rug_flags' | 'test'
      readonly t: number
      readonly mint: string
      readonly name: string | null
      readonly symbol: string | null
      readonly odds: number | null
      readonly card_url: string
      readonly flag?: string
      readonly finding_id?: string
      readonly evidence_url?: string
      readonly untrusted_text_note: string
    }>
    AlertChallenge: {
      readonly challenge: string
    }
    EvidenceAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: Explained<{
        readonly finding_id: string
        readonly status: 'stands' | 'retracted'
        readonly mint: string
        readonly flag: Schemas['Flag']
        readonly detector_id: string
        readonly detector_version: number | null
        readonly detector_hash: string | null
        readonly first_seen_at: number
        readonly mint_age_at_flag_s: number | null
        readonly position: string
        readonly finality: string | null
        readonly evidence: Schemas['FlagEvidence']
        readonly events: (string)[] | null
        readonly proof: (Proof)[] | null
        readonly fires_when: string | null
        readonly thresholds: Readonly<Record<string, number | string>> | null
        readonly recomputed: 'same' | 'differs' | null
        readonly differences?: (Differences)[]
        readonly bundle?: Readonly<Record<string, unknown>> | null
        readonly delayed_s: number
      }> | Data2 | Explained<{
        readonly finding_id: string
        readonly status: 'stands' | 'retracted'
        readonly mint: string
        readonly flag: 'deployer_sold' | 'curve_drained'
        readonly detector_id: string
        readonly detector_version: number | null
        readonly detector_hash: string | null
        readonly first_seen_at: number
        readonly mint_age_at_flag_s: number | null
        readonly position: string
        readonly finality: string | null
        readonly evidence: AltFlagEvidence | AltFlagEvidence2
        readonly events: (string)[] | null
        readonly proof: (Proof)[] | null
        readonly fires_when: string | null
        readonly thresholds: Readonly<Record<string, number | string>> | null
        readonly recomputed: 'same' | 'differs' | null
        readonly differences?: (Differences)[]
        readonly bundle?: Readonly<Record<string, unknown>> | null
        readonly delayed_s: number
      }> | Data2
      readonly meta: Meta
    }
    IndexAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: {
        readonly name: 'mintfold'
        readonly what: string
        readonly version: string
        readonly base_url: string
        readonly how_to_start: (string)[]
        readonly questions: ({
          readonly method: 'GET'
          readonly path: string
          readonly price_usd: number
          readonly mcp_tool: string | null
          readonly description: string
          readonly coverage: string
          readonly max_feed_lag_s: number
          readonly params: Readonly<Record<string, Readonly<Record<string, unknown>>>>
          readonly example: string
        })[]
      }
      readonly meta: Meta
    }
    LabelsAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly generated_at: string
      readonly t: number
      readonly coverage: 'full'
      readonly data: {
        readonly coverage: Readonly<Record<string, unknown>>
        readonly status: Readonly<Record<string, unknown>>
        readonly risk_label: Readonly<Record<string, unknown>>
        readonly confidence: Readonly<Record<string, unknown>>
        readonly rug_flags: Readonly<Record<string, unknown>>
        readonly finality: Readonly<Record<string, unknown>>
        readonly lifecycle: string
        readonly nulls: string
        readonly how_to_read: string
        readonly fields: Readonly<Record<string, string | Readonly<Record<string, string>>>>
        readonly errors: Readonly<Record<string, string>>
      }
      readonly meta: Meta
    }
    HealthAnswer: Explained<{
      readonly ok: boolean
      readonly t: number
      readonly uptime_s: number
      readonly sources: (Explained<{
        readonly chain: 'solana' | 'alt'
        readonly tip: number | null
        readonly folded: number | null
        readonly feed_lag_s: number | null
        readonly chain_lag_s: number | null
        readonly slots_behind: number | null
        readonly finality: string | null
        readonly confirmed: number | null
        readonly finalized: number | null
      }>)[]
      readonly mints_tracked: number
      readonly curves_tracked: number
      readonly counters: {
        readonly frames: number
        readonly events: number
        readonly flags: number
        readonly dead_letters: number
        readonly missing_events: number
        readonly gaps: number
        readonly forks: number
      }
      readonly detection_ms: Explained<{
        readonly p50: number | null
        readonly p99: number | null
        readonly n_frames: number
        readonly from_block_time: Explained<{
          readonly p50: number | null
          readonly p99: number | null
          readonly n_frames: number
        }>
      }>
      readonly views: ({
        readonly view: string
        readonly records_behind: number
      })[]
      readonly views_behind_ms: number | null
      readonly history: Explained<{
        readonly ok: boolean
        readonly rows_written: number
        readonly up_to: number | null
        readonly behind_ms: number | null
      }> | null
      readonly new_layouts: ({
        readonly event: string
        readonly unknown_bytes: number
        readonly first_slot: number
      })[]
      readonly version: string
      readonly degraded: (string)[]
    }>
    CatalogAnswer: {
      readonly ok: true
      readonly schema_version: '2.0'
      readonly version: string
      readonly base_url: string
      readonly payment: {
        readonly protocol: 'x402'
        readonly x402_version: 2
        readonly scheme: 'exact'
        readonly how: string
        readonly mcp: string
        readonly sandbox: boolean
      }
      readonly resources: (Explained<{
        readonly resource: string
        readonly method: 'GET'
        readonly path: string
        readonly title: string
        readonly description: string
        readonly mcp_tool: string | null
        readonly price_usd: number
        readonly accepts: (Accepts)[]
        readonly input_schema: Readonly<Record<string, unknown>>
        readonly example: string
        readonly output_example: Readonly<Record<string, unknown>>
        readonly mcp_resource: string | null
        readonly coverage: string
        readonly max_feed_lag_s: number
        readonly typical_latency_ms: number | null
        readonly typical_freshness_s: number | null
        readonly typical_thin?: Explained<{
          readonly latency_ms: number | null
          readonly freshness_s: number | null
        }>
      }>)[]
      readonly free: (Explained<{
        readonly resource: string
        readonly method: 'GET'
        readonly path: string
        readonly title: string
        readonly description: string
        readonly mcp_tool: string | null
      }>)[]
      readonly mcp: {
        readonly url: string
        readonly transport: 'streamable-http'
      }
    }
    ManifestAnswer: {
      readonly x402Version: 2
      readonly kind: 'resource-server'
      readonly version: '2.0'
      readonly service_version: string
      readonly updated: string
      readonly name: string
      readonly description: string
      readonly url: string
      readonly openapi: string
      readonly llms: string
      readonly terms: string
      readonly catalog: string
      readonly contact?: string
      readonly mcp: {
        readonly url: string
        readonly transport: 'streamable-http'
      }
      readonly receipt_keys?: Readonly<Record<string, unknown>>
      readonly resources: (Explained<{
        readonly url: string
        readonly method: 'GET'
        readonly description: string
        readonly price_usd: number
        readonly mcp_tool: string | null
        readonly accepts: (Accepts)[]
      }>)[]
    }
    StreamEvent: {
      readonly id?: string
      readonly event: 'flag'
      readonly data: string
    } | {
      readonly id?: string
      readonly event: 'retracted'
      readonly data: string
    } | {
      readonly id?: string
      readonly event: 'skipped'
      readonly data: string
    }
    StreamedFlag: Explained<{
      readonly t: number
      readonly mint: string
      readonly name: string | null
      readonly symbol: string | null
      readonly creator: string | null
      readonly creator_is_wallet: boolean | null
      readonly flag: Schemas['Flag']
      readonly detail: Schemas['FlagEvidence']
      readonly mint_age_at_flag_s: number | null
      readonly position: string
      readonly finding_id: string
      readonly finality: 'processed' | 'confirmed' | 'finalized'
      readonly creator_prior: CreatorPrior | null
      readonly creator_prior_of: string | null
      readonly delayed_s: number
    }>
    StreamedRetraction: Explained<{
      readonly finding_id: string
      readonly position: string
      readonly flag: Schemas['Flag']
      readonly mint: string
      readonly creator: string | null
      readonly t: number
      readonly delayed_s: number
    }>
    StreamedGap: Explained<{
      readonly from: string | string
      readonly to: string | null
      readonly reason: string
    }>
    Refusal: {
      readonly ok: false
      readonly error: string
      readonly hint: string
      readonly charged?: false | null
      readonly request_id?: string
    }
    ValidationError: {
      readonly detail: ({
        readonly type: string
        readonly loc: (string | number)[]
        readonly msg: string
        readonly input?: unknown
        readonly ctx?: Readonly<Record<string, unknown>>
      })[]
      readonly charged?: false
    }
    PaymentRequired: {
      readonly x402Version: 2
      readonly error: string
      readonly resource: {
        readonly url: string
        readonly description: string
        readonly mimeType?: string
        readonly serviceName?: string
        readonly tags?: (string)[]
      }
      readonly accepts: (Accepts)[]
      readonly extensions: Readonly<Record<string, unknown>>
    }
    Flag: 'creator_sold' | 'bundle_dumped' | 'curve_drained' | 'pool_drained' | 'curve_closed_low' | 'migrate_below_grad'
    WatchEvent: 'creator_sold' | 'bundle_dumped' | 'curve_drained' | 'pool_drained' | 'curve_closed_low' | 'migrate_below_grad' | 'lifecycle_transition'
    FlagEvidence: Explained<{
      readonly tokens_share: number
      readonly sol: number | null
    }> | {
      readonly n_wallets: number
      readonly bought_share: number
      readonly sold_share: number
    } | {
      readonly peak_rs: number
      readonly rs: number
    } | Explained<{
      readonly opening_quote: number | null
      readonly quote: number | null
      readonly quote_mint?: string
    }> | {
      readonly peak_rs: number
    } | {
      readonly peak_rs: number
      readonly pool: string
    }
    CardFlags: Explained<{
      readonly creator_sold: boolean | null
      readonly bundle_dumped: boolean | null
      readonly curve_drained: boolean | null
      readonly pool_drained: boolean | null
      readonly curve_closed_low: boolean | null
      readonly migrate_below_grad: boolean | null
    }>
    FlagCounts: {
      readonly creator_sold: number
      readonly bundle_dumped: number
      readonly curve_drained: number
      readonly pool_drained: number
      readonly curve_closed_low: number
      readonly migrate_below_grad: number
    }
    Reason: string
  }
}

type Curve = Explained<{
  readonly rs_sol: number | null
  readonly rs_at_migration_sol: number | null
  readonly peak_rs_sol: number | null
  readonly progress: number | null
  readonly drawdown_from_peak: number | null
  readonly complete: boolean
  readonly migrated: boolean
  readonly graduated: boolean | null
  readonly is_mayhem: boolean
  readonly dev_buy_sol: number | null
  readonly quote_mint: string
  readonly pool?: string
}>

type Demand = Explained<{
  readonly unique_buyers: number
  readonly buys_60s: number
  readonly sells_60s: number
  readonly net_sol_60s: number | null
  readonly inflow_stalled: boolean
  readonly n_buys: number
  readonly n_sells: number
  readonly last_trade_at: number | null
}>

type Holders = Explained<{
  readonly n_holders: number | null
  readonly top5_share: number | null
  readonly hhi: number | null
  readonly dev_share: number | null
  readonly bundle_share: number | null
  readonly insider_share: number | null
  readonly n_bundle_wallets: number
  readonly bundle_dumped: boolean
  readonly supply_tokens: number
  readonly supply_tokens_reason?: string
  readonly circulating_tokens: number | null
  readonly n_insider_wallets?: number
  readonly insiders?: ({
    readonly wallet: string
    readonly rules: ('a' | 'b' | 'c')[]
    readonly tokens_share: number
  })[]
  readonly entities?: Explained<{
    readonly n_entities: number
    readonly n_joined_wallets: number
    readonly top1_share: number
    readonly top5_share: number
    readonly hhi: number | null
    readonly largest: ({
      readonly n_wallets: number
      readonly tokens_share: number
      readonly wallets: (string)[]
      readonly joins: ({
        readonly by: 'funder' | 'transaction' | 'handed_over'
        readonly wallets: (string)[]
        readonly funder?: string
        readonly slot?: number
        readonly tx_index?: number
      })[]
    })[]
  }>
}>

type CreatorPriorAtLaunch = Explained<{
  readonly n_launches: number
  readonly n_resolved: number
  readonly grad_rate: number | null
  readonly rug_rate: number | null
  readonly median_dev_sell_s: number | null
  readonly is_first_time: boolean
  readonly observed_since: number | null
}>

type WarmLaunch = Explained<{
  readonly funder: string
  readonly amount_sol: number
  readonly funded_at: number
  readonly seconds_before_launch: number
  readonly position: string
  readonly funder_is_creator: boolean | null
  readonly funder_prior: Explained<{
    readonly n_launches: number
    readonly rug_rate: number | null
  }> | null
}>

type RugFlags = Explained<{
  readonly flag: Schemas['Flag']
  readonly first_seen_at: number
  readonly position: string
  readonly finding_id: string
  readonly detector_id: string
  readonly detector_version: number
  readonly detector_hash: string | null
  readonly finality: 'processed' | 'confirmed' | 'finalized'
  readonly evidence: Schemas['FlagEvidence']
}>

type Outcome = Explained<{
  readonly mint: string
  readonly creator: string
  readonly t0: number
  readonly slot0: number
  readonly settled_at: number
  readonly settled_by: string
  readonly graduated: boolean | null
  readonly rugged: boolean | null
  readonly rug_kind: string | null
  readonly rug_dt_s: number | null
  readonly peak_rs: number | null
  readonly terminal_rs: number | null
  readonly dev_first_sell_dt_s: number | null
  readonly dev_buy_sol: number | null
  readonly reached_5_sol: boolean | null
  readonly n_trades: number
  readonly n_buyers: number
  readonly is_mayhem: boolean
  readonly self_graduated: boolean
  readonly censored: string | null
  readonly reopened_at: number | null
}>

type BaseRates = Explained<{
  readonly window_days: number
  readonly launches: number
  readonly grad_rate: number | null
  readonly rug_rate: number | null
  readonly dev_sold_rate: number | null
  readonly reached_5_sol_rate: number | null
  readonly as_of: number
}>

type CreatorPrior = Explained<{
  readonly n_launches: number
  readonly grad_rate: number | null
  readonly rug_rate: number | null
}>

type LastSeen = Explained<{
  readonly position: string
  readonly at: number
  readonly rs_sol: number | null
  readonly complete: boolean
  readonly migrated: boolean
  readonly is_mayhem: boolean
}>

type Findings = Explained<{
  readonly flag: Schemas['AltFlag']
  readonly first_seen_at: number
  readonly position: string
  readonly finding_id: string
  readonly detector_id: string
  readonly detector_version: number
  readonly detector_hash: string | null
  readonly finality: 'processed' | 'confirmed' | 'finalized'
  readonly evidence: Schemas['AltFlagEvidence']
}>

type Meta = Explained<{
  readonly source: string
  readonly version: string
  readonly feed_lag_s: number | null
  readonly is_stale: boolean
  readonly last_slot: number | null
  readonly price_usd: number
  readonly unpaid_reason?: string
  readonly next?: Readonly<Record<string, string>>
  readonly labels: '/v1/labels'
  readonly disclaimer: string
  readonly max_feed_lag_s: number
  readonly chain_lag_s: number | null
  readonly slots_behind: number | null
  readonly tape_behind: boolean
  readonly delayed_s?: number
  readonly freshness_checked_at: number
  readonly feed_lag_at_generation_s: number | null
  readonly result_age_s: number
  readonly replayed: boolean
  readonly untrusted_text_note: string
  readonly sandbox?: true
}>

type Minute = Explained<{
  readonly window_s: number
  readonly observed_s: number
  readonly launches: number
  readonly launches_per_hour: number | null
  readonly graduations: number
  readonly graduations_per_hour: number | null
  readonly graduation_rate: number | null
  readonly median_graduation_s: number | null
  readonly buys_per_minute: number | null
  readonly sells_per_minute: number | null
  readonly unique_buyers: number | null
}>

type AltFlagEvidence = Explained<{
  readonly tokens_share: number
  readonly eth: number | null
  readonly tx_hash: string
}>

type AltFlagEvidence2 = {
  readonly peak_eth: number
  readonly eth: number
  readonly peak_tx_hash: string
  readonly tx_hash: string
}

type Probabilities = Explained<{
  readonly rug_within_300s: number | null
  readonly true_graduation: number | null
  readonly logged: ({
    readonly head: 'rug_within_300s' | 'true_graduation'
    readonly odds_id: string
    readonly model_id: string
    readonly at: number
    readonly age_s: number
  })[]
}>

type Model = Explained<{
  readonly id: string | null
  readonly calibration: string
  readonly horizon_s: number
  readonly heads: (Explained<{
    readonly head: 'rug_within_300s' | 'true_graduation'
    readonly model_id: string | null
    readonly is_shown: boolean
    readonly hidden_reason?: string
    readonly since?: number
  }>)[]
}>

type HowToBuy = {
  readonly single: Explained<{
    readonly route: string
    readonly price_usd: number
    readonly mcp_tool: string | null
  }>
  readonly batch: Explained<{
    readonly route: string
    readonly price_usd: number
    readonly mcp_tool: string | null
    readonly max_mints: number
  }>
  readonly payment: string
}

type Polling = Explained<{
  readonly changes_at_most_every_s: number
  readonly suggested_poll_s: number
  readonly rug_rows_leave_after_s: number
  readonly note: string
  readonly every_launch: Explained<{
    readonly url: string
    readonly price_usd: number
    readonly what: string
    readonly route: string
    readonly mcp_tool: string | null
  }> | null
  readonly push: {
    readonly url: string
    readonly price_usd: number
    readonly what: string
    readonly route: string
    readonly days: number
    readonly page: string
  } | null
}>

type Stats = Explained<{
  readonly n_launches: number
  readonly n_resolved: number
  readonly grad_rate: number | null
  readonly rug_rate: number | null
  readonly median_dev_sell_s: number | null
  readonly is_first_time: boolean
  readonly observed_since: number | null
  readonly total_dev_buy_sol: number
}>

type RecentLaunches = Explained<{
  readonly mint: string
  readonly t0: number
  readonly position: string
  readonly settled_at: number | null
  readonly graduated: number | null
  readonly rugged: number | null
  readonly rug_dt_s: number | null
  readonly peak_rs: number | null
  readonly self_graduated: boolean | null
}>

type FundedRecentlyBy = Explained<{
  readonly funder: string
  readonly amount_sol: number
  readonly funded_at: number
  readonly position: string
  readonly funder_prior: Explained<{
    readonly n_launches: number
    readonly rug_rate: number | null
  }> | null
}>

type Leaderboard = Explained<{
  readonly class: 'insider' | 'sniper' | 'skilled' | 'crowd' | null
  readonly rank: number | null
  readonly stats: {
    readonly n_positions: number
    readonly n_closed: number
    readonly n_won: number
    readonly n_sniped: number
    readonly n_with_role: number
    readonly n_trades: number
    readonly realized_sol: number
  }
  readonly as_of: number | null
  readonly window_s: number
}>

type LiveHoldingsRecentMints = Explained<{
  readonly mint: string
  readonly tokens_share: number | null
  readonly first_buy_slot: number | null
  readonly rs_sol: number | null
}>

type FundingSource = Explained<{
  readonly funder: string
  readonly amount_sol: number
  readonly funded_at: number
  readonly position: string
  readonly seconds_ago: number
  readonly funder_prior: Explained<{
    readonly n_launches: number
    readonly rug_rate: number | null
  }> | null
}>

type Shape = Explained<{
  readonly is_mayhem: boolean
  readonly dev_buy: 'none' | 'under_1_sol' | '1_to_5_sol' | 'over_5_sol' | null
  readonly bundle: 'none' | '1_to_4' | '5_or_more' | null
  readonly creator_kind: 'first_time' | 'mixed' | 'serial_rugger' | 'has_graduated' | null
  readonly dev_buy_sol: number | null
  readonly n_bundle_wallets: number | null
  readonly creator_prior: {
    readonly of: string
    readonly n_launches: number
    readonly n_resolved: number
    readonly n_graduated: number
    readonly n_rugged: number
  } | null
}>

type Rugged = {
  readonly n: number
  readonly rate: number
  readonly low: number
  readonly high: number
}

type CollapseS = Explained<{
  readonly n: number
  readonly p50: number | null
  readonly p90: number | null
}>

type Window = {
  readonly from: number
  readonly to: number
  readonly days: number
}

type Minute2 = Explained<{
  readonly window_s: number
  readonly launches: number
  readonly observed_s: number
  readonly launches_per_hour: number | null
  readonly mayhem_share: number | null
  readonly buys: number
  readonly sells: number
  readonly buy_sol: number
  readonly sell_sol: number
  readonly failed_share: number | null
  readonly migrations: number
  readonly true_graduations: number
  readonly rug_flags: Schemas['FlagCounts']
  readonly coverage: 'full' | 'thin'
  readonly coverage_reason?: string
  readonly coverage_range?: {
    readonly from_slot: number
    readonly to_slot: number
  }
  readonly observed_since?: number
}>

type Heads = {
  readonly rug_within_300s: RugWithin300s
  readonly true_graduation: RugWithin300s
}

type RugWithin300s = Explained<{
  readonly standing: Explained<{
    readonly is_shown: boolean
    readonly reason?: string
    readonly model_id: string | null
    readonly since: number | null
  }>
  readonly live: Explained<{
    readonly n: number
    readonly hits: number
    readonly mean_p: number
    readonly base_rate: number
    readonly brier: number
    readonly brier_skill: number | null
    readonly ece: number
    readonly pr_auc: number | null
    readonly bins: ({
      readonly from: number
      readonly to: number
      readonly n: number
      readonly mean_p: number
      readonly observed: number
      readonly low: number
      readonly high: number
    })[]
  }> | null
  readonly days: (Explained<{
    readonly day: string
    readonly n: number
    readonly hits: number
    readonly mean_p: number
    readonly base_rate: number
    readonly brier: number
    readonly brier_skill: number | null
    readonly ece: number
    readonly pr_auc: number | null
  }>)[]
  readonly regimes: (Explained<{
    readonly regime: 'under_1000' | '1000_to_2000' | 'over_2000'
    readonly n: number
    readonly hits: number
    readonly mean_p: number
    readonly base_rate: number
    readonly brier: number
    readonly brier_skill: number | null
    readonly ece: number
    readonly pr_auc: number | null
  }>)[]
  readonly models: (Explained<{
    readonly model_id: string
    readonly n: number
    readonly hits: number
    readonly mean_p: number
    readonly base_rate: number
    readonly brier: number
    readonly brier_skill: number | null
    readonly ece: number
    readonly pr_auc: number | null
  }>)[]
  readonly validation: {
    readonly model_id: string
    readonly metrics: Readonly<Record<string, Readonly<Record<string, number | string>>>>
  } | null
}>

type Ledger = {
  readonly hours: number
  readonly changed_hours: number
  readonly newest: ({
    readonly hour: number
    readonly n: number
    readonly root: string
  })[]
}

type Calls = Explained<{
  readonly call: 'rug_80' | 'rug_50' | 'graduation_50'
  readonly head: 'rug_within_300s' | 'true_graduation'
  readonly at_least: number
  readonly meaning: string
  readonly worst_day: WorstDay | null
  readonly total: Explained<{
    readonly launches: number
    readonly unresolved: number
    readonly positives: number
    readonly base_rate: number | null
    readonly calls: number
    readonly hits: number
    readonly precision: number | null
    readonly recall: number | null
  }>
  readonly days: (WorstDay)[]
}>

type WorstDay = Explained<{
  readonly day: string
  readonly launches: number
  readonly unresolved: number
  readonly positives: number
  readonly base_rate: number | null
  readonly calls: number
  readonly hits: number
  readonly precision: number | null
  readonly recall: number | null
  readonly lead_p50_s: number | null
}>

type Odds = Explained<{
  readonly odds_id: string
  readonly mint: string
  readonly head: 'rug_within_300s' | 'true_graduation'
  readonly age_s: number
  readonly at: number
  readonly probability: number
  readonly model_id: string
  readonly came_true: boolean | null
  readonly is_retracted: boolean
  readonly proof_url: string
}>

type Data = Explained<{
  readonly items: ({
    readonly mint: string
    readonly coverage: 'full' | 'thin'
    readonly reason: string
  })[]
  readonly all_full: boolean
  readonly feed_lag_s: number | null
  readonly prices: {
    readonly single_usd: number
    readonly watchlist_usd: number
  }
}>

type Proof = {
  readonly event_id: string
  readonly position: string
  readonly type: string
  readonly signature: string
}

type Differences = {
  readonly field: string
  readonly stored: unknown
  readonly recomputed: unknown
}

type Data2 = {
  readonly finding_id: string
  readonly status: 'withheld'
  readonly mint: string
  readonly detector_id: string
  readonly position: string
  readonly free_at: number
  readonly delayed_s: number
}

type Accepts = {
  readonly scheme: 'exact'
  readonly network: string
  readonly asset: string
  readonly amount: string
  readonly payTo: string
  readonly maxTimeoutSeconds: 60
  readonly extra: Readonly<Record<string, unknown>>
}
