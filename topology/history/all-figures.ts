// Everything that the API shows of the history without asking for it.
import type { BaseRates, CurveMarket, Known, RanksKnown, Regime } from '../ports/history.ts'
import type { HistoryClient } from './client.ts'
import { readCurveMarket } from './curve-figures.ts'
import { readBaseRates, readRegime } from './figures.ts'
import { readRanksKnown } from './wallets.ts'

export interface Figures {
  readonly baseRates: Known<BaseRates>
  readonly regime: Known<Regime>
  readonly curves: Known<CurveMarket>
  readonly ranks: RanksKnown | null
}

export const noFigures = (reason: string): Figures => {
  const unknown = { ok: false as const, reason }
  return { baseRates: unknown, regime: unknown, curves: unknown, ranks: null }
}

/** @throws EngineError */
export const readFigures = async (client: HistoryClient): Promise<Figures> => {
  const reads = [readBaseRates(client), readRegime(client), readCurveMarket(client), readRanksKnown(client)] as const
  const [baseRates, regime, curves, ranks] = await Promise.all(reads)
  return { baseRates, regime, curves, ranks }
}
