// The API's port to history: figures over long windows, kept in ClickHouse. A card never waits for the cached figures.

import type { Settlement } from '../../processors/mint/card/history.ts'
import type { CohortCounts } from '../../processors/mint/cohort/cohort.ts'
import type { ShapeFacts } from '../../processors/mint/cohort/shape.ts'
import type { Amount } from '../../schemas/amount.ts'
import type { Key } from '../../schemas/keys.ts'
import type { PositionInChain } from '../../schemas/position.ts'
import type { OddsHistory } from './odds-history.ts'

/** A figure, or the reason it is missing: callers show the reason next to a null. */
export type CachedResult<Value> =
  | { readonly ok: true; readonly value: Value; readonly asOf: number }
  | { readonly ok: false; readonly reason: string }

/** Rates over the resolved launches of the last days; rates are null while no launch is resolved. */
export interface BaseRates {
  readonly windowDays: number
  readonly launches: number
  readonly gradRate: number | null
  readonly rugRate: number | null
  readonly devSoldRate: number | null
  readonly reached5SolRate: number | null
}

/** The market over one window that ends at the newest tick. Shares are null where nothing happened. */
export interface RegimeWindow {
  readonly windowS: 60 | 3_600 | 86_400
  readonly launches: number
  /** Seconds of the window that lie in minutes with folded frames: the denominator of rates. */
  readonly observedS: number
  readonly mayhemShare: number | null
  readonly buys: number
  readonly sells: number
  readonly buyLamports: Amount
  readonly sellLamports: Amount
  readonly failedShare: number | null
  readonly migrations: number
  readonly trueGraduations: number
  /** Flags by mechanism. */
  readonly rugFlags: Readonly<Record<string, number>>
}

export interface Regime {
  readonly minute: RegimeWindow
  readonly hour: RegimeWindow
  readonly day: RegimeWindow
}

/** Outcomes of the resolved launches of the last days, by shape. */
export interface Cohorts {
  /** By `cohortKeyOf`, for every shape and the coarser ones; cohorts without a launch are absent. */
  readonly cohorts: ReadonlyMap<string, CohortCounts>
  /** Begin of the window, or the time since which shapes are known if that is later, unix seconds. */
  readonly from: number
}

/** Trades on curves over one window, which ends at the newest block whose trades are all counted. */
export interface CurveTrades {
  /** Seconds of the window since capture began. */
  readonly observedS: number
  readonly buys: number
  readonly sells: number
  /** Distinct known wallets that bought. */
  readonly uniqueBuyers: number
}

export interface CurveMarket {
  readonly minute: CurveTrades
  readonly hour: CurveTrades
}

/** Class of a trader; semantics in /v1/labels. */
export type WalletClass = 'insider' | 'sniper' | 'skilled' | 'crowd'

/** A wallet's result over the coins it traded in the last 3 days. */
export interface WalletResult {
  readonly class: WalletClass
  /** Null if it is not on the leaderboard. */
  readonly rank: number | null
  readonly realizedLamports: Amount
  readonly positions: number
  readonly closed: number
  readonly won: number
  readonly sniped: number
  readonly withRole: number
  readonly trades: number
}

/** SOL paid to a wallet. */
export interface WalletPayment {
  readonly funder: Key
  readonly amountLamports: Amount
  /** Unix seconds. */
  readonly at: number
  readonly place: PositionInChain
}

/** Time of the ranks, and the time since which trades are known, unix seconds. */
export interface RanksKnown {
  readonly asOf: number
  readonly since: number
}

/** What history stores about a wallet. */
export interface WalletRecord {
  /** Null for a wallet without trades in the window. */
  readonly result: WalletResult | null
  /** All trades up to this time are counted, unix seconds; null if no trade is counted. */
  readonly asOf: number | null
  /** Trades before this time are unknown, unix seconds; null if no trade is known. */
  readonly since: number | null
  /** Number of wallets on the leaderboard, and its maximum. */
  readonly ranked: number
  readonly rankedMax: number
  /** The newest payment stored in history. */
  readonly payment: WalletPayment | null
}

/** A launch that has settled. */
export interface SettledLaunch {
  readonly settlement: Settlement
  /** Mechanisms that fired, sorted. */
  readonly flags: readonly string[]
  /** Fields of the launch event, while history still holds it. */
  readonly launch: { readonly name: string; readonly symbol: string; readonly user: Key } | null
}

