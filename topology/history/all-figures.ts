// The figures of the history that the API keeps in memory.
import type { BaseRates, Cohorts, CurveMarket, Known, RanksKnown, Regime } from '../ports/history.ts'
import type { OddsGrades, OddsLedger, TrackRecord } from '../ports/odds-history.ts'
import type { HistoryClient } from './client.ts'
import { readCohorts } from './cohorts.ts'
import { readCurveMarket } from './curve-figures.ts'
import { readBaseRates, readRegime } from './figures.ts'
import { readOddsGrades, readTrackRecord } from './odds/grades.ts'
import { readOddsLedger } from './odds/proofs.ts'
import { readRanksKnown } from './wallets.ts'

export interface Figures {
  readonly baseRates: Known<BaseRates>
  readonly regime: Known<Regime>
  readonly cohorts: Known<Cohorts>
  readonly curves: Known<CurveMarket>
  readonly ranks: RanksKnown | null
  readonly oddsGrades: Known<OddsGrades>
  readonly trackRecord: Known<TrackRecord>
  readonly oddsLedger: Known<OddsLedger>
}

export const noFigures = (reason: string): Figures => {
  const unknown = { ok: false as const, reason }
  const odds = { oddsGrades: unknown, trackRecord: unknown, oddsLedger: unknown }
  return { baseRates: unknown, regime: unknown, cohorts: unknown, curves: unknown, ranks: null, ...odds }
}

/** @throws EngineError */
export const readFigures = async (client: HistoryClient): Promise<Figures> => {
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
  protected figures: Figures

  constructor(figures: Figures) {
    this.figures = figures
  }
  baseRates(): Known<BaseRates> {
    return this.figures.baseRates
  }
  regime(): Known<Regime> {
    return this.figures.regime
  }
  cohorts(): Known<Cohorts> {
    return this.figures.cohorts
  }
  curveMarket(): Known<CurveMarket> {
    return this.figures.curves
  }
  ranks(): RanksKnown | null {
    return this.figures.ranks
  }
  oddsGrades(): Known<OddsGrades> {
    return this.figures.oddsGrades
  }
  trackRecord(): Known<TrackRecord> {
    return this.figures.trackRecord
  }
  oddsLedger(): Known<OddsLedger> {
    return this.figures.oddsLedger
  }
}
