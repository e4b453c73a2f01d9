// Fits rules on a table of tokens of one week and grades them on another week: `npm run token-tables [-- FITTED GRADED]`. Prints results
// and limits of such tables as JSON lines. The tables are third-party data (../shared/data/solana/trades): read in place, never copied.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { qValues } from '../../processors/grading/false-discovery.ts'
import { precisionPValue } from '../../processors/grading/hypergeometric.ts'
import { overfitting } from '../../processors/grading/overfitting.ts'
import { wilsonInterval } from '../../processors/grading/wilson.ts'
import { gradeTokenOdds } from './token-odds.ts'

const TABLES = fileURLToPath(new URL('../../../shared/data/solana/trades', import.meta.url))
const [fitted = `${TABLES}/token-level-14d-2026-03.csv.gz`, graded = `${TABLES}/token-level-7d-2026-03.csv.gz`] = process.argv.slice(2)

/** Highest price within 30 minutes / first price: the outcome that the rules predict. */
const REACHED = 2
const DAYS_MIN = 4

interface Token {
  /** As in the table, whose text sorts by time. */
  readonly launchedAt: string
  readonly day: string
  readonly isHit: boolean
  readonly figures: Readonly<Record<string, number>>
}
interface Rule {
  readonly name: string
  readonly flags: (token: Token) => boolean
}

const NAMES = [
  ...['buyers_min0_1', 'buyers_min1_5', 'sniper_intensity_ratio', 'first_minute_share', 'size_diversity_ratio', 'manipulation_risk_score'],
  ...['buy_sol_0_35m', 'sell_sol_0_35m'],
]
/** Figures known only together with the outcome: kept to show the effect of look-ahead, and marked with `knows_the_future`. */
const LATER = new Set(['buy_sol_0_35m', 'sell_sol_0_35m'])

const tokensIn = (path: string): { readonly rows: number; readonly tokens: readonly Token[] } => {
  const rows = parse(gunzipSync(readFileSync(path)), { columns: true }) as Record<string, string>[]
  const tokens = rows.flatMap((row): Token[] => {
    const reached = Number(row.mfe_multiple_30m)
    if (!(reached > 0)) return []
    const figures = Object.fromEntries(NAMES.flatMap((name) => (row[name] ? [[name, Number(row[name])]] : [])))
    return [{ launchedAt: row.launch_time ?? '', day: (row.launch_time ?? '').slice(0, 10), isHit: reached >= REACHED, figures }]
  })
  return { rows: rows.length, tokens }
}

/** Thresholds at the deciles of the fitted week, in both directions. */
const rulesOf = (tokens: readonly Token[]): readonly Rule[] =>
  NAMES.flatMap((name) => {
    const values = tokens.flatMap(({ figures }) => figures[name] ?? []).sort((a, b) => a - b)
    const cuts = [...new Set([1, 2, 3, 4, 5, 6, 7, 8, 9].map((tenth) => values[Math.floor((values.length * tenth) / 10)] as number))]
    return cuts.flatMap((cut): Rule[] => [
      { name: `${name} >= ${cut}`, flags: ({ figures }) => (figures[name] ?? Number.NaN) >= cut },
      { name: `${name} < ${cut}`, flags: ({ figures }) => (figures[name] ?? Number.NaN) < cut },
    ])
  })

const countsOf = (tokens: readonly Token[], { flags }: Rule) => {
  const flagged = tokens.filter(flags)
  const hits = flagged.filter(({ isHit }) => isHit).length
  const all = tokens.filter(({ isHit }) => isHit).length
  const score = hits / Math.max(1, all) - (flagged.length - hits) / Math.max(1, tokens.length - all)
  return { flagged: flagged.length, hits, all, score }
}
const shown = (tokens: readonly Token[], rule: Rule) => {
  const { flagged, hits, all, score } = countsOf(tokens, rule)
  return {
    ...{ launches: tokens.length, base_rate: all / tokens.length, flagged, hits },
    precision: flagged === 0 ? null : hits / flagged,
    precision_interval: wilsonInterval(hits, flagged),
    recall: hits / all,
    recall_interval: wilsonInterval(hits, all),
    score,
    p: precisionPValue({ resolved: tokens.length, withOutcome: all, flagged, hits }),
  }
}

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

const run = (): void => {
  const [before, after] = [tokensIn(fitted), tokensIn(graded)]
  const rules = rulesOf(before.tokens)
  const days = [...new Set(before.tokens.map(({ day }) => day))].sort()
  const blocks = days.map((day) => before.tokens.filter((token) => token.day === day)).filter((tokens) => tokens.some(({ isHit }) => isHit))
  const groups = blocks.length - (blocks.length % 2)
  const early = rules.filter(({ name }) => !LATER.has(name.split(' ')[0] ?? ''))
  const scores = blocks.map((tokens) => early.map((rule) => countsOf(tokens, rule).score))
  print({
    type: 'summary',
    ...{ fitted, graded, outcome: `reached ${REACHED} times its first price within 30 minutes`, tried: rules.length },
    fitted_rows: before.rows,
    fitted_with_outcome: before.tokens.length,
    graded_rows: after.rows,
    graded_with_outcome: after.tokens.length,
    overfitting: groups < DAYS_MIN ? null : overfitting(scores, groups).probability,
    not_gradable: [
      'rugs: the tables lack reserves and sells by wallet, so our rules give no outcome and our detectors cannot run',
      'lead times: the only time of a row is its launch',
      'placebo by count of events, look-ahead by replay, loss of events: the tables have no events',
      'profit: the highest price is not a price at which somebody could sell',
    ],
  })
  const tested = rules.map((rule) => ({ rule, learnt: shown(before.tokens, rule), tested: shown(after.tokens, rule) }))
  const q = qValues(tested.map(({ tested: { p } }) => p))
  const best = tested.map((one, i) => ({ ...one, q: q[i] })).sort((a, b) => b.learnt.score - a.learnt.score)
  for (const { rule, learnt, tested: other, q: of } of best.slice(0, 12))
    print({ type: 'rule', name: rule.name, knows_the_future: LATER.has(rule.name.split(' ')[0] ?? ''), learnt, tested: other, q: of })
}

/** Trains on the older table, whatever the order of the arguments. */
const odds = (): void => {
  const [older = [], newer = []] = [fitted, graded]
    .map((path) => tokensIn(path).tokens.toSorted((a, b) => (a.launchedAt < b.launchedAt ? -1 : 1)))
    .sort(([a], [b]) => ((a?.launchedAt ?? '') < (b?.launchedAt ?? '') ? -1 : 1))
  const names = NAMES.filter((name) => !LATER.has(name))
  const range = (tokens: readonly Token[]) => ({ from: tokens[0]?.launchedAt, to: tokens.at(-1)?.launchedAt })
  print({ type: 'odds', names, learnt_from: range(older), graded_on: range(newer), ...gradeTokenOdds(older, newer, names) })
}

if (existsSync(fitted) && existsSync(graded)) {
  run()
  odds()
} else process.stderr.write(`SKIPPED: ${fitted} or ${graded} does not exist\n`)
