// The history on a ClickHouse cluster: two embedded engines as shards. Replication needs real servers and is not tested (deploy/README.md).
import { type Key, keyOfText } from '../../schemas/keys.ts'
import type { Check } from '../../topology/cli/doctor/check.ts'
import { checkHistory } from '../../topology/cli/doctor/checks-history.ts'
import { parseSettings } from '../../topology/cli/settings/settings.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { readFigures } from '../../topology/history/all-figures.ts'
import { createHistoryClient, type HistoryClient } from '../../topology/history/client.ts'
import { readShape } from '../../topology/history/cohorts.ts'
import { readMintOdds } from '../../topology/history/odds/proofs.ts'
import { readSeries } from '../../topology/history/series.ts'
import { readSettled } from '../../topology/history/settlements.ts'
import { migrate, readMigrations } from '../../topology/history/tables/migrate.ts'
import { publicViews } from '../../topology/history/tables/public-views.ts'
import { schemaTroubles } from '../../topology/history/tables/schema-check.ts'
import type { HistoryTarget } from '../../topology/history/target.ts'
import { readWallet } from '../../topology/history/wallets.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { refreshViews } from '../../topology/sinks/refresh-views.ts'
import { keepDays } from '../../topology/sinks/retention/keep-days.ts'
import { syntheticTape } from '../bench/synthetic-tape.ts'
import { askedViews } from '../fixtures/history-contents.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendTape, copyTo, foldToEnd } from '../live.ts'
import { CLUSTER, type Shards, startShards } from '../services/clickhouse/shards.ts'
import { until } from '../tools/until.ts'
import { describeEngine, failureFrom } from './history-server-given.ts'
import { contentsOf, countOf, type GivenHistories, givenHistories, sinkAll, startSink } from './sink-given.ts'

const TAPE = [...syntheticTape({ events: 4_000, eventsPerFrame: 10, eventsPerMint: 31, seed: 5 })]
const REQUEST_MS_MAX = 240_000
/** Differs between any two histories: when a log began to fill it. */
const DIFFERS: readonly string[] = ['progress']
/** Public views without parameters. */
const viewsOf = async ({ database, rows }: HistoryClient): Promise<readonly string[]> => {
  const sql = "SELECT name FROM system.tables WHERE database = {database:String} AND create_table_query NOT LIKE '%{%:%}%'"
  const found = (await rows<{ name: string }>(sql, { database })).map(({ name }) => name)
  return publicViews().filter((view) => found.includes(view) && !DIFFERS.includes(view))
}

