// Compares every field of a card that SQL can derive with its derivation: for three times of a two-hour demo market, and for recordings.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BLOCKS_PER_SECOND } from '../../processors/curve/thresholds.ts'
import { CURVE_RISK } from '../../topology/curve-risk.ts'
import { createHistoryClient, type HistoryClient } from '../../topology/history/client.ts'
import { ClickHouseServer } from '../../topology/history/engine/clickhouse-server.ts'
import { migrate } from '../../topology/history/tables/migrate.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { playAltDemo } from '../fixtures/alt-demo.ts'
import { playDemo } from '../fixtures/demo-history.ts'
import { playRecording } from '../fixtures/recorded-log.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import type { Compared } from '../tools/two-ways/compare.ts'
import { compareCurvesAtEnd } from '../tools/two-ways/curves/compare.ts'
import { compareAtEnd, fillHistory } from '../tools/two-ways/history-of.ts'

const MOMENTS_MINUTES = [40, 80, 120]
/** Frames that fork, of each market; the rest goes directly to the tape. */
const FRAME_MINUTES = 10
const FORKS_PER_HOUR = 120
const PARTITIONS = 4
const QUERY_MS_MAX = 600_000
/** End points in each recording, in frames. */
const RECORDINGS = { launches: [1, 2, 3, 4, 5], blocks: [1, 2], transactions: [8, 16, 25] }

/** Results by end point. */
export type TwoWaysReport = Readonly<Record<string, Compared>>

/** Each end point has its own history that ends there, so that the queries are the ones an analyst would run. */
export const runTwoWays = async (seed: number, rate: number, print: (line: string) => void): Promise<TwoWaysReport> => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-two-ways-'))
  const server = new ClickHouseServer({ dir, port: 0, database: 'mintfold', notice: () => {} })
  const report: Record<string, Compared> = {}
  try {
    await server.start()
    const add = (name: string, compared: Compared): void => {
      report[name] = compared
      print(`${name}: ${JSON.stringify(compared)}`)
    }
    for (const minutes of MOMENTS_MINUTES)
      add(`demo, minute ${minutes}`, await comparedIn(server, `minute_${minutes}`, false, (log) => playUpTo(log, minutes, seed, rate)))
    for (const minutes of MOMENTS_MINUTES)
      add(`curves, minute ${minutes}`, await curvesIn(server, `curves_${minutes}`, (log) => curvesUpTo(log, minutes, seed, rate)))
    for (const [name, moments] of Object.entries(RECORDINGS))
      for (const frames of moments) {
        const path = fileURLToPath(new URL(`../recordings/${name}.avro`, import.meta.url))
        add(`${name}, ${frames} frames`, await comparedIn(server, `${name}_${frames}`, true, (log) => playRecording(log, path, frames)))
      }
  } finally {
    await server.stop()
    await removeDirectory(dir)
  }
  return report
}

const playUpTo = async (log: Log, minutes: number, seed: number, rate: number): Promise<void> => {
  const frames = { historyMinutes: minutes - FRAME_MINUTES, frameMinutes: FRAME_MINUTES, forksPerHour: FORKS_PER_HOUR }
  await playDemo(log, { seed, rate, ...frames })
}

const curvesUpTo = async (log: Log, minutes: number, seed: number, rate: number): Promise<void> => {
  await playAltDemo(log, { blocks: minutes * 60 * BLOCKS_PER_SECOND, seed, rate })
}

const comparedIn = (server: ClickHouseServer, database: string, isSparse: boolean, play: Play): Promise<Compared> =>
  inHistory(server, database, play, async (log, client) => {
    await fillHistory(log, client)
    return await compareAtEnd(log, client, isSparse)
  })

const curvesIn = (server: ClickHouseServer, database: string, play: Play): Promise<Compared> =>
  inHistory(server, database, play, async (log, client) => {
    await fillHistory(log, client, CURVE_RISK)
    return await compareCurvesAtEnd(log, client)
  })

type Play = (log: Log) => Promise<void>

const inHistory = async (
  server: ClickHouseServer,
  database: string,
  play: Play,
  compare: (log: Log, client: HistoryClient) => Promise<Compared>,
): Promise<Compared> => {
  const client = createHistoryClient({ ...server.target(), database }, QUERY_MS_MAX)
  try {
    await migrate(client)
    const log = createMemoryLog({ partitions: PARTITIONS })
    await play(log)
    return await compare(log, client)
  } finally {
    await client.close()
  }
}
