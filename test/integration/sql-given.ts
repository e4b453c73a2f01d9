// `mintfold sql` on an engine for one test file, with two rows.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { register as registerSql } from '../../topology/cli/commands/sql.ts'
import { main } from '../../topology/cli/main.ts'
import { createIo } from '../../topology/cli/output/io.ts'
import { createHistoryClient, type HistoryClient } from '../../topology/history/client.ts'
import { ClickHouseServer } from '../../topology/history/engine/clickhouse-server.ts'
import { historyDirOf } from '../../topology/history/engine/where.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { type FakeEdges, fakeEdges } from '../unit/cli/fake-edges.ts'

const COMMANDS = { sql: { summary: 'one query on the history', load: async () => ({ register: registerSql }) } }
const ROWS = '["moon",9007199254740991]\n["sun",2]\n'

export const runSql = async (edges: FakeEdges, args: readonly string[]) => {
  const code = await main(['sql', ...args], createIo(edges), COMMANDS)
  return { code, ...edges.written }
}

export interface GivenSql {
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
  /** Of the current engine. */
  client(): HistoryClient
  server(): ClickHouseServer
  sql(...args: string[]): ReturnType<typeof runSql>
  start(): Promise<void>
  stop(): Promise<void>
  remove(): Promise<void>
}

/** Readers see tables under the names of the shipped views: `launches` is one. */
export const givenSql = async (): Promise<GivenSql> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintfold-sql-'))
  const env = { MINTFOLD_DATA_DIR: dataDir, MINTFOLD_CLICKHOUSE_PORT: '1' }
  let server: ClickHouseServer
  let client: HistoryClient
  const given: GivenSql = {
    dataDir,
    env,
    client: () => client,
    server: () => server,
    sql: (...args) => runSql(fakeEdges(env), args),
    start: async () => {
      server = new ClickHouseServer({ dir: historyDirOf(dataDir), port: 0, database: 'mintfold' })
      await server.start()
      client = createHistoryClient(server.target())
    },
    stop: async () => {
      await client.close()
      await server.stop()
    },
    remove: async () => {
      await given.stop()
      removeDirectory(dataDir)
    },
  }
  await given.start()
  await given.client().command('CREATE DATABASE mintfold ENGINE = Atomic')
  await given.client().command('CREATE TABLE mintfold.launches (name String, lamports UInt64) ENGINE = MergeTree ORDER BY name')
  await given.client().insert({ table: 'launches', format: 'JSONCompactEachRow', body: Buffer.from(ROWS) })
  return given
}
