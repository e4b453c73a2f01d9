// Positions of alerts in the odds topic, over a log whose offsets have holes and whose retention passes a position.
import fc from 'fast-check'
import { oddsSource } from '../../../../query-api/alerts/feeds/odds-source.ts'
import type { Key } from '../../../../schemas/keys.ts'
import type { Conclusion } from '../../../../schemas/types.ts'
import { LAUNCH_RISK } from '../../../../topology/launch-risk.ts'
import { offsetExpired } from '../../../../topology/logs/failures.ts'
import { createMemoryLog } from '../../../../topology/logs/memory/memory.ts'
import { oddsFeedOf } from '../../../../topology/odds/odds-feed.ts'
import type { Log, LogReader } from '../../../../topology/ports/log.ts'
import { FakeOdds } from '../../../fakes/odds.ts'
import { TOPICS } from '../../../fixtures/topics.ts'
import { putConclusions } from '../../../integration/odds/odds-live.ts'
import { key } from '../given-mint.ts'

const PARTITIONS = 2
const HEAD = 'true_graduation' as const
/** As on Kafka: a transaction marker follows each record, and the end is one past the newest record. */
const holed = (log: Log): LogReader & Pick<Log, 'onCommit'> => ({
  partitions: (topic) => log.partitions(topic),
  onCommit: (listener) => log.onCommit(listener),
  start: (topic, partition) => log.start(topic, partition) * 2,
  end: (topic, partition) => Math.max(log.start(topic, partition) * 2, log.end(topic, partition) * 2 - 1),
  read: async (topic, partition, offset, limits) => {
    if (offset < log.start(topic, partition) * 2) throw offsetExpired(topic.name, partition, offset, log.start(topic, partition) * 2)
    const records = await log.read(topic, partition, Math.ceil(offset / 2), limits)
    return records.map((record) => ({ ...record, offset: record.offset * 2 }))
  },
})

const oddsOf = async (mint: Key, n: number): Promise<Conclusion> => {
  const odds = new FakeOdds()
  odds.append({ mint, head: HEAD, ppm: n, at: n })
  return (await odds.read(0, 0, 1))[0]?.conclusion as Conclusion
}
const given = () => {
  const log = createMemoryLog({ partitions: PARTITIONS })
  const notices: (readonly [string, object])[] = []
  const feed = oddsFeedOf(holed(log), TOPICS.odds, LAUNCH_RISK.chain.conclusions, (code, facts) => void notices.push([code, facts]))
  const source = oddsSource(feed, () => new FakeOdds().headState(HEAD))
  const put = async (partition: number, from: number, count: number): Promise<void> => {
    const values = Array.from({ length: count }, (_, n) => oddsOf(key(1), from + n))
    await putConclusions(log, TOPICS.odds, await Promise.all(values), partition)
  }
  /** All records from a position on, and the position after them. */
  const readOn = async (from: readonly number[]) => {
    const ppm: (number | null)[] = []
    for (let position = from; ; ) {
      const { events, next } = await source.read(position)
      ppm.push(...events.map((event) => event.ppm))
      if (!source.isBehind(position, next)) return { ppm, position }
      position = next
    }
  }
  return { log, notices, source, put, readOn }
}

test('offsets with holes neither lose nor repeat records, from any position on', async () => {
  const counts = fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 1, max: 3 })), { maxLength: 8 })
  const check = async (appended: readonly (readonly [number, number])[], readAfter: number): Promise<void> => {
    const { source, put, readOn, notices } = given()
    const read: (number | null)[] = []
    let position: readonly number[] = [0, 0]
    let total = 0
    for (const [n, [partition, count]] of appended.entries()) {
      await put(partition, total, count)
      total += count
      if (n % readAfter !== 0) continue
      const found = await readOn(position)
      read.push(...found.ppm)
      position = found.position
    }
    const rest = await readOn(position)
    expect([...read, ...rest.ppm].sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: total }, (_, n) => n))
    expect(source.isBehind(rest.position, source.newest() as readonly number[])).toBe(false)
    expect(notices).toEqual([])
  }
  await fc.assert(fc.asyncProperty(counts, fc.integer({ min: 1, max: 3 }), check), { numRuns: 30 })
})

test('a position passed by retention continues at the oldest kept record, with one notice per partition', async () => {
  const { log, notices, put, readOn } = given()
  await put(0, 10, 4)
  await put(1, 20, 2)
  const { position } = await readOn([0, 0])
  await put(0, 14, 6)
  await put(1, 22, 3)
  await log.trim(TOPICS.odds, 0, 8)
  await log.trim(TOPICS.odds, 1, 5)
  const after = await readOn(position)
  expect(after.ppm).toEqual([18, 19])
  expect(notices).toEqual([
    ['alert_odds_lost', { topic: `${TOPICS.odds.name}/0`, from: 7, to: 16 }],
    ['alert_odds_lost', { topic: `${TOPICS.odds.name}/1`, from: 3, to: 10 }],
  ])
  await put(1, 25, 1)
  expect((await readOn(after.position)).ppm).toEqual([25])
  expect(notices).toHaveLength(2)
})
