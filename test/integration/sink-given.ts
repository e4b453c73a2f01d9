// Histories for one test file in one engine, a running sink, and their public tables.
import { createHistoryClient, type HistoryClient } from '../../topology/history/client.ts'
import { migrate } from '../../topology/history/tables/migrate.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import type { Log } from '../../topology/ports/log.ts'
import { ClickHouseSink, type SinkOptions } from '../../topology/sinks/clickhouse.ts'
import type { SinkLimits } from '../../topology/sinks/limits.ts'
import { askedViews } from '../fixtures/history-contents.ts'
import { until } from '../tools/until.ts'
import { type GivenEngine, givenEngine } from './history-server-given.ts'
import { QUICK } from './sink-quick.ts'

export interface GivenHistories {
  readonly engine: GivenEngine
  /** A database with this version's tables, until the end. */
  fresh(): Promise<HistoryClient>
  /** An empty one for a test, which saves 68 statements. Sinks know by its name what it has of a log: none may use the same one twice. */
  lent(): Promise<HistoryClient>
  /** After each test: makes lent ones available again. */
  rollBack(): void
  remove(): Promise<void>
}

/** For busy machines: a refresh of a view is waited for in one request. */
const REQUEST_MS_MAX = 240_000

const nameOf = (n: number): string => `history_${n}`

/**
 * Views are computed only on request, not every minute: computing all of one history takes the engine 3 s of processor time. Without `views`,
 * not even on request, for tests of the rest. The first `copied` databases are copies.
 */
export const givenHistories = async ({ views = true, copied = 1 } = {}): Promise<GivenHistories> => {
  const engine = await givenEngine(Array.from({ length: copied }, (_, n) => nameOf(n)))
  const clients: HistoryClient[] = []
  const fresh = async (): Promise<HistoryClient> => {
    const client = createHistoryClient({ ...engine.server.target(), database: nameOf(clients.length) }, REQUEST_MS_MAX)
    clients.push(client)
    await migrate(client)
    if (clients.length > copied) await askedViews(client)
    if (!views) await client.command('SYSTEM STOP VIEWS')
    return client
  }
  const [lent, free]: [HistoryClient[], HistoryClient[]] = [[], []]
  return {
    engine,
    fresh,
    lent: async () => {
      const used = free.pop()
      if (used !== undefined) await used.command(`TRUNCATE ALL TABLES FROM ${used.database} NOT LIKE 'schema_migrations'`)
      const client = used ?? (await fresh())
      lent.push(client)
      return client
    },
    rollBack: () => {
      free.push(...lent.splice(0))
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

/** Like a process that takes over the history of another log. */
type Taking = Pick<SinkOptions, 'adopts'> & Partial<Pick<SinkOptions, 'topology'>>

export const startSink = async (
  log: Log,
  client: SinkOptions['client'],
  limits: SinkLimits = QUICK,
  taking: Taking = {},
): Promise<RunningSink> => {
  const notices: string[] = []
  const sink = new ClickHouseSink({
    topology: LAUNCH_RISK,
    log,
    client,
    limits,
    ...taking,
    notice: (code) => notices.push(code),
  })
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

/** Few batches: for tests of the history's content rather than of how it was written. */
const FEW: SinkLimits = { ...QUICK, batchRowsMax: 10_000, batchIntervalMs: 100, readRecordsMax: 256 }
/** For busy machines. */
const ALL_MS_MAX = 280_000

/** Runs a sink until the history has all of the log. */
export const sinkAll = async (log: Log, client: SinkOptions['client'], limits: SinkLimits = FEW, taking: Taking = {}): Promise<void> => {
  const { sink, stop } = await startSink(log, client, limits, taking)
  try {
    await until(() => sink.isCaughtUp, { msMax: ALL_MS_MAX })
  } finally {
    await stop()
  }
}

export { contentsBy, contentsOf, countOf, PUBLIC_TABLES } from '../fixtures/history-contents.ts'
