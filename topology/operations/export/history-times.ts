// Reads from the history which ticks each day has, up to when it is complete, and from when each table is complete.
import type { HistoryClient } from '../../history/client.ts'
import type { HistoryTables } from '../../history/rows/history-tables.ts'
import { nextDay } from './days.ts'

type Tables = Pick<HistoryTables, 'ticks' | 'number'>

/** The newest frame is searched for in this many numbers first, then in all. */
const NEAR_NUMBERS = 100_000

/** A frame and its time, unix seconds. */
export interface Cut {
  readonly number: number
  readonly time: number
}

export interface HistoryTimes {
  /** The newest frame up to a number and before a time (null: no limit). */
  newest(number: number, before: number | null): Promise<Cut | null>
  /** All rows before this second are in the tables; null for an empty history. */
  settledBefore(): Promise<number | null>
  /** First and last frame of a day up to a number; null if the history has none. */
  dayOfTicks(dayS: number, to: number): Promise<{ readonly first: number; readonly last: number } | null>
  /** Time of the oldest tick; null if there is none. */
  oldest(): Promise<number | null>
  /** Midnights of the days for which a table has rows, by its time column. */
  days(table: string, column: string): Promise<readonly number[]>
  /** The time from which each table is complete, by its name in SQL. */
  coverage(): Promise<ReadonlyMap<string, number>>
}

/** The prefix of a chain's public tables, such as `alt_`. */
export const viewPrefix = ({ ticks }: Pick<HistoryTables, 'ticks'>): string => ticks.name.replace(/ticks_log$/, '')

export const historyTimes = (client: HistoryClient, tables: Tables): HistoryTimes => {
  const { database } = client
  const { number } = tables
  const ticks = `${database}.${tables.ticks.name} FINAL`
  const prefix = `${database}.${viewPrefix(tables)}`
  const newestIn = async (low: number, high: number, before: number): Promise<Cut | null> => {
    const [row] = await client.rows<Cut>(
      `SELECT ${number} AS number, toUnixTimestamp(tick_at) AS time FROM ${ticks}
       PREWHERE ${number} BETWEEN {low:UInt64} AND {high:UInt64} WHERE tick_at < toDateTime64({before:Int64}, 3, 'UTC')
       ORDER BY number DESC LIMIT 1`,
      { low, high, before },
    )
    return row ?? null
  }
  return {
    newest: async (to, before) => {
      const until = before ?? LATEST_S
      const known = await highestOf(client, `${database}.${tables.ticks.name}`, number, to, until)
      return known === null ? null : ((await newestIn(Math.max(0, known - NEAR_NUMBERS), known, until)) ?? newestIn(0, known, until))
    },
    settledBefore: async () => {
      const [row] = await client.rows<{ time: number | null }>(
        `SELECT maxOrNull(toUnixTimestamp(up_to)) AS time FROM ${prefix}progress WHERE is_filling`,
      )
      return row?.time ?? null
    },
    dayOfTicks: async (dayS, to) => {
      const [row] = await client.rows<{ n: number; first: number; last: number }>(
        `SELECT count() AS n, min(${number}) AS first, max(${number}) AS last FROM ${ticks}
         PREWHERE ${number} <= {to:UInt64} WHERE ${inDay('tick_at')}`,
        { ...dayParams(dayS), to },
      )
      return row === undefined || row.n === 0 ? null : row
    },
    oldest: async () => {
      const [row] = await client.rows<{ time: number | null }>(
        `SELECT minOrNull(toUnixTimestamp(tick_at)) AS time FROM ${database}.${tables.ticks.name}`,
      )
      return row?.time ?? null
    },
    days: async (table, column) => {
      const days = await client.rows<{ day: number }>(
        `SELECT DISTINCT toUnixTimestamp(toStartOfDay(${column}, 'UTC')) AS day FROM ${database}.${table}`,
      )
      return days.map(({ day }) => day)
    },
    coverage: async () => {
      const rows = await client.rows<{ table: string; since: number }>(
        `SELECT table, toUnixTimestamp(\`from\`) AS since FROM ${prefix}coverage`,
      )
      return new Map(rows.map(({ table, since }) => [table, since]))
    },
  }
}

/** Later than every tick of any chain. */
const LATEST_S = 4_000_000_000

const highestOf = async (client: HistoryClient, table: string, number: string, to: number, before: number): Promise<number | null> => {
  const [row] = await client.rows<{ high: number | null }>(
    `SELECT maxOrNull(${number}) AS high FROM ${table} WHERE ${number} <= {to:UInt64} AND tick_at < toDateTime64({before:Int64}, 3, 'UTC')`,
    { to, before },
  )
  return row?.high ?? null
}

/** A condition on a time column, with the parameters of `dayParams`. */
export const inDay = (column: string): string =>
  `${column} >= toDateTime64({begin:Int64}, 3, 'UTC') AND ${column} < toDateTime64({end:Int64}, 3, 'UTC')`
export const dayParams = (dayS: number): { readonly begin: number; readonly end: number } => ({ begin: dayS, end: nextDay(dayS) })
