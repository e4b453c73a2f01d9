// Histories of a test's own in one engine, a sink at work on them, and what their public tables say.
import { createHistoryClient, type HistoryClient } from '../../topology/history/client.ts'
import { migrate } from '../../topology/history/migrate.ts'
import type { Log } from '../../topology/ports/log.ts'
import { ClickHouseSink, type SinkOptions } from '../../topology/sinks/clickhouse.ts'
import type { SinkLimits } from '../../topology/sinks/limits.ts'
import { type GivenEngine, givenEngine, until } from './history-server-given.ts'
import { QUICK } from './sink-quick.ts'

export interface GivenHistories {
  readonly engine: GivenEngine
  /** A database with this version's tables. */
  fresh(): Promise<HistoryClient>
  remove(): Promise<void>
}

export const givenHistories = async (): Promise<GivenHistories> => {
  const engine = await givenEngine()
  const clients: HistoryClient[] = []
  return {
    engine,
    fresh: async () => {
      const client = createHistoryClient({ ...engine.server.target(), database: `history_${clients.length}` })
      clients.push(client)
      await migrate(client)
      return client
    },
    remove: async () => {
      await Promise.all(clients.map((client) => client.close()))
      await engine.remove()
    },
  }
}

export interface RunningSink {
  readonly sink: ClickHouseSink
  readonly notices: string[]
  stop(): Promise<void>
}

export const startSink = async (log: Log, client: SinkOptions['client'], limits: SinkLimits = QUICK): Promise<RunningSink> => {
  const notices: string[] = []
  const sink = new ClickHouseSink({ log, client, limits, notice: (code) => notices.push(code) })
  await sink.open()
  const running = sink.run()
  return {
    sink,
    notices,
    stop: async () => {
      sink.stop()
      await running
    },
  }
}

/** Runs a sink until the history has all of the log. */
export const sinkAll = async (log: Log, client: SinkOptions['client'], limits: SinkLimits = QUICK): Promise<void> => {
  const { sink, stop } = await startSink(log, client, limits)
  await until(() => sink.isCaughtUp, 30_000)
  await stop()
}

/** Public tables that hold a row an event. */
export const PUBLIC_TABLES = [
  'launches',
  'trades',
  'completions',
  'post_complete_buys',
  'migrations',
  'pools',
  'pool_trades',
  'pool_liquidity',
  'pool_boosts',
  'creator_changes',
  'mayhem_reserves',
  'flags',
  'outcomes',
  'gaps',
  'dead_letters',
  'frames',
] as const

/** How many rows each public table has, and a sum over all that is in them. */
export const contentsOf = async ({ database, rows }: HistoryClient): Promise<Readonly<Record<string, string>>> => {
  const counted = await Promise.all(
    PUBLIC_TABLES.map(async (table) => {
      const [row] = await rows<{ n: number; sum: string }>(
        `SELECT count() AS n, toString(groupBitXor(cityHash64(*))) AS sum FROM ${database}.${table}`,
      )
      return [table, `${row?.n} ${row?.sum}`] as const
    }),
  )
  return Object.fromEntries(counted)
}

/** Rows of a table. */
export const countOf = async ({ database, rows }: HistoryClient, table: string): Promise<number> =>
  (await rows<{ n: number }>(`SELECT count() AS n FROM ${database}.${table}`))[0]?.n ?? -1