describeEngine('the history on a cluster', () => {
  let shards: Shards
  let given: GivenHistories
  let folded: Log
  let alone: HistoryClient
  const clients: HistoryClient[] = []

  const targetOf = (database: string): HistoryTarget => {
    const [url = '', ...others] = shards.fronts.map((front) => front.url)
    return { url, others, username: 'default', password: '', database, cluster: CLUSTER }
  }
  const clientOf = (target: HistoryTarget): HistoryClient => {
    const client = createHistoryClient(target, REQUEST_MS_MAX)
    clients.push(client)
    return client
  }
  const logOf = async (): Promise<Log> => {
    const log = createMemoryLog({ partitions: 3 })
    await copyTo(log, folded, Object.values(TOPICS))
    return log
  }
  /** Rows of a table on each shard alone. */
  const onShards = ({ database }: Pick<HistoryClient, 'database'>, sql: string): Promise<readonly string[]> =>
    Promise.all(
      shards.ports.map(async (port) =>
        (await fetch(`http://127.0.0.1:${port}/?database=${database}`, { method: 'POST', body: sql })).text().then((text) => text.trim()),
      ),
    )

  beforeAll(async () => {
    folded = createMemoryLog({ partitions: 3 })
    await appendTape(folded, TAPE)
    await foldToEnd(folded, DEFAULT_LIMITS)
    given = await givenHistories()
    alone = await given.fresh()
    await sinkAll(await logOf(), alone)
    await refreshViews(alone)
    shards = await startShards()
  })
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()))
    await Promise.all([shards?.remove(), given.remove()])
  })

  test('has the rows and figures of one server, with each launch on one shard', async () => {
    const client = clientOf(targetOf('whole'))
    await migrate(client)
    await askedViews(client)
    await sinkAll(await logOf(), client)
    await refreshViews(client)
    const views = await viewsOf(client)
    expect(views.length).toBeGreaterThan(40)
    expect(await contentsOf(client, '', views)).toEqual(await contentsOf(alone, '', views))
    expect(await schemaTroubles(client)).toEqual([])
    const counts = await onShards(client, 'SELECT count() FROM trades_log_local FINAL')
    expect(counts.map(Number).every((count) => count > 0)).toBe(true)
    expect(counts.map(Number).reduce((sum, count) => sum + count, 0)).toBe(await countOf(client, 'trades'))
    const [first = '', second = ''] = await onShards(client, 'SELECT arraySort(groupUniqArray(mint)) FROM trades_log_local')
    expect(second.split(',').filter((mint) => first.includes(mint.replace(/[[\]']/g, '')))).toEqual([])
  })
  test('answers the questions of the API and of analysts as one server does', async () => {
    const client = clientOf(targetOf('whole'))
    const keys = ({ database, rows }: HistoryClient, column: string): Promise<readonly { key: string }[]> =>
      rows(`SELECT DISTINCT ${column} AS key FROM ${database}.trades ORDER BY key LIMIT 3`)
    const [from, until] = [TAPE[0]?.time ?? 0, TAPE.at(-1)?.time ?? 0]
    const answersOf = async (asked: HistoryClient): Promise<unknown> => {
      const mints = (await keys(asked, 'mint')).map(({ key }) => keyOfText(key))
      const wallets = (await keys(asked, 'user')).map(({ key }) => keyOfText(key))
      const ofMint = (mint: Key) =>
        Promise.all([
          ...[readSettled(asked, mint), readShape(asked, mint), readMintOdds(asked, mint)],
          readSeries(asked, { mint, pool: null, from, until, stepS: 60 }),
        ])
      const { database } = asked
      const inSubquery = `SELECT count() AS n FROM ${database}.trades WHERE mint IN (SELECT mint FROM ${database}.flags WHERE flag != '')`
      return Promise.all([...mints.map(ofMint), ...wallets.map((wallet) => readWallet(asked, wallet, null)), asked.rows(inSubquery)])
    }
    expect(await answersOf(client)).toEqual(await answersOf(alone))
    const figures = await readFigures(client)
    expect(figures.regime).toMatchObject({ ok: true })
    expect(figures).toEqual(await readFigures(alone))
  })
  test('is exact after each shard was killed while rows were written', async () => {
    const client = clientOf(targetOf('whole'))
    expect(await onShards(client, "TRUNCATE ALL TABLES FROM whole NOT LIKE 'schema_migrations'")).toEqual(['', ''])
    expect(await countOf(client, 'trades')).toBe(0)
    const { sink, stop } = await startSink(await logOf(), client)
    const atKills: number[] = []
    for (const shard of [1, 0]) {
      const before = sink.status().rows
      await until(() => sink.status().rows > before || sink.isCaughtUp)
      atKills.push(sink.status().rows)
      await shards.kill(shard)
    }
    await until(() => sink.isCaughtUp, { msMax: 120_000 })
    await stop()
    expect(atKills.every((rows) => rows < sink.status().rows)).toBe(true)
    expect(await contentsOf(client)).toEqual(await contentsOf(alone))
  })
  test('is written and read through the next server when one does not respond', async () => {
    const { others = [], ...target } = targetOf('whole')
    const client = clientOf({ ...target, url: 'http://127.0.0.1:1', others: [target.url, ...others] })
    await client.command('INSERT INTO whole.kept_days_log (days) VALUES (91)')
    expect(await client.rows('SELECT days FROM whole.kept_days_log')).toEqual([{ days: 91 }])
  })
  test('changes the retention of the tables of every shard', async () => {
    await keepDays(clientOf(targetOf('whole')), 12, () => {})
    const isOf = (days: number): string => `countIf(engine_full LIKE '%toIntervalDay(${days})%')`
    const changed = `SELECT ${isOf(12)} > 0 AND ${isOf(90)} = 0 FROM system.tables WHERE database = 'whole'`
    expect(await onShards({ database: 'whole' }, changed)).toEqual(['1', '1'])
  })
  test('passes the checks of doctor', async () => {
    const env = {
      CLICKHOUSE_URL: shards.fronts.map(({ url }) => url).join(','),
      ...{
        CLICKHOUSE_CLUSTER: CLUSTER,
        CLICKHOUSE_DATABASE: 'whole',
        KAFKA_BROKERS: '127.0.0.1:9',
        SCHEMA_REGISTRY_URL: 'http://127.0.0.1:9',
      },
    }
    const checks: Check[] = []
    for await (const check of checkHistory(parseSettings(env, { source: 'demo' }), null, undefined)) checks.push(check)
    expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
      ['clickhouse', true],
      ['history rights', true],
      ['history tables', true],
    ])
  })
  test('is refused with another setting than it was created with, and for a cluster that the server does not know', async () => {
    const { cluster: _, ...single } = targetOf('whole')
    expect(await failureFrom(migrate(clientOf(single)))).toMatchObject({
      code: 'history_cluster',
      message: expect.stringContaining(`created with CLICKHOUSE_CLUSTER=${CLUSTER}`),
    })
    const begun = { migrations: readMigrations().slice(0, 1), views: [] }
    await migrate(clientOf({ ...single, database: 'alone' }), begun)
    expect(await failureFrom(migrate(clientOf(targetOf('alone'))))).toMatchObject({
      code: 'history_cluster',
      message: expect.stringContaining('created without CLICKHOUSE_CLUSTER'),
    })
    const unknown = { ...targetOf('new'), cluster: 'elsewhere' }
    expect(await failureFrom(migrate(clientOf(unknown)))).toMatchObject({ message: expect.stringContaining('knows no cluster elsewhere') })
  })
})
