// A History whose figures tests set. It does not simulate: refreshing, a sink that lags, or figures that follow from rows.
import type { CohortCounts } from '../../processors/mint/cohort/cohort.ts'
import type { ShapeFacts } from '../../processors/mint/cohort/shape.ts'
import type { Key } from '../../schemas/keys.ts'
import type {
  BaseRates,
  CachedResult,
  Cohorts,
  CurveMarket,
  FindingKey,
  History,
  KeptFinding,
  LookupKind,
  RanksKnown,
  Regime,
  RegimeWindow,
  SeriesPoint,
  SeriesQuery,
  SettledLaunch,
  SinkStatus,
  StoreState,
  WalletRecord,
} from '../../topology/ports/history.ts'
import { NOW_CURVES_S } from '../fixtures/curve-market.ts'
import { NOW_S } from '../unit/query-api/given-mint.ts'
import { SetOddsHistory } from './set-odds-history.ts'

export const WEEK: BaseRates = {
  windowDays: 7,
  launches: 9_140,
  gradRate: 0.0085,
  rugRate: 0.41,
  devSoldRate: 0.56,
  reached5SolRate: 0.213,
}

const window = (windowS: RegimeWindow['windowS'], launches: number): RegimeWindow => ({
  windowS,
  launches,
  observedS: windowS,
  mayhemShare: 0.031,
  buys: launches * 31,
  sells: launches * 24,
  buyLamports: launches * 7_300_000_000,
  sellLamports: launches * 6_900_000_000,
  failedShare: 0.387,
  migrations: Math.floor(launches / 60),
  trueGraduations: Math.floor(launches / 90),
  rugFlags: { creator_sold: Math.floor(launches / 2), bundle_dumped: Math.floor(launches / 9), curve_drained: Math.floor(launches / 4) },
})
export const BUSY: Regime = { minute: window(60, 3), hour: window(3_600, 148), day: window(86_400, 3_410) }

export const BUSY_CURVES: CurveMarket = {
  minute: { observedS: 60, buys: 40, sells: 20, uniqueBuyers: 31 },
  hour: { observedS: 1_800, buys: 2_100, sells: 900, uniqueBuyers: 640 },
}

/** Counts that make the shares easy to check: a quarter graduates, half is rugged. */
export const cohortOf = (n: number): CohortCounts => ({
  ...{ n, rugged: Math.floor(n / 2), graduated: Math.floor(n / 4) },
  ...{ collapseP50S: n < 2 ? null : 41, collapseP90S: n < 2 ? null : 180 },
})
/** By the bands in which a launch and its cohort match: mayhem, dev buy, bundle, kind of creator. */
export const BUSY_COHORTS: Cohorts = {
  cohorts: new Map([
    ['false', cohortOf(24_000)],
    ['false/none', cohortOf(8_000)],
    ['false/none/none', cohortOf(5_000)],
    ['false/1_to_5_sol', cohortOf(9_000)],
    ['false/1_to_5_sol/1_to_4', cohortOf(4_000)],
    ['false/1_to_5_sol/1_to_4/mixed', cohortOf(400)],
    ['false/1_to_5_sol/1_to_4/serial_rugger', cohortOf(19)],
    ['true', cohortOf(19)],
  ]),
  from: NOW_S - 30 * 86_400,
}

/** Of a wallet that is not in the history. */
const NO_RECORD: WalletRecord = {
  result: null,
  asOf: NOW_S - 30,
  since: NOW_S - 90 * 86_400,
  ranked: 5_000,
  rankedMax: 100_000,
  payment: null,
}

/** Answers with the figures above until a test changes them. */
export class SetHistory extends SetOddsHistory implements History {
  rates: CachedResult<BaseRates> = { ok: true, value: WEEK, asOf: NOW_S - 20 }
  market: CachedResult<Regime> = { ok: true, value: BUSY, asOf: NOW_S - 1 }
  curves: CachedResult<CurveMarket> = { ok: true, value: BUSY_CURVES, asOf: NOW_CURVES_S - 1 }
  shaped: CachedResult<Cohorts> = { ok: true, value: BUSY_COHORTS, asOf: NOW_S - 20 }
  known: RanksKnown | null = { asOf: NOW_S - 30, since: NOW_S - 90 * 86_400 }
  readonly wallets = new Map<Key, WalletRecord>()
  readonly launches = new Map<Key, SettledLaunch>()
  readonly shapes = new Map<Key, ShapeFacts>()
  readonly findings = new Map<string, KeptFinding>()
  /** All stored points; `series` returns those of the requested time. */
  readonly points = new Map<Key, readonly SeriesPoint[]>()
  sink: SinkStatus = { rows: 0, upTo: null, trouble: null }
  store: StoreState = 'up'

  baseRates(): CachedResult<BaseRates> {
    return this.rates
  }
  regime(): CachedResult<Regime> {
    return this.market
  }
  cohorts(): CachedResult<Cohorts> {
    return this.shaped
  }
  curveMarket(): CachedResult<CurveMarket> {
    return this.curves
  }
  ranks(): RanksKnown | null {
    return this.known
  }
  async wallet(key: Key): ReturnType<History['wallet']> {
    this.asked.push('wallet')
    return this.unavailable() ?? { ok: true, value: this.wallets.get(key) ?? NO_RECORD }
  }
  async settled(mint: Key, _kind: LookupKind): ReturnType<History['settled']> {
    this.asked.push('settled')
    return this.unavailable() ?? { ok: true, value: this.launches.get(mint) ?? null }
  }
  async shape(mint: Key, _kind: LookupKind): ReturnType<History['shape']> {
    this.asked.push('shape')
    return this.unavailable() ?? { ok: true, value: this.shapes.get(mint) ?? null }
  }
  async finding({ id }: FindingKey): ReturnType<History['finding']> {
    this.asked.push('finding')
    return this.unavailable() ?? { ok: true, value: this.findings.get(id) ?? null }
  }
  async series({ mint, from, until }: SeriesQuery): ReturnType<History['series']> {
    this.asked.push('series')
    const value = (this.points.get(mint) ?? []).filter(({ at }) => at >= from && at <= until)
    return this.unavailable() ?? { ok: true, value }
  }
  status(): ReturnType<History['status']> {
    return { ...this.sink, store: this.store }
  }
}