/** Identifies a finding. */
export interface FindingKey {
  readonly id: string
  /** The coin, or the token of a curve: the keys of the two have different lengths. */
  readonly mint: Key
  /** Slot or block. */
  readonly number: number
}
/** A finding as it was published, even if it was retracted since. */
export interface KeptFinding {
  readonly flag: string
  readonly detector: string
  readonly detectorVersion: number
  /** SHA-256 of the detector's code, hex; null if the detector was not registered. */
  readonly detectorHash: string | null
  /** Block time of the causing event, unix seconds. */
  readonly at: number
  readonly mintAgeS: number | null
  /** JSON object. */
  readonly evidence: string
  /** Ids of the events that prove the finding, the causing event last. */
  readonly events: readonly string[]
  readonly isRetracted: boolean
}

/** Selects trades: those of a coin on its curve and in one pool, or those of a token on its curve. */
export interface SeriesQuery {
  /** The coin, or the token of a curve: the keys of the two have different lengths. */
  readonly mint: Key
  /** Null if the curve has not migrated, and for tokens of curves. */
  readonly pool: Key | null
  /** Frame times, unix seconds, both inclusive. */
  readonly from: number
  readonly until: number
  /** Bucket length, seconds; the answer has at most `SERIES_POINTS_MAX` buckets. */
  readonly stepS: number
}
/** One bucket of trades; only those paired with the chain's native coin. Amounts are base units. */
export interface SeriesPoint {
  /** Begin of the bucket, unix seconds: `from` + n x `stepS`. */
  readonly at: number
  readonly buys: number
  readonly sells: number
  /** Quote without fees. */
  readonly boughtUnits: Amount
  readonly soldUnits: Amount
  /** Real quote reserve: of the curve after the last trade, of a pool before it; null if the trade does not include it. */
  readonly reserveUnits: Amount | null
  /** Price after the last trade, in a pool before it: quote per token. On curves of tokens, the price the trade itself paid. */
  readonly price: { readonly quoteUnits: Amount; readonly tokenUnits: Amount }
  readonly isInPool: boolean
}
export const SERIES_POINTS_MAX = 400

/** Result of a ClickHouse query made for a request, or why there is none. */
export type QueryResult<Value> = { readonly ok: true; readonly value: Value } | Unanswered

/** The state of the store: `up`; `busy`: it answers, but missed a query in the last 10 s; `down`: it has answered nothing for 10 s. */
export type StoreState = 'up' | 'busy' | 'down'

export interface Unanswered {
  readonly ok: false
  readonly reason: string
  /** The store is busy: the same query may be answered soon. Absent: the store is down, starting or absent. */
  readonly isBusy?: true
}

/** Who needs a lookup; each kind has connections and a queue of its own. `quote`: whether a paid answer can be offered. */
export type LookupKind = 'paid' | 'quote' | 'free'

/** Progress of the sink: rows written, the newest tick (unix s) up to which all rows are stored, and its current problem, if any. */
export interface SinkStatus {
  readonly rows: number
  readonly upTo: number | null
  readonly trouble: string | null
}

/**
 * Reads are cached and refreshed in the background: only queries for one wallet, mint or finding wait for ClickHouse. No read rejects.
 * `asOf` is stream time, unix seconds.
 */
export interface History extends OddsHistory {
  baseRates(): CachedResult<BaseRates>
  regime(): CachedResult<Regime>
  cohorts(): CachedResult<Cohorts>
  /** Figures of the alt chain. */
  curveMarket(): CachedResult<CurveMarket>
  /** Times of the wallet ranks; null if there are none. */
  ranks(): RanksKnown | null
  /** Queries ClickHouse, for 5 s at most. */
  wallet(wallet: Key): Promise<QueryResult<WalletRecord>>
  /** For a mint that the stores no longer hold; null if none was kept. Queries ClickHouse, for 1.5 s at most: a card waits for it. */
  settled(mint: Key, kind: LookupKind): Promise<QueryResult<SettledLaunch | null>>
  /** For a mint that the stores no longer hold; null if none was kept. Queries ClickHouse, for 1.5 s at most. */
  shape(mint: Key, kind: LookupKind): Promise<QueryResult<ShapeFacts | null>>
  /** Null if none was kept. Queries ClickHouse, for 1.5 s at most. */
  finding(key: FindingKey): Promise<QueryResult<KeptFinding | null>>
  /** Buckets with a trade, oldest first. Queries ClickHouse, for 1.5 s at most. */
  series(query: SeriesQuery): Promise<QueryResult<readonly SeriesPoint[]>>
  /** Why answers that need the store cannot be sold now; null if they can. Asks nothing: a heartbeat every 2 s knows it. */
  unavailable(): Unanswered | null
  status(): SinkStatus & { readonly store: StoreState }
}
