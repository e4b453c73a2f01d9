// Sinks whose ClickHouse refuses every table, is busy, or fails after a stop.
import { EngineError } from '../../../schemas/errors.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { ClickHouseSink } from '../../../topology/sinks/clickhouse.ts'
import type { SinkLimits } from '../../../topology/sinks/limits.ts'
import { arbitraryTape } from '../../fixtures/sink-tape.ts'
import { QUICK } from '../../integration/sink-quick.ts'
import { appendTape } from '../../live.ts'

const ID = '3b0f5c1e-6c3a-4b43-9c67-0e4d3b0f5c1e'
/** The sink's own tables: written one by one before the rows. */
const OWN = new Set(['logs_log', 'progress_log'])

/** A sink of a tape with every kind of event, until `isDone`; `answer` receives each insert of rows, and refuses it by throwing. */
const sunk = async (
  answer: (table: string) => void,
  limits: Partial<SinkLimits>,
  isDone: (sink: ClickHouseSink) => boolean,
): Promise<string[]> => {
  const log = createMemoryLog({ partitions: 1 })
  await appendTape(log, arbitraryTape())
  const notices: string[] = []
  const client = {
    database: 'mintfold',
    command: async () => {},
    rows: async <Row>(sql: string): Promise<readonly Row[]> => (sql.includes('logs_log') ? [] : [{ uuid: ID } as Row]),
    insert: async ({ table }: { readonly table: string }) => {
      if (!OWN.has(table)) await answer(table)
    },
  }
  const roomy = { ...QUICK, batchRowsMax: 10_000, readRecordsMax: 256, ...limits }
  const sink = new ClickHouseSink({
    topology: LAUNCH_RISK,
    log,
    client,
    limits: roomy,
    notice: (code) => notices.push(code),
  })
  await sink.open()
  const running = sink.run()
  while (!isDone(sink)) await new Promise((resolve) => setTimeout(resolve, 5))
  sink.stop()
  await running
  return notices
}

test('more than ten refused tables are retried, without a warning of Node', async () => {
  const warnings: string[] = []
  const warn = ({ message }: Error): void => void warnings.push(message)
  process.on('warning', warn)
  const tries = new Map<string, number>()
  const refuse = (table: string): never => {
    tries.set(table, (tries.get(table) ?? 0) + 1)
    throw new EngineError('history_refused', 'not this user')
  }
  const notices = await sunk(refuse, {}, () => tries.size > 10 && Math.min(...tries.values()) > 2)
  process.off('warning', warn)
  expect([warnings, notices]).toEqual([[], ['history_behind']])
})

describe('a busy ClickHouse', () => {
  const busyTimes = (times: number) => {
    let refused = 0
    return (): void => {
      if (refused++ < times)
        throw new EngineError('history_busy', 'memory limit exceeded', { retriable: true, facts: { clickhouse: '241' } })
    }
  }
  const isCaughtUp = (sink: ClickHouseSink): boolean => sink.isCaughtUp && sink.status().trouble === null

  test('is retried silently if it is brief', async () => {
    expect(await sunk(busyTimes(20), { busyMs: 60_000 }, isCaughtUp)).toEqual([])
  })
  test('is reported once if it lasts, and again when inserts resume', async () => {
    expect(await sunk(busyTimes(60), { busyMs: 20 }, isCaughtUp)).toEqual(['history_behind', 'history_goes_on'])
  })
})

test('a failure of ClickHouse after a stop is not reported', async () => {
  let isAsked = false
  const late = async (): Promise<void> => {
    isAsked = true
    await new Promise((resolve) => setTimeout(resolve, 50))
    throw new EngineError('history_down', 'socket hang up', { retriable: true })
  }
  expect(await sunk(late, {}, () => isAsked)).toEqual([])
})
