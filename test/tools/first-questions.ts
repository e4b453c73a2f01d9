// The queries of the documents for `mintfold sql`, with a check that the answer is plausible after some hours of the demo at rate 1.
import { documents } from './documents/markdown.ts'

export type AnswerRow = Readonly<Record<string, unknown>>
export interface FirstQuestion {
  readonly query: string
  /** What is wrong with the answer after that many hours of the demo; undefined if nothing is. */
  readonly wrong: (rows: readonly AnswerRow[], hours: number) => string | undefined
}

const isWithin = (value: unknown, least: number, most: number): boolean => value !== null && Number(value) >= least && Number(value) <= most
const RATES: Readonly<Record<string, readonly [number, number]>> = {
  grad_rate: [0, 0.1],
  rug_rate: [0.4, 0.85],
  dev_sold_rate: [0.4, 0.85],
  reached_5_sol_rate: [0.05, 0.4],
}

/** Checks of answers, by the table that a query reads. */
const JUDGES: Readonly<Record<string, FirstQuestion['wrong']>> = {
  'mintfold.trades': ([row], hours) => {
    if (!isWithin(row?.trades, 5_000 * hours, 40_000 * hours)) return `${row?.trades} trades`
    return isWithin(row?.mints, 80 * hours, 400 * hours) ? undefined : `${row?.mints} mints`
  },
  'mintfold.flags': (rows, hours) => {
    const counts = new Map(rows.map(({ flag, n }) => [flag, n]))
    const missing = ['creator_sold', 'bundle_dumped', 'curve_drained'].find((flag) => !isWithin(counts.get(flag), 5 * hours, 400 * hours))
    return missing && `${counts.get(missing)} of ${missing}`
  },
  'mintfold.base_rates': ([row]) => {
    if (!isWithin(row?.launches, 30, 1e6)) return `${row?.launches} launches`
    const odd = Object.entries(RATES).find(([name, [least, most]]) => !isWithin(row?.[name], least, most))
    return odd && `${odd[0]} ${row?.[odd[0]]}`
  },
  'mintfold.outcomes': (rows) => {
    const kinds = new Map(rows.map((row) => [row.rug_kind, row]))
    const isThere = (kind: string): boolean => isWithin(kinds.get(kind)?.n, 3, 1e6) && isWithin(kinds.get(kind)?.seconds, 1, 3_600)
    return ['drain', 'dev_dump'].find((kind) => !isThere(kind))
  },
  // Some hours at rate 1 are too few to train a model: there are no calls.
  'mintfold.odds_track_record': (rows) => (rows.length === 0 ? undefined : `${rows.length} days with calls`),
  'system.columns': (rows) => {
    if (rows.length <= 15) return `${rows.length} columns`
    return rows.map(({ name, comment }) => `${name}: ${comment}`).find((line) => !/^\w+: .{5}/.test(line))
  },
}

/** Each query of the documents once. @throws for a query whose table has no check here */
export const firstQuestions = (): readonly FirstQuestion[] => {
  const queries = documents.flatMap(({ text }) => [...text.matchAll(/^npx mintfold sql "([^"]+)"$/gm)].map(([, query = '']) => query))
  return [...new Set(queries)].map((query) => {
    const [, wrong] = Object.entries(JUDGES).find(([asks]) => query.includes(asks)) ?? []
    if (wrong === undefined) throw new Error(`no check of the answer to ${query}: add one to JUDGES`)
    return { query, wrong }
  })
}
