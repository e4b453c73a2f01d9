// A lookup that is given up ends on the server too.
import { pause } from '../../topology/waiting/waiting.ts'
import { until } from '../tools/until.ts'
import { describeEngine, failureFrom, type GivenEngine, givenEngine } from './history-server-given.ts'

/** Runs for minutes unless it is cancelled. */
const ENDLESS = 'SELECT count() AS given_up FROM numbers(100000000000000) WHERE NOT ignore(sipHash64(number))'
const MINUTE_MS = 60_000

describeEngine('a query that is given up', () => {
  let engine: GivenEngine
  beforeAll(async () => {
    engine = await givenEngine()
  }, 2 * MINUTE_MS)
  afterAll(() => engine.remove())

  const running = async (): Promise<number> => {
    const sql = "SELECT toUInt32(count()) AS n FROM system.processes WHERE query LIKE '%given_up%' AND query NOT LIKE '%processes%'"
    return (await engine.client.rows<{ n: number }>(sql))[0]?.n ?? 0
  }

  test(
    'disappears from the processes of the server',
    async () => {
      const stop = new AbortController()
      const asked = failureFrom(engine.client.rows(ENDLESS, {}, stop.signal))
      await until(async () => (await running()) === 1)
      stop.abort()
      expect(await asked).toMatchObject({ code: 'history_busy', retriable: true })
      await until(async () => (await running()) === 0, { msMax: 15_000 })
    },
    2 * MINUTE_MS,
  )
  test('is not sent if it was given up before', async () => {
    const asked = failureFrom(engine.client.rows(ENDLESS, {}, AbortSignal.abort()))
    expect(await Promise.race([asked, pause(2_000)])).toMatchObject({ code: 'history_busy', retriable: true })
    expect(await running()).toBe(0)
  })
})
