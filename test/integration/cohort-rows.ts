// Cohorts computed twice: by SQL, and counted naively from the rows of the folds.
import { type Interval, wilsonInterval } from '../../processors/grading/wilson.ts'
import { COHORT_LAUNCHES_MIN, chooseCohort, cohortKeyOf, SHAPE_PARTS } from '../../processors/mint/cohort/cohort.ts'
import { type Shape, shapeFactsOf, shapeOf } from '../../processors/mint/cohort/shape.ts'
import { type Key, keyText } from '../../schemas/keys.ts'
import type { MintState } from '../../schemas/types.ts'
import type { HistoryClient } from '../../topology/history/client.ts'
import { MINT_TABLES } from '../../topology/history/rows/mint-tables.ts'
import { RowBatch } from '../../topology/history/rows/row-batch.ts'
import type { CachedResult, Cohorts } from '../../topology/ports/history.ts'
import { outcomeRow } from '../unit/query-api/given-mint.ts'
import { outcome } from './sink-figures-given.ts'

type Rows = HistoryClient['rows']
type States = ReadonlyMap<Key, MintState>

/** A line for each launch whose dev set is known. */
export const shapesOfRows = (states: States): readonly string[] =>
  [...states].flatMap(([mint, state]) => {
    const facts = shapeFactsOf(state)
    if (facts === undefined || !facts.prior.ok || !facts.createSlot.ok) return []
    const { isMayhem, devBuy, bundle, creatorKind } = shapeOf(facts)
    const { devBuyQuoteUnits, bundleWallets } = facts.createSlot.value
    const { of, launches, resolved, graduated, rugged } = facts.prior.value
    const bands = [isMayhem, facts.quoteMint === null ? devBuy : null, bundle, creatorKind]
    return [[keyText(mint), ...bands, devBuyQuoteUnits, bundleWallets, keyText(of), launches, resolved, graduated, rugged].join(' ')]
  })

/** The same lines from SQL. */
export const shapesInSql = async ({ database, rows }: { readonly database: string; readonly rows: Rows }): Promise<readonly string[]> => {
  const found = await rows<{ line: string }>(
    `SELECT arrayStringConcat([
       mint, toString(is_mayhem), ifNull(dev_buy, ''), bundle, creator_kind, toString(dev_buy_quote_units),
       toString(n_bundle_wallets), prior_of, toString(prior_n_launches), toString(prior_n_resolved),
       toString(prior_n_graduated), toString(prior_n_rugged)
     ], ' ') AS line FROM ${database}.launch_shapes`,
  )
  return found.map(({ line }) => line)
}

/** Writes outcomes of every kind for unsettled launches, and returns the rows as if the folds had written them. */
export const settleAll = async (client: HistoryClient, states: States): Promise<States> => {
  const batch = new RowBatch(MINT_TABLES)
  const settled = [...states].map(([mint, state], n): [Key, MintState] => {
    if (state.outcome !== null || state.launch === null) return [mint, state]
    const rug = n % 3 === 0 ? { rugged: false, rugKind: null, rugDtS: null } : { rugged: true, rugKind: 'drain', rugDtS: (n * 37) % 900 }
    const labels = { ...rug, graduated: n % 40 === 0 }
    const { at } = state.launch
    batch.conclusion(outcome(n, at, at + 1_000, { ...labels, mint }), n)
    return [mint, { ...state, outcome: outcomeRow(labels) }]
  })
  for (const { table, columns, body } of batch.take()) await client.insert({ table, columns, format: 'RowBinary', body })
  return new Map(settled)
}

interface Counted {
  n: number
  graduated: number
  readonly collapses: number[]
}

/** The smallest value with at least `share` tenths of the values at or below it; null of none. */
const tenths = (values: readonly number[], share: number): number | null =>
  values.toSorted((a, b) => a - b).find((value) => values.filter((other) => other <= value).length * 10 >= values.length * share) ?? null

