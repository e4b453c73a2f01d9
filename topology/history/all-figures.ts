// Everything that the API shows of the history without asking for it.
import type { BaseRates, Cohorts, CurveMarket, Known, RanksKnown, Regime } from '../ports/history.ts'
import type { HistoryClient } from './client.ts'
import { readCohorts } from './cohorts.ts'
import { readCurveMarket } from './curve-figures.ts'
import { readBaseRates, readRegime } from './figures.ts'
import { readRanksKnown } from './wallets.ts'

export interface Figures {
  readonly baseRates: Known<BaseRates>
  readonly regime: Known<Regime>
  readonly cohorts: Known<Cohorts>
  readonly curves: Known<CurveMarket>
  readonly ranks: RanksKnown | null
}

export const noFigures = (reason: string): Figures => {
  const unknown = { ok: false as const, reason }
  return { baseRates: unknown, regime: unknown, cohorts: unknown, curves: unknown, ranks: null }
}

/** @throws EngineError */
export const readFigures = async (client: HistoryClient): Promise<Figures> => {
  const reads = [readBaseRates(client), readRegime(client), readCohorts(client), readCurveMarket(client), readRanksKnown(client)] as const
  const [baseRates, regime, cohorts, curves, ranks] = await Promise.all(reads)
  return { baseRates, regime, cohorts, curves, ranks }
}
