// A History whose figures tests set. It does not simulate: refreshing, a sink that lags, or figures that follow from rows.
import type { BaseRates, History, Known, Regime, RegimeWindow } from '../../topology/ports/history.ts'
import { NOW_S } from '../unit/query-api/given-mint.ts'

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
  launchesPerHour: (launches * 3_600) / windowS,
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

/** Knows everything until it is told otherwise. */
export class SetHistory implements History {
  rates: Known<BaseRates> = { ok: true, value: WEEK, asOf: NOW_S - 20 }
  market: Known<Regime> = { ok: true, value: BUSY, asOf: NOW_S - 1 }

  baseRates(): Known<BaseRates> {
    return this.rates
  }
  regime(): Known<Regime> {
    return this.market
  }
  status(): ReturnType<History['status']> {
    return { rows: 0, upTo: null, trouble: null }
  }
}
