// sink_rows: a tape on the LMDB log through the sink into the embedded ClickHouse, until every row is stored and the views over them are
// computed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { progressCodec } from '../../schemas/codecs.ts'
import { createHistoryClient, type HistoryClient } from '../../topology/history/client.ts'
import { ClickHouseServer } from '../../topology/history/engine/clickhouse-server.ts'
import { migrate } from '../../topology/history/tables/migrate.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import type { Log } from '../../topology/ports/log.ts'
import { ClickHouseSink } from '../../topology/sinks/clickhouse.ts'
import { refreshViews } from '../../topology/sinks/refresh-views.ts'
import { TOPICS } from '../fixtures/topics.ts'
import type { Bench } from './bench.ts'
import { fillTape } from './fill-tape.ts'
import { DEFAULT_SHAPE, syntheticTape } from './synthetic-tape.ts'

const PARTITIONS = 4
const SHAPE = { ...DEFAULT_SHAPE, events: 1_000_000 }
const POLL_MS = 5
/** Later than the whole tape. */
const LAST_TIME = 1_800_000_000

export const bench: Bench = {
  name: 'sink_rows',
  unit: 'rows/s',
  run: async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mintfold-bench-'))
    const server = new ClickHouseServer({ dir: join(dir, 'history'), port: 0, database: 'mintfold' })
    const log = await openLmdbLog({ dir: join(dir, 'log'), partitions: PARTITIONS })
    await server.start()
    const client = createHistoryClient(server.target())
    try {
      await migrate(client)
      await fillTape(log, syntheticTape(SHAPE))
      await commitProgress(log)
      return await measure(log, client)
    } finally {
      await client.close()
      await server.stop()
      await log.close()
      rmSync(dir, { recursive: true, force: true })
    }
  },
}

/** Commits progress, as the folds do once they have processed the whole tape. */
const commitProgress = async (log: Log): Promise<void> => {
  const owner = await log.own('bench-folds')
  const base = {
    chain: 'solana',
    number: 0,
    hash8: '',
    time: LAST_TIME,
    gapFrom: null,
    gapTo: null,
    confirmed: null,
    finalized: null,
    forks: 0,
  } as const
  const outputs = Array.from({ length: PARTITIONS }, (_, partition) => ({
    topic: TOPICS.progress,
    partition,
    key: Buffer.from('mint'),
    value: progressCodec.encode({ ...base, task: 'mint' }),
  }))
  await owner.commit({ outputs, inputs: new Map() })
}

const measure = async (log: Log, client: HistoryClient) => {
  const sink = new ClickHouseSink({
    topology: LAUNCH_RISK,
    log,
    client,
    notice: (code, facts) => process.stderr.write(`${code} ${JSON.stringify(facts)}\n`),
  })
  await sink.open()
  const started = performance.now()
  const running = sink.run()
  while (!sink.isCaughtUp) await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  const insertedMs = performance.now() - started
  await refreshViews(client)
  const ms = performance.now() - started
  const { rows } = sink.status()
  sink.stop()
  await running
  const [stored] = await client.rows<{ n: number }>(
    'SELECT (SELECT count() FROM mintfold.launches) + (SELECT count() FROM mintfold.trades) + (SELECT count() FROM mintfold.frames) AS n',
  )
  const bytes = await client.rows<{ mb: number }>(
    "SELECT round(sum(bytes_on_disk) / 1e6) AS mb FROM system.parts WHERE active AND database = 'mintfold'",
  )
  return {
    value: Math.round(rows / (ms / 1_000)),
    detail: {
      rows,
      rows_stored: stored?.n,
      seconds: ms / 1_000,
      seconds_of_views: (ms - insertedMs) / 1_000,
      mb_on_disk: bytes[0]?.mb,
      heap_mb: Math.round(process.memoryUsage().heapUsed / 1e6),
    },
  }
}
