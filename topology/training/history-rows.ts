// Reads launches with outcomes and their judgements from the history, as training rows for mintfold train.
import type { Left } from '../../processors/odds/train/pairing.ts'
import type { TrainingRow } from '../../processors/odds/train/rows.ts'
import { type Amount, amountOf } from '../../schemas/amount.ts'
import { assert } from '../../schemas/errors.ts'
import { type Key, keyOfText } from '../../schemas/keys.ts'
import type { Judgement } from '../../schemas/types.ts'
import type { HistoryClient } from '../history/client.ts'
import { JUDGED_AMOUNTS } from '../history/rows/odds-tables.ts'

type Asks = Pick<HistoryClient, 'database' | 'rows'>

/** An hour of launches at ten times the current load has 15,000 judgements. */
const HOUR_S = 3_600
/** Limit of one answer, 20 MB; a time range with more rows is queried in halves. */
const PAGE_ROWS_MAX = 40_000
/** Longest time from a launch to its judgement: the last age, plus a pause of the feed. */
const JUDGED_WITHIN_S = 2 * 3_600

const NUMBERS = {
  slot0: 'slot0',
  ageS: 'age_s',
  buys: 'n_buys',
  sells: 'n_sells',
  uniqueBuyers: 'n_buyers',
  buys60: 'buys_60s',
  sells60: 'sells_60s',
  uniqueBuyers60: 'buyers_60s',
  lastBuyAgeS: 'last_buy_age_s',
  lastNewBuyerAgeS: 'last_new_buyer_age_s',
  holders: 'n_holders',
  hhiPpm: 'hhi_ppm',
  bundleWallets: 'n_bundle_wallets',
  flagBits: 'flag_bits',
  priorLaunches: 'prior_n_launches',
  priorResolved: 'prior_n_resolved',
  priorGraduated: 'prior_n_graduated',
  priorRugged: 'prior_n_rugged',
  warmBeforeS: 'warm_before_s',
  funderLaunches: 'funder_n_launches',
  funderResolved: 'funder_n_resolved',
  funderRugged: 'funder_n_rugged',
} as const satisfies Partial<Record<keyof Judgement, string>>

type Column = (typeof NUMBERS)[keyof typeof NUMBERS]
type AmountColumn = (typeof JUDGED_AMOUNTS)[keyof typeof JUDGED_AMOUNTS]
type Row = Readonly<Record<Column, number | null> & Record<AmountColumn, string | null>> & {
  readonly mint: string
  readonly creator: string
  readonly t0_s: number
  readonly is_mayhem: boolean
  readonly known_at_s: number
  readonly rugged: boolean | null
  readonly rug_dt_s: number | null
  readonly graduated: boolean | null
  readonly censored: string | null
}

/** Amounts as strings of digits: JSON numbers are exact only up to 53 bits. */
const SELECTED = [
  ...Object.values(NUMBERS).map((column) => `j.${column} AS ${column}`),
  ...Object.values(JUDGED_AMOUNTS).map((column) => `toString(j.${column}) AS ${column}`),
  'j.mint AS mint, toUnixTimestamp(j.t0) AS t0_s, j.is_mayhem AS is_mayhem',
  'o.creator AS creator, toUnixTimestamp(o.at) AS known_at_s, o.rugged AS rugged, o.rug_dt_s AS rug_dt_s, o.graduated AS graduated',
  'o.censored AS censored',
].join(', ')

interface TimeRange {
  readonly from_s: number
  readonly to_s: number
}

export interface HistoryRows {
  /** Unix seconds; outcomes that became known later are ignored. */
  readonly untilS: number
  readonly rowsMax: number
  readonly stop: AbortSignal
  readonly add: (row: TrainingRow) => void
  /** Row limit of one answer. */
  readonly pageRowsMax?: number
  /** Called with the rows read, and the share of the launch time range that is finished. */
  readonly progress: (rows: number, share: number) => void
}

/**
 * Adds the newest launches first, up to `rowsMax` rows. Returns the counts of what was left out, and the newest time that the judgements
 * cover, unix seconds, at most `untilS`; null without any. @throws EngineError
 */
