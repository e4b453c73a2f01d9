// Two large tables that show only a part of the market: printed beside the others, without a verdict.
// - `token-level-14d-2026-03`: an uneven export of some 5 % of the trades, mostly dust, of all launchpads; here those whose mint ends in
//   "pump" and that have a buy. Simulated trades are dropped to the same share.
// - `launch-traders-2024-09-11`: what one recorder saw of launches, which it watched for an unknown time; here the simulated launch as
//   long as it lasted.
import { Seeded } from '../../../../processors/seeded.ts'
import type { Row } from './compare.ts'
import type { LoggedLaunch, LoggedTransaction } from './launch-log.ts'
import { numberIn, type TableRow } from './recorded-tables.ts'

export const TOKENS_PATH = 'trades/token-level-14d-2026-03.csv.gz'
export const TRADERS_PATH = 'corpus/tables/launch-traders-2024-09-11.csv.gz'
const SOL = 1e9
const ROWS_MAX = 600
const EXPORTED_SHARE = 0.05
const SEED = 102

export const TOKEN_COLUMNS: readonly string[] = ['ln buyers in minute 1', 'ln buyers in minutes 2 to 5', 'ln buy SOL', 'ln sell SOL']
export const TRADERS_COLUMNS: readonly string[] = ['ln buys', 'ln sells', 'ln traders', 'ln last market value']

/** At most `ROWS_MAX` rows, evenly spread. */
const thinned = (rows: readonly Row[]): Row[] => {
  const count = Math.min(ROWS_MAX, rows.length)
  return Array.from({ length: count }, (_, n) => rows[Math.floor((n * rows.length) / count)] as Row)
}
const count = (value: number): number => Math.log(1 + value)
const size = (sol: number): number => Math.log(0.0001 + sol)

export const recordedTokens = (table: readonly TableRow[]): Row[] =>
  thinned(
    table
      .filter(({ token_mint: mint, buy_sol_0_35m: sol }) => mint?.endsWith('pump') === true && Number(sol) > 0)
      .map((row) => {
        const counts = ['buyers_min0_1', 'buyers_min1_5'].map((column) => count(numberIn(row, column)))
        const sizes = ['buy_sol_0_35m', 'sell_sol_0_35m'].map((column) => size(numberIn(row, column)))
        return { mint: row.token_mint as string, figures: [...counts, ...sizes] }
      }),
  )

const isTrade = ({ isFailed, quoteUnits }: LoggedTransaction): boolean => !isFailed && quoteUnits !== 0

const solOf = (trades: readonly LoggedTransaction[], sign: 1 | -1): number =>
  trades.reduce((sum, { quoteUnits }) => sum + Math.max(0, sign * quoteUnits), 0) / SOL

export const simulatedTokens = (launches: readonly LoggedLaunch[]): Row[] => {
  const random = new Seeded(SEED)
  const rows = launches
    .filter(({ isSol }) => isSol)
    .flatMap(({ mint, atS, transactions }): Row[] => {
      const seen = transactions.filter((one) => isTrade(one) && one.atS < atS + 35 * 60 && random.next() < EXPORTED_SHARE)
      const buyers = (fromS: number, toS: number): number =>
        new Set(seen.filter((one) => one.quoteUnits > 0 && one.atS >= atS + fromS && one.atS < atS + toS).map(({ signer }) => signer)).size
      if (solOf(seen, 1) === 0) return []
      return [{ mint, figures: [count(buyers(0, 60)), count(buyers(60, 300)), size(solOf(seen, 1)), size(solOf(seen, -1))] }]
    })
  return thinned(rows)
}

export const recordedTraders = (table: readonly TableRow[]): Row[] =>
  thinned(
    table
      .filter((row) => Number(row.n_traders) > 0)
      .map((row) => {
        const counts = ['buys', 'sells', 'n_traders'].map((column) => count(numberIn(row, column)))
        return { mint: row.mint as string, figures: [...counts, Math.log(numberIn(row, 'mc_sol'))] }
      }),
  )

/** Supply at the price of the curve, SOL: 30 SOL against 1,073 million coins at the start, and their product stays the same. */
const marketValue = (reserve: number): number => (1_000 / (30 * 1_073)) * (30 + reserve / SOL) ** 2

export const simulatedTraders = (launches: readonly LoggedLaunch[]): Row[] =>
  thinned(
    launches
      .filter(({ isSol, mayhem, transactions }) => isSol && !mayhem && transactions.some(isTrade))
      .map(({ mint, transactions }) => {
        const trades = transactions.filter(isTrade)
        const buys = trades.filter(({ quoteUnits }) => quoteUnits > 0).length
        const traders = new Set(trades.map(({ signer }) => signer)).size
        return {
          mint,
          figures: [count(buys), count(trades.length - buys), count(traders), Math.log(marketValue(trades.at(-1)?.reserve ?? 0))],
        }
      }),
  )
