// The queries behind cohorts: the outcomes of launches of each shape, and the shape of one launch (views: deploy/clickhouse).
import { type CohortCounts, cohortKeyOf, SHAPE_PARTS } from '../../processors/mint/cohort/cohort.ts'
import type { Shape, ShapeFacts } from '../../processors/mint/cohort/shape.ts'
import { amountOf } from '../../schemas/amount.ts'
import { type Key, keyOfText, keyText } from '../../schemas/keys.ts'
import type { CachedResult, Cohorts } from '../ports/history.ts'
import type { HistoryClient } from './client.ts'

type Asks = Pick<HistoryClient, 'database' | 'rows'>

const NOTHING_YET = 'the history has no resolved launch whose shape is known yet'
/** All shapes including the coarser ones: 2 x (1 + 4 + 4 x 3 + 4 x 3 x 4). */
const COHORTS_MAX = 130

interface CohortRow {
  readonly parts: number
  readonly is_mayhem: boolean
  readonly dev_buy: Shape['devBuy']
  readonly bundle: Shape['bundle']
  readonly creator_kind: Shape['creatorKind']
  readonly n: number
  readonly rugged: number
  readonly graduated: number
  readonly collapse_p50_s: number | null
  readonly collapse_p90_s: number | null
  readonly from_s: number
  readonly as_of_s: number
}

/** Reads all shapes. @throws EngineError */
export const readCohorts = async ({ database, rows }: Asks): Promise<CachedResult<Cohorts>> => {
  const found = await rows<CohortRow>(
    `SELECT parts, is_mayhem, dev_buy, bundle, creator_kind, n, rugged, graduated, collapse_p50_s, collapse_p90_s,
       toUnixTimestamp("from") AS from_s, toUnixTimestamp(as_of) AS as_of_s
     FROM ${database}.cohorts LIMIT ${COHORTS_MAX}`,
  )
  const [first] = found
  if (first === undefined) return { ok: false, reason: NOTHING_YET }
  const cohorts = new Map(found.map((row) => [keyOf(row), toCounts(row)]))
  return { ok: true, value: { cohorts, from: first.from_s }, asOf: first.as_of_s }
}

/** Columns beyond `parts` are null. */
const keyOf = ({ parts, is_mayhem, dev_buy, bundle, creator_kind }: CohortRow): string =>
  cohortKeyOf({ isMayhem: is_mayhem, devBuy: dev_buy, bundle, creatorKind: creator_kind }, Math.min(parts, SHAPE_PARTS.length)) ?? ''

const toCounts = ({ n, rugged, graduated, collapse_p50_s, collapse_p90_s }: CohortRow): CohortCounts => ({
  ...{ n, rugged, graduated },
  ...{ collapseP50S: collapse_p50_s, collapseP90S: collapse_p90_s },
})

interface ShapeRow {
  readonly t0_s: number
  readonly is_mayhem: boolean
  readonly quote_mint: string | null
  /** Digits. */
  readonly dev_buy: string
  readonly n_bundle_wallets: number
  readonly prior_of: string
  readonly prior_n_launches: number
  readonly prior_n_resolved: number
  readonly prior_n_graduated: number
  readonly prior_n_rugged: number
}

/** The shape of a launch of any age; null if unknown. Uses the primary key. @throws EngineError */
export const readShape = async ({ database, rows }: Asks, mint: Key): Promise<ShapeFacts | null> => {
  const [row] = await rows<ShapeRow>(
    `SELECT toUnixTimestamp(t0) AS t0_s, is_mayhem, quote_mint, toString(dev_buy_quote_units) AS dev_buy, n_bundle_wallets, prior_of,
       prior_n_launches, prior_n_resolved, prior_n_graduated, prior_n_rugged
     FROM ${database}.launch_shapes WHERE mint = {mint:String} LIMIT 1`,
    { mint: keyText(mint) },
  )
  return row === undefined ? null : toFacts(row)
}

const toFacts = (row: ShapeRow): ShapeFacts => ({
  t0: row.t0_s,
  mayhem: row.is_mayhem,
  quoteMint: row.quote_mint === null ? null : keyOfText(row.quote_mint),
  createSlot: { ok: true, value: { devBuyQuoteUnits: amountOf(BigInt(row.dev_buy)), bundleWallets: row.n_bundle_wallets } },
  prior: {
    ok: true,
    value: {
      of: keyOfText(row.prior_of),
      ...{ launches: row.prior_n_launches, resolved: row.prior_n_resolved },
      ...{ graduated: row.prior_n_graduated, rugged: row.prior_n_rugged },
    },
  },
})
