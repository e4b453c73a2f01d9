// Reads the settlement and the current flags of one launch.
import type { Settlement } from '../../processors/mint/card/history.ts'
import { amountOf } from '../../schemas/amount.ts'
import { type Key, keyOfText, keyText } from '../../schemas/keys.ts'
import type { SettledLaunch } from '../ports/history.ts'
import type { HistoryClient } from './client.ts'
import { exactSql } from './rows/columns.ts'

interface SettlementRow {
  readonly creator: string
  readonly t0_s: number
  readonly slot0: number
  readonly settled_s: number
  /** Settled at a tick: after an hour without a trade. */
  readonly is_quiet: number
  readonly graduated: boolean | null
  readonly rugged: boolean | null
  readonly rug_kind: string | null
  readonly rug_dt_s: number | null
  readonly quote_mint: string | null
  /** Amounts as digits. */
  readonly peak: string
  readonly terminal: string
  readonly dev_first_sell_dt_s: number | null
  readonly dev_buy: string
  readonly n_trades: number
  readonly n_buyers: number
  readonly is_mayhem: boolean
  readonly self_graduated: boolean
  readonly censored: string | null
}

const digitsSql = (column: string): string => `toString(${exactSql(column)})`

/** The `tx_index` of conclusions drawn at a tick. */
const TICK_TX = 4_294_967_295

/** The first settlement of a launch; null if none is stored. @throws EngineError */
export const readSettled = async (
  { database, rows }: Pick<HistoryClient, 'database' | 'rows'>,
  key: Key,
): Promise<SettledLaunch | null> => {
  const mint = keyText(key)
  const [[row], [flagged], [launch]] = await Promise.all([
    rows<SettlementRow>(
      `SELECT creator, toUnixTimestamp(t0) AS t0_s, slot0, toUnixTimestamp(at) AS settled_s, tx_index = ${TICK_TX} AS is_quiet,
         graduated, rugged, rug_kind, rug_dt_s,
         quote_mint, ${digitsSql('peak_quote_units')} AS peak, ${digitsSql('terminal_quote_units')} AS terminal, dev_first_sell_dt_s,
         ${digitsSql('dev_buy_quote_units')} AS dev_buy, n_trades, n_buyers, is_mayhem,
         self_graduated, censored
       FROM ${database}.outcomes_log FINAL WHERE mint = {mint:String} ORDER BY slot, tx_index, outer_ix, inner_ix LIMIT 1`,
      { mint },
    ),
    rows<{ flags: readonly string[] }>(
      `SELECT arraySort(groupUniqArray(toString(flag))) AS flags FROM ${database}.flags_log FINAL WHERE mint = {mint:String}`,
      { mint },
    ),
    rows<{ name: string; symbol: string; user: string }>(
      `SELECT name, symbol, user FROM ${database}.launches_log FINAL WHERE mint = {mint:String}
       ORDER BY slot, tx_index, outer_ix, inner_ix LIMIT 1`,
      { mint },
    ),
  ])
  if (row === undefined) return null
  const known = launch === undefined ? null : { ...launch, user: keyOfText(launch.user) }
  return { settlement: settlementOf(key, row), flags: flagged?.flags ?? [], launch: known }
}

const settlementOf = (mint: Key, row: SettlementRow): Settlement => ({
  mint,
  creator: keyOfText(row.creator),
  t0: row.t0_s,
  slot0: row.slot0,
  settledAt: row.settled_s,
  settledBy: row.is_quiet === 1 ? 'quiet' : 'migrated',
  graduated: row.graduated,
  rugged: row.rugged,
  rugKind: row.rug_kind,
  rugDtS: row.rug_dt_s,
  quoteMint: row.quote_mint === null ? null : keyOfText(row.quote_mint),
  peakQuoteUnits: amountOf(BigInt(row.peak)),
  terminalQuoteUnits: amountOf(BigInt(row.terminal)),
  devFirstSellDtS: row.dev_first_sell_dt_s,
  devBuyQuoteUnits: amountOf(BigInt(row.dev_buy)),
  trades: row.n_trades,
  buyers: row.n_buyers,
  mayhem: row.is_mayhem,
  selfGraduated: row.self_graduated,
  censored: row.censored,
  reopenedAt: undefined,
})
