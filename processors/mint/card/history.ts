// The record of a launch, as the history keeps it and thin cards show it.
import type { Amount } from '../../../schemas/amount.ts'
import { type Key, keyText } from '../../../schemas/keys.ts'
import type { CurveRow, LaunchRow, OutcomeRow } from '../../../schemas/types.ts'
import { DRAIN_PEAK_LAMPORTS } from '../thresholds.ts'
import { solOf } from './amounts.ts'
import { type Explained, explain } from './explain.ts'

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

/** Why labels are null, for people. */
export const CENSORED: Readonly<Record<string, string>> = {
  gap: 'trades may be missing: the mint was open over a gap of the capture',
  quote_not_sol: 'the curve is not paired with SOL, and the thresholds are in SOL',
}

/** A settlement from any store. Amounts are in base units of the curve's quote. */
export interface Settlement {
  readonly mint: Key
  readonly creator: Key
  /** Unix seconds. */
  readonly t0: number
  readonly slot0: number
  readonly settledAt: number
  readonly settledBy: string
  readonly graduated: boolean | null
  readonly rugged: boolean | null
  readonly rugKind: string | null
  readonly rugDtS: number | null
  readonly quoteMint: Key | null
  readonly peakQuoteUnits: Amount
  /** Negative where the reserves are unknown. */
  readonly terminalQuoteUnits: Amount
  readonly devFirstSellDtS: number | null
  readonly devBuyQuoteUnits: Amount
  readonly trades: number
  readonly buyers: number
  readonly mayhem: boolean
  readonly selfGraduated: boolean
  readonly censored: string | null
  /** Undefined where it was not stored. */
  readonly reopenedAt: number | null | undefined
}

/** The settled record of a launch, with the figures of the settlement. Its JSON text is deterministic, because stubs store it. */
export const recordOf = (mint: Key, launch: Readonly<LaunchRow>, curve: Readonly<CurveRow>, outcome: Readonly<OutcomeRow>): OutcomeRecord =>
  recordFrom({
    mint,
    creator: launch.creator,
    t0: launch.at,
    slot0: launch.number,
    settledAt: outcome.settledAt,
    settledBy: outcome.cause,
    graduated: outcome.graduated,
    rugged: outcome.rugged,
    rugKind: outcome.rugKind,
    rugDtS: outcome.rugDtS,
    quoteMint: curve.quoteMint,
    peakQuoteUnits: outcome.peakQuoteUnits,
    terminalQuoteUnits: outcome.terminalQuoteUnits,
    devFirstSellDtS: outcome.devFirstSellDtS,
    devBuyQuoteUnits: outcome.devBuyQuoteUnits,
    trades: outcome.trades,
    buyers: outcome.buyers,
    mayhem: outcome.mayhem,
    selfGraduated: outcome.selfGraduated,
    censored: outcome.censored,
    reopenedAt: outcome.reopenedAt,
  })

/** The record as published, with the reasons of nulls. */
export const recordFrom = (settlement: Settlement): OutcomeRecord => {
  const isSol = settlement.quoteMint === null
  const unlabelled = settlement.censored === null ? 'not labelled' : (CENSORED[settlement.censored] ?? settlement.censored)
  const noRug = settlement.rugged === null ? unlabelled : 'no rug was observed'
  const noSol = 'the curve is not paired with SOL'
  return explain(
    {
      mint: keyText(settlement.mint),
      creator: keyText(settlement.creator),
      t0: settlement.t0,
      slot0: settlement.slot0,
      settled_at: settlement.settledAt,
      settled_by: settlement.settledBy,
      graduated: settlement.graduated,
      rugged: settlement.rugged,
      rug_kind: settlement.rugKind,
      rug_dt_s: settlement.rugDtS,
      peak_rs: isSol ? solOf(settlement.peakQuoteUnits) : null,
      terminal_rs: isSol && settlement.terminalQuoteUnits >= 0 ? solOf(settlement.terminalQuoteUnits) : null,
      dev_first_sell_dt_s: settlement.devFirstSellDtS,
      dev_buy_sol: isSol ? solOf(settlement.devBuyQuoteUnits) : null,
      reached_5_sol: isSol ? settlement.peakQuoteUnits >= DRAIN_PEAK_LAMPORTS : null,
      n_trades: settlement.trades,
      n_buyers: settlement.buyers,
      is_mayhem: settlement.mayhem,
      self_graduated: settlement.selfGraduated,
      censored: settlement.censored,
      reopened_at: settlement.reopenedAt ?? null,
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
      reopened_at:
        settlement.reopenedAt === undefined ? 'the history keeps the settlement alone' : 'no trade was seen after the settlement',
    },
  )
}
