// What each question of the guide must answer after a demo, found without ClickHouse.
import type { DemoFacts } from './demo-facts.ts'
import { LAUNCHES } from './expected-launches.ts'
import { MARKET } from './expected-market.ts'
import { WALLETS } from './expected-wallets.ts'

export type AnswerRow = Readonly<Record<string, unknown>>
/** The rows that must come, with the columns that are judged; `rows` are those that came, for questions that are judged row by row. */
export type Expected = (facts: DemoFacts, rows: readonly AnswerRow[]) => readonly AnswerRow[]

/** By title. */
export const EXPECTED: Readonly<Record<string, Expected>> = { ...LAUNCHES, ...WALLETS, ...MARKET }

/** Rows as they can be compared: floats to 9 digits, and only the columns that are judged. */
export const comparable = (rows: readonly AnswerRow[], columns: readonly string[]): AnswerRow[] =>
  rows.map((row) => Object.fromEntries(columns.map((name) => [name, rounded(row[name])])))

const rounded = (value: unknown): unknown => (typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(9)) : value)
