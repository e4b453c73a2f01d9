// A sink that loses its assignment at any point of its start ends at once and takes nothing over afterwards.
import { createHistoryClient, type HistoryClient } from '../../../topology/history/client.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { SinkTask } from '../../../topology/sinks/sink-task.ts'

const TARGET = { url: 'http://127.0.0.1:9', username: 'default', password: '', database: 'mintfold' }
const ID = '3b0f5c1e-6c3a-4b43-9c67-0e4d3b0f5c1e'
const UNANSWERED = new Promise<never>(() => {})

type Moment = 'asks' | 'answered' | 'owns'

/** Stopped at a point; `owned` lists the takeovers, and whether each was after the stop. */
const stoppedAt = async (moment: Moment, isAnswered: boolean): Promise<{ owned: boolean[]; opened: number }> => {
  const log = createMemoryLog({ partitions: 1 })
  const owned: boolean[] = []
  let opened = 0
  let isStopped = false
  const stopIf = (now: Moment): void => {
    if (now !== moment) return
    isStopped = true
    work.stop()
  }
  const own = log.own.bind(log)
  log.own = async (id) => {
    owned.push(isStopped)
    stopIf('owns')
    return own(id)
  }
  const rows = async <Row>(sql: string): Promise<readonly Row[]> => {
    stopIf('asks')
    if (!isAnswered) return UNANSWERED
    await new Promise(setImmediate)
    stopIf('answered')
    return sql.includes('logs_log') ? [] : [{ uuid: ID } as Row]
  }
  const client: HistoryClient = { ...createHistoryClient(TARGET), rows }
  const work = new SinkTask({
    topology: LAUNCH_RISK,
    log,
    client: Promise.resolve(client),
    notice: () => {},
    opened: () => opened++,
  })
  await work.restore()
  await work.run()
  await client.close()
  return { owned, opened }
}

test.each<[Moment, boolean, boolean[]]>([
  ['asks', false, []],
  ['asks', true, []],
  ['answered', true, []],
  ['owns', true, [false]],
])('a sink stopped while ClickHouse %s (is answered: %s) ends, and fills nothing', async (moment, isAnswered, owned) => {
  expect(await stoppedAt(moment, isAnswered)).toEqual({ owned, opened: 0 })
})
