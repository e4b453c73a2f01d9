// The expected answer to each query of the SQL guide after a demo, computed without ClickHouse.
import type { DemoFacts } from './demo-facts.ts'
import { LAUNCHES } from './expected-launches.ts'
import { MARKET } from './expected-market.ts'
import { WALLETS } from './expected-wallets.ts'

export type AnswerRow = Readonly<Record<string, unknown>>
/** Returns the expected rows, with the columns to compare; `rows` are the actual rows, for queries that are checked row by row. */
export type Expected = (facts: DemoFacts, rows: readonly AnswerRow[]) => readonly AnswerRow[]

/** By title of the query. */
export const EXPECTED: Readonly<Record<string, Expected>> = { ...LAUNCHES, ...WALLETS, ...MARKET }

/** Normalizes rows for comparison: only `columns`, floats to 9 significant digits. */
export const comparable = (rows: readonly AnswerRow[], columns: readonly string[]): AnswerRow[] =>
  rows.map((row) => Object.fromEntries(columns.map((name) => [name, rounded(row[name])])))

const rounded = (value: unknown): unknown => (typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(9)) : value)