export const readHistoryRows = async (
  client: Asks,
  { untilS, rowsMax, stop, add, progress, pageRowsMax = PAGE_ROWS_MAX }: HistoryRows,
): Promise<{ readonly left: Left; readonly untilS: number } | null> => {
  const range = await rangeOf(client, untilS)
  if (range === null) return null
  let [rows, censored] = [0, 0]
  for (let endS = range.to_s; endS > range.from_s && rows < rowsMax && !stop.aborted; endS -= HOUR_S) {
    const page = await pageOf(client, { from_s: Math.max(range.from_s, endS - HOUR_S), to_s: endS }, untilS, pageRowsMax)
    for (const row of page) {
      const made = rowOf(row)
      if (row.censored !== null) censored++
      else if (rows++ < rowsMax) add(made)
    }
    progress(rows, (range.to_s - endS) / (range.to_s - range.from_s))
  }
  const unresolved = await unresolvedOf(client, range, untilS)
  return { left: { censored, unresolved }, untilS: Math.min(untilS, range.until_s) }
}

/** The range of launch times of the judgements, and the newest time in either table. */
const rangeOf = async ({ database, rows }: Asks, untilS: number): Promise<(TimeRange & { readonly until_s: number }) | null> => {
  const [range] = await rows<TimeRange & { readonly n: number; readonly until_s: number }>(
    `SELECT count() AS n, toUnixTimestamp(min(t0)) AS from_s, toUnixTimestamp(max(t0)) + 1 AS to_s,
       greatest(toUnixTimestamp(max(at)), (SELECT toUnixTimestamp(max(at)) FROM ${database}.outcomes)) AS until_s
     FROM ${database}.judgements WHERE at <= toDateTime64({until:UInt32}, 3, 'UTC')`,
    { until: untilS },
  )
  return range === undefined || range.n === 0 ? null : range
}

const pageOf = async (client: Asks, range: TimeRange, untilS: number, limit: number): Promise<readonly Row[]> => {
  const { database, rows } = client
  const found = await rows<Row>(
    `SELECT ${SELECTED}
     FROM ${database}.judgements AS j
     INNER JOIN (
       SELECT mint, creator, at, rugged, rug_dt_s, graduated, censored FROM ${database}.outcomes
       WHERE t0 >= toDateTime64({from:UInt32}, 3, 'UTC') AND t0 < toDateTime64({to:UInt32}, 3, 'UTC')
         AND at <= toDateTime64({until:UInt32}, 3, 'UTC')
     ) AS o ON j.mint = o.mint
     WHERE j.t0 >= toDateTime64({from:UInt32}, 3, 'UTC') AND j.t0 < toDateTime64({to:UInt32}, 3, 'UTC')
       AND j.at >= toDateTime64({from:UInt32}, 3, 'UTC') AND j.at < toDateTime64({late:UInt32}, 3, 'UTC')
     ORDER BY j.t0, j.mint, j.age_s LIMIT {limit:UInt32}`,
    { from: range.from_s, to: range.to_s, late: range.to_s + JUDGED_WITHIN_S, until: untilS, limit },
  )
  if (found.length < limit) return found
  assert(range.to_s - range.from_s > 1, `${limit} judgements for launches of one second: more than a chain can have`)
  const middle = Math.floor((range.from_s + range.to_s) / 2)
  const later = await pageOf(client, { from_s: middle, to_s: range.to_s }, untilS, limit)
  return [...(await pageOf(client, { from_s: range.from_s, to_s: middle }, untilS, limit)), ...later]
}

const unresolvedOf = async ({ database, rows }: Asks, { from_s, to_s }: TimeRange, untilS: number): Promise<number> => {
  const [found] = await rows<{ n: number }>(
    `SELECT count() AS n FROM ${database}.judgements
     WHERE at <= toDateTime64({until:UInt32}, 3, 'UTC') AND mint NOT IN (
       SELECT mint FROM ${database}.outcomes
       WHERE t0 >= toDateTime64({from:UInt32}, 3, 'UTC') AND t0 < toDateTime64({to:UInt32}, 3, 'UTC')
         AND at <= toDateTime64({until:UInt32}, 3, 'UTC'))`,
    { from: from_s, to: to_s, until: untilS },
  )
  return found?.n ?? 0
}

const amountIn = (digits: string | null): Amount | null => (digits === null ? null : amountOf(BigInt(digits)))

const rowOf = (row: Row): TrainingRow => {
  const numbers = Object.entries(NUMBERS).map(([field, column]) => [field, row[column]])
  const amounts = Object.entries(JUDGED_AMOUNTS).map(([field, column]) => [field, amountIn(row[column])])
  const judgement = {
    ...{ type: 'judgement', mint: keyOfText(row.mint), t0: row.t0_s, mayhem: row.is_mayhem },
    ...Object.fromEntries([...numbers, ...amounts]),
  } as Judgement
  const creator: Key = keyOfText(row.creator)
  const { rugged, graduated, censored } = row
  return { judgement, outcome: { creator, rugged, rugDtS: row.rug_dt_s, graduated, censored }, knownAtS: row.known_at_s }
}
