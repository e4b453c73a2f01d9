// The table `curve-heads`: the first successful transactions of curves of 2024 and 2025, by signer and balance change. Its launches are
// chosen (searadacunha/Why-Solana-Memecoins-Are-Over, code/10_select_temoins.py): `graduate` and `cohort` filled their curves or came
// near (391 signatures and more; what makes a cohort is not stored), `control` are launches of the same minutes with at least 30
// signatures, failed ones included, that neither completed nor reached half of the curve. Simulated launches are chosen alike, in the
// same proportion.
import type { Row } from './compare.ts'
import type { LoggedLaunch } from './launch-log.ts'
import { byMint, numberIn, type TableRow } from './recorded-tables.ts'

export const HEADS_PATH = 'corpus/tables/curve-heads.csv.gz'
const SOL = 1e9
const TRADES_MAX = 100
/** Least number of trades and of signatures. */
const TRADES_MIN = 4
const SIGNATURES_MIN = 30
/** "King of the hill": half of the curve's coins are sold, at about this reserve. */
const HILL_LAMPORTS = 32e9
/** Simulated launches for each recorded one. */
const SIMULATED_PER_RECORDED = 20
/** Sizes below a ten-thousandth of a SOL are no trades. */
const SIZE_MIN_SOL = 0.0001

interface HeadTrade {
  readonly atS: number
  readonly isBuy: boolean
  readonly sol: number
}

export const HEAD_COLUMNS: readonly string[] = [
  ...['ln buy SOL 10 %', 'ln buy SOL 50 %', 'ln buy SOL 90 %', 'ln sell SOL 10 %', 'ln sell SOL 50 %', 'ln sell SOL 90 %'],
  ...['buy share', 'buys after a buy', 'gaps of 0 s', 'ln gap 50 %', 'ln gap 90 %'],
]

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))] ?? Number.NaN

const shareOf = <Item>(items: readonly Item[], isHit: (item: Item) => boolean): number =>
  items.length === 0 ? 0 : items.filter(isHit).length / items.length

const sizesOf = (trades: readonly HeadTrade[]): number[] => {
  const sizes = trades.map(({ sol }) => Math.log(Math.max(SIZE_MIN_SOL, sol)))
  return [0.1, 0.5, 0.9].map((part) => (sizes.length === 0 ? Math.log(SIZE_MIN_SOL) : quantile(sizes, part)))
}

const figuresOf = (trades: readonly HeadTrade[]): number[] => {
  const [buys, sells] = [trades.filter(({ isBuy }) => isBuy), trades.filter(({ isBuy }) => !isBuy)]
  const pairs = trades.slice(1).map((trade, n) => ({ trade, before: trades[n] as HeadTrade }))
  const gaps = pairs.map(({ trade, before }) => Math.max(0, trade.atS - before.atS))
  return [
    ...[...sizesOf(buys), ...sizesOf(sells)],
    shareOf(trades, ({ isBuy }) => isBuy),
    shareOf(
      pairs.filter(({ before }) => before.isBuy),
      ({ trade }) => trade.isBuy,
    ),
    shareOf(gaps, (gap) => gap === 0),
    ...[0.5, 0.9].map((part) => Math.log(1 + quantile(gaps, part))),
  ]
}

const rowOf = (mint: string, trades: readonly HeadTrade[]): Row[] =>
  trades.length < TRADES_MIN ? [] : [{ mint, figures: figuresOf(trades.slice(0, TRADES_MAX)) }]

const recordedTrades = (rows: readonly TableRow[]): HeadTrade[] =>
  rows
    .filter(({ kind }) => kind === 'buy' || kind === 'sell')
    .map((row) => ({ atS: numberIn(row, 'ts'), isBuy: row.kind === 'buy', sol: Math.abs(numberIn(row, 'sol_delta')) }))

export const recordedHeads = (table: readonly TableRow[]): Row[] =>
  [...byMint(table)].flatMap(([mint, rows]) => rowOf(mint, recordedTrades(rows)))

/** Block times are whole seconds. */
const simulatedTrades = ({ transactions }: LoggedLaunch): HeadTrade[] =>
  transactions
    .filter(({ isFailed, quoteUnits }) => !isFailed && quoteUnits !== 0)
    .map(({ atS, lamports, quoteUnits }) => ({ atS: Math.floor(atS), isBuy: quoteUnits > 0, sol: Math.abs(lamports) / SOL }))

const isFilled = ({ peak, isSelfGraduated }: LoggedLaunch): boolean => peak >= HILL_LAMPORTS && !isSelfGraduated

/** Both kinds in the recorded proportion. Mayhem and other quotes did not exist then. */
export const simulatedHeads = (table: readonly TableRow[], launches: readonly LoggedLaunch[]): Row[] => {
  const groups = [...byMint(table).values()].map((rows) => rows[0]?.group)
  const controls = groups.filter((group) => group === 'control').length
  const possible = launches.filter(({ isSol, mayhem, transactions }) => isSol && !mayhem && transactions.length >= SIGNATURES_MIN)
  const filled = possible.filter(isFilled)
  const others = possible.filter(({ peak, isComplete }) => peak < HILL_LAMPORTS && !isComplete)
  const times = Math.min(SIMULATED_PER_RECORDED, filled.length / (groups.length - controls), others.length / controls)
  const spread = (from: readonly LoggedLaunch[], count: number): LoggedLaunch[] =>
    Array.from({ length: Math.floor(count) }, (_, n) => from[Math.floor((n * from.length) / Math.floor(count))] as LoggedLaunch)
  return [...spread(filled, times * (groups.length - controls)), ...spread(others, times * controls)].flatMap((launch) =>
    rowOf(launch.mint, simulatedTrades(launch)),
  )
}
