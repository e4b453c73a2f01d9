// What the API asks of history: figures over long windows, kept in ClickHouse. Never in the way of a card.

import type { Settlement } from '../../processors/mint/card/history.ts'
import type { CohortCounts } from '../../processors/mint/cohort/cohort.ts'
import type { ShapeFacts } from '../../processors/mint/cohort/shape.ts'
import type { Amount } from '../../schemas/amount.ts'
import type { Key } from '../../schemas/keys.ts'
import type { Place } from '../../schemas/position.ts'
import type { OddsHistory } from './odds-history.ts'

/** A figure, or why there is none: callers show the reason beside a null. */
export type Known<Value> =
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
  /** Of the window, seconds of the minutes in which frames were folded: what rates are per. */
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

/** What became of the resolved launches of the last days, by shape. */
export interface Cohorts {
  /** By `cohortKeyOf`, of every shape and of those that are coarser; none without a launch. */
  readonly cohorts: ReadonlyMap<string, CohortCounts>
  /** Where the window begins, or later where shapes are known from later on, unix seconds. */
  readonly from: number
}

/** Trades on curves over one window, which ends at the newest block of whose trades all are counted. */
export interface CurveTrades {
  /** Of the window, seconds since capture began. */
  readonly observedS: number
  readonly buys: number
  readonly sells: number
  /** Known wallets that bought. */
  readonly uniqueBuyers: number
}

export interface CurveMarket {
  readonly minute: CurveTrades
  readonly hour: CurveTrades
}

/** What kind of trader a wallet is; semantics in /v1/labels. */
export type WalletClass = 'insider' | 'sniper' | 'skilled' | 'crowd'

/** What a wallet made of the coins it traded in the last 3 days. */
export interface WalletResult {
  readonly class: WalletClass
  /** Null where it is not on the leaderboard. */
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
  readonly place: Place
}

/** Of when ranks are, and since when trades are known, unix seconds. */
export interface RanksKnown {
  readonly asOf: number
  readonly since: number
}

/** What history knows of a wallet. */
export interface WalletRecord {
  /** Null for a wallet that traded nothing in the window. */
  readonly result: WalletResult | null
  /** Every trade up to here is counted, unix seconds; null while none is. */
  readonly asOf: number | null
  /** Trades before it are not known any more, or never were, unix seconds; null while none is. */
  readonly since: number | null
  /** Wallets on the leaderboard, and how many it has room for. */
  readonly ranked: number
  readonly rankedMax: number
  /** The newest payment that history holds. */
  readonly payment: WalletPayment | null
}

/** A launch that has settled. */
export interface SettledLaunch {
  readonly settlement: Settlement
  /** Mechanisms that fired, sorted. */
  readonly flags: readonly string[]
  /** What the launch said, while the history holds it. */
  readonly launch: { readonly name: string; readonly symbol: string; readonly user: Key } | null
}

/** Which finding is asked for. */
export interface FindingPlace {
  readonly id: string
  /** The coin, or the token of a curve: the keys of the two have different lengths. */
  readonly mint: Key
  /** Slot or block. */
  readonly number: number
}
/** A finding as it was said, also where it was taken back since. */
export interface KeptFinding {
  readonly flag: string
  readonly detector: string
  readonly detectorVersion: number
  /** SHA-256 over its code, hex; null where it was not registered. */
  readonly detectorHash: string | null
  /** Block time of the causing event, unix seconds. */
  readonly at: number
  readonly mintAgeS: number | null
  /** JSON object. */
  readonly evidence: string
  /** Ids of the events that prove it, the causing one last. */
  readonly events: readonly string[]
  readonly isRetracted: boolean
}

/** Which trades are asked for: those of a coin on its curve and in one pool, or those of a token on its curve. */
export interface SeriesAsked {
  /** The coin, or the token of a curve: the keys of the two have different lengths. */
  readonly mint: Key
  /** Null where the curve has not migrated, and for tokens of curves. */
  readonly pool: Key | null
  /** Time of frames, unix seconds, both included. */
  readonly from: number
  readonly until: number
  /** Length of a bucket, seconds; the answer has at most `SERIES_POINTS_MAX` buckets. */
  readonly stepS: number
}
/** The trades of one bucket, of those that are paired with the chain's own coin. Amounts are base units. */
export interface SeriesPoint {
  /** Beginning of the bucket, unix seconds: `from` + n x `stepS`. */
  readonly at: number
  readonly buys: number
  readonly sells: number
  /** Quote without fees. */
  readonly boughtUnits: Amount
  readonly soldUnits: Amount
  /** Real quote in the curve after the last trade, in a pool before it; null where the trade does not say. */
  readonly reserveUnits: Amount | null
  /** Price after the last trade, in a pool before it: quote for tokens. On curves of tokens what the trade itself paid. */
  readonly price: { readonly quoteUnits: Amount; readonly tokenUnits: Amount }
  readonly isInPool: boolean
}
export const SERIES_POINTS_MAX = 400

/** What was asked of ClickHouse in a request, or why it did not answer. */
export type Asked<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly reason: string }

/**
 * Reads are cached and refreshed in the background: but for one wallet, mint or finding no call waits for ClickHouse; none rejects.
 * `asOf` is stream time, unix seconds.
 */
export interface History extends OddsHistory {
  baseRates(): Known<BaseRates>
  regime(): Known<Regime>
  cohorts(): Known<Cohorts>
  /** Of the alt chain. */
  curveMarket(): Known<CurveMarket>
  /** Of the ranks of wallets; null while there are none. */
  ranks(): RanksKnown | null
  /** Asks ClickHouse, for 5 s at most. */
  wallet(wallet: Key): Promise<Asked<WalletRecord>>
  /** Of a mint that the stores no longer know; null where none was kept. Asks ClickHouse, for 1.5 s at most: a card waits for it. */
  settled(mint: Key): Promise<Asked<SettledLaunch | null>>
  /** Of a mint that the stores no longer know; null where none was kept. Asks ClickHouse, for 1.5 s at most. */
  shape(mint: Key): Promise<Asked<ShapeFacts | null>>
  /** Null where none was kept. Asks ClickHouse, for 1.5 s at most. */
  finding(place: FindingPlace): Promise<Asked<KeptFinding | null>>
  /** Buckets with a trade, oldest first. Asks ClickHouse, for 1.5 s at most. */
  series(asked: SeriesAsked): Promise<Asked<readonly SeriesPoint[]>>
  /** Why `wallet` cannot be answered now; null where it can. Asks ClickHouse at most once in 2 s, however many want to know. */
  away(): Promise<string | null>
  /** How far the sink is: rows written, newest tick (unix s) whose rows are all there, and what is wrong, if anything is. */
  status(): { readonly rows: number; readonly upTo: number | null; readonly trouble: string | null }
}