/** By the key of `cohortKeyOf`, of resolved launches on SOL curves, in the form of the History port. */
export const cohortsOfRows = (states: States): ReadonlyMap<string, object> => {
  const counted = new Map<string, Counted>()
  for (const state of states.values()) {
    const { outcome } = state
    const facts = shapeFactsOf(state)
    if (facts === undefined || !facts.prior.ok || facts.quoteMint !== null) continue
    if (outcome === null || outcome.graduated === null || outcome.rugged === null) continue
    for (let parts = 1; parts <= SHAPE_PARTS.length; parts++) {
      const key = cohortKeyOf(shapeOf(facts), parts) as string
      const counts = counted.get(key) ?? { n: 0, graduated: 0, collapses: [] }
      counted.set(key, counts)
      counts.n += 1
      counts.graduated += outcome.graduated ? 1 : 0
      if (outcome.rugged) counts.collapses.push(outcome.rugDtS as number)
    }
  }
  return new Map([...counted].map(([key, counts]) => [key, toCounts(counts)]))
}

const toCounts = ({ n, graduated, collapses }: Counted) => ({
  ...{ n, rugged: collapses.length, graduated },
  ...{ collapseP50S: tenths(collapses, 5), collapseP90S: tenths(collapses, 9) },
})

/** The row of `launch_cohort` for a mint. */
export const launchCohortInSql = async (
  { database, rows }: { readonly database: string; readonly rows: Rows },
  mint: string,
): Promise<Record<string, unknown>> => {
  const [row = {}] = await rows<Record<string, unknown>>(`SELECT * FROM ${database}.launch_cohort(mint = {mint:String})`, { mint })
  return row
}

/** A coin of each of the two most frequent shapes, and of the two rarest. */
export const rareAndCommon = (states: States): readonly { readonly mint: string; readonly shape: Shape }[] => {
  const alike = new Map<string, { mint: string; shape: Shape; n: number }>()
  for (const [mint, state] of states) {
    const facts = shapeFactsOf(state)
    if (facts === undefined || !facts.prior.ok || facts.quoteMint !== null) continue
    const shape = shapeOf(facts)
    const key = cohortKeyOf(shape, SHAPE_PARTS.length) as string
    alike.set(key, { mint: keyText(mint), shape, n: (alike.get(key)?.n ?? 0) + 1 })
  }
  const byNumber = [...alike.values()].sort((a, b) => a.n - b.n)
  return [...byNumber.slice(0, 2), ...byNumber.slice(-2)]
}

/** The expected row for a launch of that shape. */
export const launchCohortOf = (known: CachedResult<Cohorts>, mint: string, shape: Shape): object => {
  if (!known.ok) throw new Error(known.reason)
  const { cohorts, from } = known.value
  const key = cohortKeyOf(shape, SHAPE_PARTS.length)
  const found = chooseCohort(shape, cohorts)
  const own = {
    ...{
      mint,
      is_mayhem: shape.isMayhem,
      dev_buy: shape.devBuy,
      bundle: shape.bundle,
      creator_kind: shape.creatorKind,
      shape_reason: null,
    },
    n_same_shape: cohorts.get(key ?? '')?.n ?? 0,
  }
  if (found === undefined) return { ...own, n: null, parts: null, cohort_reason: expect.stringContaining(`${COHORT_LAUNCHES_MIN}`) }
  const { n, rugged, graduated, collapseP50S, collapseP90S } = found.counts
  const [rug, grad] = [wilsonInterval(rugged, n), wilsonInterval(graduated, n)] as [Interval, Interval]
  return {
    ...own,
    ...{ parts: found.parts, n, rugged, graduated, collapse_p50_s: collapseP50S, collapse_p90_s: collapseP90S, cohort_reason: null },
    ...{ rug_rate: expect.closeTo(rugged / n, 12), rug_low: expect.closeTo(rug.low, 12), rug_high: expect.closeTo(rug.high, 12) },
    ...{ grad_rate: expect.closeTo(graduated / n, 12), grad_low: expect.closeTo(grad.low, 12), grad_high: expect.closeTo(grad.high, 12) },
    ...{ window_days: 30, from: sqlTime(from), as_of: sqlTime(known.asOf) },
  }
}

const sqlTime = (second: number): string => new Date(second * 1_000).toISOString().replace('T', ' ').replace('Z', '')
