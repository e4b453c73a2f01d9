// An embedded ClickHouse for one test file, and fake servers that misbehave.
import { mkdtempSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tryResolveLibchdb } from 'chdb/libchdb'
import { createHistoryClient, type HistoryClient } from '../../topology/history/client.ts'
import { ClickHouseServer } from '../../topology/history/engine/clickhouse-server.ts'
import { copyMigrated } from '../fixtures/migrated-history.ts'
import { type LocalServer, startLocal } from '../tools/local-server.ts'
import { removeDirectory } from '../tools/remove-directory.ts'

/** Tests of the engine itself: skipped with a notice where it has no build. */
export const describeEngine = tryResolveLibchdb() === undefined ? describe.skip : describe
if (describeEngine === describe.skip) process.stderr.write('SKIPPED: this machine has no embedded ClickHouse: none of its tests run\n')

export const DATABASE = 'mintfold'

export interface GivenEngine {
  readonly dir: string
  readonly server: ClickHouseServer
  readonly client: HistoryClient
  /** Codes of the notices of the server. */
  readonly notices: string[]
  /** Stops it and removes its data. */
  remove(): Promise<void>
}

/** A running engine with an empty database, and the databases `migrated`: with this version's tables and views that refresh on request. */
export const givenEngine = async (migrated: readonly string[] = []): Promise<GivenEngine> => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-history-'))
  if (migrated.length > 0) await copyMigrated(dir, migrated, 'asked')
  const notices: string[] = []
  const server = new ClickHouseServer({ dir, port: 0, database: DATABASE, notice: (code) => notices.push(code) })
  await server.start()
  const client = createHistoryClient(server.target())
  await client.command(`CREATE DATABASE IF NOT EXISTS ${DATABASE} ENGINE = Atomic`)
  const remove = async (): Promise<void> => {
    await client.close()
    await server.stop()
    removeDirectory(dir)
  }
  return { dir, server, client, notices, remove }
}

/** A server that is no ClickHouse. */
export const givenFake = (answer: RequestListener): Promise<LocalServer> => startLocal(createServer(answer))

/** Why a promise was rejected. */
export const failureFrom = async (work: Promise<unknown>): Promise<{ code?: string; message: string; retriable?: boolean }> => {
  try {
    await work
  } catch (error) {
    return error as { message: string }
  }
  throw new Error('nothing failed')
}
