// The record of a launch as history keeps it and thin cards show it.
import { type Key, toBase58 } from '../../schemas/keys.ts'
import type { CurveRow, LaunchRow, OutcomeRow } from '../../schemas/types.ts'
import { solOf } from './amounts.ts'
import { type Explained, explain } from './explain.ts'
import { DRAIN_PEAK_LAMPORTS } from './thresholds.ts'

/** Fields of an outcome as published. SOL figures are null on curves of another quote. */
export type OutcomeRecord = Explained<{
  mint: string
  creator: string
  t0: number
  slot0: number
  settled_at: number
  settled_by: string
  graduated: boolean | null
  rugged: boolean | null
  rug_kind: string | null
  rug_dt_s: number | null
  peak_rs: number | null
  terminal_rs: number | null
  dev_first_sell_dt_s: number | null
  dev_buy_sol: number | null
  reached_5_sol: boolean | null
  n_trades: number
  n_buyers: number
  is_mayhem: boolean
  self_graduated: boolean
  censored: string | null
  reopened_at: number | null
}>

/** Why labels are null, in words. */
export const CENSORED: Readonly<Record<string, string>> = {
  gap: 'trades may be missing: the mint was open over a gap of the capture',
  quote_not_sol: 'the curve is not paired with SOL, and the thresholds are in SOL',
}

/** The settled record of a launch. Deterministic text: it is stored in stubs. */
export const recordOf = (
  mint: Key,
  launch: Readonly<LaunchRow>,
  curve: Readonly<CurveRow>,
  outcome: Readonly<OutcomeRow>,
): OutcomeRecord => {
  const isSol = curve.quoteMint === null
  const unlabelled = outcome.censored === null ? 'not labelled' : (CENSORED[outcome.censored] ?? outcome.censored)
  const noRug = outcome.rugged === null ? unlabelled : 'no rug was observed'
  const noSol = 'the curve is not paired with SOL'
  return explain(
    {
      mint: toBase58(mint),
      creator: toBase58(launch.creator),
      t0: launch.at,
      slot0: launch.number,
      settled_at: outcome.settledAt,
      settled_by: outcome.cause,
      graduated: outcome.graduated,
      rugged: outcome.rugged,
      rug_kind: outcome.rugKind,
      rug_dt_s: outcome.rugDtS,
      peak_rs: isSol ? solOf(curve.peakQuoteUnits) : null,
      terminal_rs: isSol && outcome.terminalQuoteUnits >= 0 ? solOf(outcome.terminalQuoteUnits) : null,
      dev_first_sell_dt_s: curve.devFirstSellAt === 0 ? null : Math.max(0, curve.devFirstSellAt - launch.at),
      dev_buy_sol: isSol ? solOf(curve.devBuyQuoteUnits) : null,
      reached_5_sol: isSol ? curve.peakQuoteUnits >= DRAIN_PEAK_LAMPORTS : null,
      n_trades: curve.trades,
      n_buyers: curve.uniqueBuyers,
      is_mayhem: curve.mayhem,
      self_graduated: curve.selfGraduated,
      censored: outcome.censored,
      reopened_at: outcome.reopenedAt,
    },
    {
      graduated: unlabelled,
      rugged: unlabelled,
      rug_kind: noRug,
      rug_dt_s: noRug,
      peak_rs: noSol,
      terminal_rs: isSol ? 'the reserves were not known' : noSol,
      dev_first_sell_dt_s: 'the creator was not seen selling',
      dev_buy_sol: noSol,
      reached_5_sol: noSol,
      censored: 'the labels rest on a complete record',
      reopened_at: 'no trade was seen after the settlement',
    },
  )
}
