// Some minutes of the demo of both chains around midnight, with forks, on an embedded log with its history.
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { register as registerExport } from '../../../topology/cli/commands/days/export.ts'
import { CURVE_RISK } from '../../../topology/curve-risk.ts'
import type { HistoryClient } from '../../../topology/history/client.ts'
import type { HistoryTarget } from '../../../topology/history/target.ts'
import { TOPOLOGIES } from '../../../topology/launch-risk.ts'
import { openLmdbLog } from '../../../topology/logs/lmdb/lmdb.ts'
import { type Ran, runCommand } from '../../fakes/run-command.ts'
import { playAltDemo } from '../../fixtures/alt-demo.ts'
import { playDemo } from '../../fixtures/demo-history.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'
import { type GivenHistories, givenHistories, sinkAll } from '../sink-given.ts'

const PARTITIONS = 2
const MIDNIGHT_MS = Date.UTC(2026, 9, 16)
/** How long before its paced part the market of curves begins. */
const HOUR_MS = 3_600_000

export interface GivenExports {
  readonly client: HistoryClient
  readonly dataDir: string
  readonly target: HistoryTarget
  /** A path in a directory of the test's own. */
  at(name: string): string
  /** Another data directory, whose log keeps this many records of a partition of each tape. */
  trimmed(records: number): Promise<string>
  export(args: readonly string[], env?: Record<string, string>, stop?: AbortSignal): Promise<Ran>
  remove(): Promise<void>
}

export const givenExports = async (): Promise<GivenExports> => {
  const given: GivenHistories = await givenHistories({ views: false })
  const client = await given.fresh()
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-export-'))
  const dataDir = join(dir, 'data')
  const log = await openLmdbLog({ dir: join(dataDir, 'log'), partitions: PARTITIONS })
  const market = { seed: 7, rate: 4, historyMinutes: 2, frameMinutes: 1, forksPerHour: 900, startMs: MIDNIGHT_MS - 120_000 }
  await playDemo(log, market)
  await playAltDemo(log, { seed: 3, rate: 20, blocks: 1_100, startMs: MIDNIGHT_MS + HOUR_MS - 55_000 })
  await sinkAll(log, client)
  await sinkAll(log, client, undefined, { topology: CURVE_RISK })
  await log.close()
  const target = given.engine.server.target()
  const { url, username, password } = target
  const env = {
    MINTFOLD_DATA_DIR: dataDir,
    CLICKHOUSE_URL: url,
    CLICKHOUSE_USERNAME: username,
    CLICKHOUSE_PASSWORD: password,
    CLICKHOUSE_DATABASE: client.database,
  }
  return {
    ...{ client, dataDir, target },
    at: (name) => join(dir, name),
    export: (args, more = {}, stop = new AbortController().signal) =>
      runCommand(registerExport, ['export', ...args], { env: { ...env, ...more }, stop }),
    trimmed: async (records) => {
      const trimmed = join(dir, `trimmed-${records}`)
      cpSync(dataDir, trimmed, { recursive: true })
      const kept = await openLmdbLog({ dir: join(trimmed, 'log'), partitions: PARTITIONS })
      for (const { operations } of TOPOLOGIES) {
        const { tape } = operations.verify.reads
        for (let partition = 0; partition < PARTITIONS; partition++) await kept.trim(tape, partition, kept.end(tape, partition) - records)
      }
      await kept.close()
      return trimmed
    },
    remove: async () => {
      await given.remove()
      removeDirectory(dir)
    },
  }
}
