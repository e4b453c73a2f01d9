// The figures of the history that the API keeps in memory.
import type { BaseRates, CachedResult, Cohorts, CurveMarket, RanksKnown, Regime } from '../ports/history.ts'
import type { OddsGrades, OddsLedger, TrackRecord } from '../ports/odds-history.ts'
import type { HistoryClient } from './client.ts'
import { readCohorts } from './cohorts.ts'
import { readCurveMarket } from './curve-figures.ts'
import { readBaseRates, readRegime } from './figures.ts'
import { readOddsGrades, readTrackRecord } from './odds/grades.ts'
import { readOddsLedger } from './odds/proofs.ts'
import { readRanksKnown } from './wallets.ts'

export interface HistoryFigures {
  readonly baseRates: CachedResult<BaseRates>
  readonly regime: CachedResult<Regime>
  readonly cohorts: CachedResult<Cohorts>
  readonly curves: CachedResult<CurveMarket>
  readonly ranks: RanksKnown | null
  readonly oddsGrades: CachedResult<OddsGrades>
  readonly trackRecord: CachedResult<TrackRecord>
  readonly oddsLedger: CachedResult<OddsLedger>
}

export const noFigures = (reason: string): HistoryFigures => {
  const unknown = { ok: false as const, reason }
  const odds = { oddsGrades: unknown, trackRecord: unknown, oddsLedger: unknown }
  return { baseRates: unknown, regime: unknown, cohorts: unknown, curves: unknown, ranks: null, ...odds }
}

/** @throws EngineError */
export const readFigures = async (client: HistoryClient): Promise<HistoryFigures> => {
  const [baseRates, regime, cohorts, curves, ranks, oddsGrades, trackRecord, oddsLedger] = await Promise.all([
    readBaseRates(client),
    readRegime(client),
    readCohorts(client),
    readCurveMarket(client),
    readRanksKnown(client),
    readOddsGrades(client),
    readTrackRecord(client),
    readOddsLedger(client),
  ])
  return { baseRates, regime, cohorts, curves, ranks, oddsGrades, trackRecord, oddsLedger }
}

/** Returns the figures read last; subclasses read them. */
export abstract class KeptFigures {
  protected figures: HistoryFigures

  constructor(figures: HistoryFigures) {
    this.figures = figures
  }
  baseRates(): CachedResult<BaseRates> {
    return this.figures.baseRates
  }
  regime(): CachedResult<Regime> {
    return this.figures.regime
  }
  cohorts(): CachedResult<Cohorts> {
    return this.figures.cohorts
  }
  curveMarket(): CachedResult<CurveMarket> {
    return this.figures.curves
  }
  ranks(): RanksKnown | null {
    return this.figures.ranks
  }
  oddsGrades(): CachedResult<OddsGrades> {
    return this.figures.oddsGrades
  }
  trackRecord(): CachedResult<TrackRecord> {
    return this.figures.trackRecord
  }
  oddsLedger(): CachedResult<OddsLedger> {
    return this.figures.oddsLedger
  }
}
