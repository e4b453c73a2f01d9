// Every table waits at once for a ClickHouse that refuses them all.
import { EngineError } from '../../../schemas/errors.ts'
import { TOPICS } from '../../../schemas/topics.ts'
import { createMemoryLog } from '../../../topology/logs/memory.ts'
import { ClickHouseSink } from '../../../topology/sinks/clickhouse.ts'
import { arbitraryTape } from '../../fixtures/sink-tape.ts'
import { QUICK } from '../../integration/sink-quick.ts'
import { appendTape } from '../../live.ts'

const ID = '3b0f5c1e-6c3a-4b43-9c67-0e4d3b0f5c1e'
/** Of the sink itself: written one by one before the rows. */
const OWN = new Set(['logs_log', 'progress_log'])

test('given more than ten tables that are refused at once, then each is tried again and Node warns of nothing', async () => {
  const log = createMemoryLog({ partitions: 1 })
  await appendTape(log, arbitraryTape())
  const warnings: string[] = []
  const warn = ({ message }: Error): void => void warnings.push(message)
  process.on('warning', warn)
  const tries = new Map<string, number>()
  const client = {
    database: 'mintfold',
    command: async () => {},
    rows: async <Row>(sql: string): Promise<readonly Row[]> => (sql.includes('logs_log') ? [] : [{ uuid: ID } as Row]),
    insert: async ({ table }: { readonly table: string }) => {
      if (OWN.has(table)) return
      tries.set(table, (tries.get(table) ?? 0) + 1)
      throw new EngineError('history_refused', 'not this user')
    },
  }
  const sink = new ClickHouseSink({ log, client, limits: { ...QUICK, batchRowsMax: 10_000, readRecordsMax: 256 }, notice: () => {} })
  await sink.open()
  const running = sink.run()
  while (tries.size < 11 || Math.min(...tries.values()) < 3) await new Promise((resolve) => setTimeout(resolve, 5))
  sink.stop()
  await running
  process.off('warning', warn)
  expect(log.end(TOPICS.tapeSolana, 0)).toBeGreaterThan(0)
  expect(warnings).toEqual([])
})
