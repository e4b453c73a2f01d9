// Two hours of the demo in a history: it answers the documents' first questions, and its regime knows what failed.

import { main } from '../../topology/cli/main.ts'
import { createIo } from '../../topology/cli/output/io.ts'
import type { HistoryClient } from '../../topology/history/client.ts'
import { readRegime } from '../../topology/history/figures.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { NO_LOSSES } from '../../topology/simulator/solana/losses.ts'
import { Market } from '../../topology/simulator/solana/market.ts'
import type { DemoSlot } from '../../topology/simulator/solana/market-types.ts'
import { DemoSource } from '../../topology/simulator/solana/source.ts'
import { refreshViews } from '../../topology/sinks/refresh-views.ts'
import { type AnswerRow, firstQuestions } from '../tools/first-questions.ts'
import { fakeEdges } from '../unit/cli/fake-edges.ts'
import { describeEngine } from './history-server-given.ts'
import { type GivenHistories, givenHistories, sinkAll } from './sink-given.ts'

const HOURS = 2
const OPTIONS = { seed: 1, startMs: Date.UTC(2026, 9, 15, 12), rate: 1 }
const questions = firstQuestions()

function* slots(): Generator<DemoSlot> {
  for (const slot of new Market(OPTIONS)) {
    if (slot.timeMs >= OPTIONS.startMs + HOURS * 3_600_000) return
    yield slot
  }
}

describeEngine('the history of the demo', () => {
  let given: GivenHistories
  let client: HistoryClient
  beforeAll(async () => {
    given = await givenHistories()
    const log = createMemoryLog({ partitions: 2 })
    const stop = new AbortController()
    const paced = { historyS: HOURS * 3_600, catchUpS: 0, speed: 'max', wall: Date.now, stop: stop.signal, folded: () => null } as const
    const source = new DemoSource(log, LAUNCH_RISK.sources.demo, {
      ...OPTIONS,
      ...paced,
      market: slots,
      losses: NO_LOSSES,
      forksPerHour: 0,
    })
    await source.open()
    await source.prepare()
    const folds = await startFolds(log, [LAUNCH_RISK])
    await folds.caughtUp()
    await folds.stop()
    client = await given.fresh()
    await sinkAll(log, client)
    await refreshViews(client)
  })
  afterAll(() => given.remove())

  test('is asked six first questions', () => {
    expect(questions).toHaveLength(6)
  })
  test.each(questions)('answers $query plausibly', async ({ query, wrong }) => {
    const { database } = client
    const { url, username, password } = given.engine.server.target()
    const edges = fakeEdges({ CLICKHOUSE_URL: url, CLICKHOUSE_USERNAME: username, CLICKHOUSE_PASSWORD: password })
    const asked = query.replaceAll('mintfold.', `${database}.`).replaceAll("'mintfold'", `'${database}'`)
    expect(await main(['sql', asked, '--format', 'JSONEachRow'], createIo(edges))).toBe(0)
    const rows = edges.written.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line): AnswerRow => JSON.parse(line))
    expect(wrong(rows, HOURS)).toBeUndefined()
  })
  test('the history knows how many transactions failed, although no frame was made of them', async () => {
    const regime = await readRegime(client)
    if (!regime.ok) throw new Error(regime.reason)
    const { minute, hour, day } = regime.value
    for (const { failedShare } of [hour, day]) expect(failedShare).toBeCloseTo(0.42, 1)
    expect(minute.failedShare).toBeGreaterThan(0.2)
  })
})
