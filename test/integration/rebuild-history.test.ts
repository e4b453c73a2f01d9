// The history after a rebuild that changes output: its tables equal those of a log that never had to be rebuilt.
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { contentsOf } from '../fixtures/history-contents.ts'
import { foldAll, marketBodies, wiringOf } from '../fixtures/rebuild-market.ts'
import { appendRaw } from '../live.ts'
import { describeEngine } from './history-server-given.ts'
import { verify } from './history-verify-given.ts'
import { type GivenHistories, givenHistories, sinkAll } from './sink-given.ts'

const TIMEOUT_MS = 120_000
const bodies = marketBodies(40, 9)
/** Records before a fork; the fork rolls back frames that the rebuild corrected. */
const cut = bodies.findIndex(({ type }, i) => i > bodies.length * 0.7 && type === 'revert')

const folded = async (decoder: number, count: number, log = createMemoryLog({ partitions: 2 })): Promise<Log> => {
  await appendRaw(log, bodies.slice(0, count), 1)
  await foldAll(log, wiringOf(decoder))
  return log
}

describeEngine('a history of a log that was rebuilt', () => {
  let given: GivenHistories
  beforeAll(async () => {
    given = await givenHistories({ views: false, copied: 2 })
  })
  afterAll(() => given.remove())

  afterEach(() => given.rollBack())

  const freshContents = async (log: Log): Promise<Readonly<Record<string, string>>> => {
    const client = await given.lent()
    await sinkAll(log, client)
    return contentsOf(client)
  }

  test(
    'has the rows of the new decoder, whether it was filled before or after the rebuild, also after a later fork',
    async () => {
      const log = await folded(1, cut)
      const client = await given.lent()
      await sinkAll(log, client)
      const before = await contentsOf(client)
      const expected = await freshContents(await folded(2, cut))
      expect(before.trades).not.toEqual(expected.trades)
      expect(before.flags).not.toEqual(expected.flags)
      await foldAll(log, wiringOf(2))
      await sinkAll(log, client)
      expect(await contentsOf(client)).toEqual(expected)
      expect(await freshContents(log)).toEqual(expected)

      await appendRaw(log, bodies.slice(cut), cut + 1)
      await foldAll(log, wiringOf(2))
      await sinkAll(log, client)
      const later = await freshContents(await folded(2, bodies.length))
      expect(await contentsOf(client)).toEqual(later)
      expect(await freshContents(log)).toEqual(later)
      expect((await verify(log, client)).findings).toEqual([])
    },
    TIMEOUT_MS,
  )

  test(
    'no longer has rows that only the old decoder decoded',
    async () => {
      const log = await folded(2, cut)
      const client = await given.lent()
      await sinkAll(log, client)
      await foldAll(log, wiringOf(4))
      await sinkAll(log, client)
      const expected = await freshContents(await folded(4, cut))
      expect(await contentsOf(client)).toEqual(expected)
      const { database } = client
      const [gone] = await client.rows<{ n: number }>(
        `SELECT count() AS n FROM ${database}.retracted_flags WHERE retraction_id LIKE '%:revision:%'`,
      )
      expect(Number(gone?.n)).toBeGreaterThan(0)
    },
    TIMEOUT_MS,
  )
})
