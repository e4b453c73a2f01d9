// Rows that the log trimmed before the sink read them: the history continues, and reports what it lacks.

import type { TapeBatch } from '../../schemas/types.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { syntheticTape } from '../bench/synthetic-tape.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendTape } from '../live.ts'
import { until } from '../tools/until.ts'
import { describeEngine } from './history-server-given.ts'
import { countOf, type GivenHistories, givenHistories, sinkAll, startSink } from './sink-given.ts'

const TAPE: readonly TapeBatch[] = [...syntheticTape({ events: 4_000, eventsPerFrame: 10, eventsPerMint: 31, seed: 5 })]

describeEngine('rows that were lost', () => {
  let given: GivenHistories
  beforeAll(async () => {
    given = await givenHistories()
  })
  afterAll(() => given.remove())

  test('records that retention removed before the history had them are reported, and the sink continues from what is left', async () => {
    const log = createMemoryLog({ partitions: 3 })
    await appendTape(log, TAPE.slice(0, 200))
    const client = await given.lent()
    await sinkAll(log, client)
    await appendTape(log, TAPE.slice(200))
    for (const partition of [0, 1, 2]) await log.trim(TOPICS.tape, partition, 300)
    const { sink, notices, stop } = await startSink(log, client)
    await until(() => sink.isCaughtUp)
    await stop()
    expect(notices).toEqual(Array(3).fill('history_rows_lost'))
    expect(await countOf(client, 'frames')).toBe(TAPE.length - 100)
    const [before, after] = [TAPE[199]?.number ?? 0, TAPE[300]?.number ?? 0]
    const gaps = await client.rows(`SELECT from_slot, to_slot, slot, reason FROM ${client.database}.gaps WHERE reason LIKE '%too short%'`)
    expect(gaps).toHaveLength(3)
    expect(gaps[0]).toMatchObject({
      from_slot: before + 1,
      to_slot: after - 1,
      slot: after,
      reason: expect.stringContaining('100 records'),
    })
  })
})
