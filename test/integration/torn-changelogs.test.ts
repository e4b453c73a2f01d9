// Changelogs that lost records, as after a faulty compaction: the stores are rebuilt without an operator, with the rows of a log without
// the loss.
import { parsePageKey } from '../../topology/engine/rows/state-type.ts'
import type { Log } from '../../topology/ports/log.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { logOnce } from '../fixtures/log-once.ts'
import { contentsOf, differencesOf, marketBodies, QUICK, wiringOf, without } from '../fixtures/rebuild-market.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendRaw, readAll } from '../live.ts'

const TIMEOUT_MS = 120_000
const bodies = marketBodies(20, 9)
const half = bodies.findIndex(({ type }, i) => i > bodies.length / 2 && type === 'frame')
const wiring = wiringOf(2)

/** Folds everything on the log; returns the notices for operators. */
const folded = async (log: Log) => {
  const notices: [code: string, facts: Record<string, string | number>][] = []
  const folds = await startFolds(
    log,
    [wiring],
    { ...QUICK, baseIntervalS: 4, basePagesMax: 100 },
    { notice: (...one) => notices.push(one) },
  )
  await folds.caughtUp()
  await folds.stop()
  return notices
}
const foldedTo = (count: number): Promise<Log> =>
  logOnce(`${count}`, 2, async (log) => {
    await appendRaw(log, bodies.slice(0, count), 1)
    await folded(log)
  })
/** The first half is folded, the rest is on the log. */
const afterFolds = async (): Promise<Log> => {
  const log = await foldedTo(half)
  await appendRaw(log, bodies.slice(half), half + 1)
  return log
}
const keyOf = (key: Uint8Array): string => parsePageKey(key).key

test.each([
  ['a row', 'mintChangelog', (_key: string, partition: number) => partition === 0],
  ['the position of a task', 'taskChangelog', (key: string) => key.endsWith('-1')],
  ['the position of the decoder', 'decodeTaskChangelog', (key: string) => key.endsWith('-0')],
] as const)(
  'stores are rebuilt after their changelog lost %s, with the changelog as the reason, and once',
  async (_name, name, isLost) => {
    const log = await afterFolds()
    const topic = TOPICS[name]
    const all = await Promise.all(Array.from({ length: log.partitions(topic) }, (_, at) => readAll(log, topic, at)))
    const found = all.flatMap((records, partition) =>
      records.filter(({ key, value }) => value !== null && isLost(keyOf(key), partition)).map(({ offset }) => ({ partition, offset })),
    )
    const lost = found[0] as (typeof found)[number]
    const torn = without(log, topic, lost.partition, lost.offset)
    const notices = await folded(torn)
    expect(notices.map(([code]) => code)).toEqual(['stores_mended'])
    expect(notices[0]?.[1].reason).toMatch(new RegExp(`^rows_torn ${topic.name} ${lost.partition} .*has \\d+ records, but had \\d+`))
    const clean = await foldedTo(bodies.length)
    const names = ['tape', 'mints', 'creators', 'flags', 'outcomes']
    expect(differencesOf(await contentsOf(torn), await contentsOf(clean), names).slice(0, 3)).toEqual([])
    expect(await folded(torn)).toEqual([])
  },
  TIMEOUT_MS,
)
