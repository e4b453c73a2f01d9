// A shadow of other versions beside running tasks: it changes nothing, is compared with them, and is promoted and rolled back.
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { readRebuild, readStores } from '../../topology/versions/stores-record.ts'
import { logOnce } from '../fixtures/log-once.ts'
import { contentsOf, differencesOf, foldAll, marketBodies, QUICK, wiringOf } from '../fixtures/rebuild-market.ts'
import { diffOf, endOf, member, shadowOf } from '../fixtures/shadow-beside.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendRaw } from '../live.ts'
import { until } from '../tools/until.ts'

const TIMEOUT_MS = 60_000
const bodies = marketBodies(40, 9)
const half = Math.floor(bodies.length / 2)
const most = Math.floor(bodies.length * 0.8)

type Versions = Parameters<typeof wiringOf>
const clean = (count: number, ...versions: Versions): Promise<Log> =>
  logOnce(`${[count, versions]}`, 2, async (log) => {
    await appendRaw(log, bodies.slice(0, count), 1)
    await foldAll(log, wiringOf(...versions))
  })
test.each<readonly [string, Versions, Versions]>([
  ['a fold', [2], [2, 3]],
  ['the decoder', [2], [4]],
])(
  'a shadow of a newer %s changes nothing until it is promoted, and then leaves what a clean run leaves; back again likewise',
  async (_what, olderVersions, newerVersions) => {
    const [older, newer] = [wiringOf(...olderVersions), wiringOf(...newerVersions)]
    const log = await clean(half, ...olderVersions)
    const running = await startFolds(log, [older], QUICK, { assignment: member() })
    const beside = shadowOf(log, newer)
    await beside.follows()
    await appendRaw(log, bodies.slice(half, most), half + 1)
    await running.caughtUp()
    expect(await contentsOf(log)).toEqual(await contentsOf(await clean(most, ...olderVersions)))
    expect(await readRebuild(log, TOPICS.rebuilds, 'solana')).toMatchObject({ state: 'none' })
    await beside.follows()
    await expect(beside.shadow.check(true)).rejects.toMatchObject({ code: 'nothing_to_promote' })
    await beside.shadow.check(false)

    const ended = endOf(running)
    const promoted = await beside.promote()
    expect(await ended).toBe('stores_newer')
    const [is, wanted] = [await contentsOf(log), await contentsOf(await clean(most, ...newerVersions))]
    for (const name of Object.keys(wanted)) expect([name, is[name]]).toEqual([name, wanted[name]])
    expect(await readStores(log, TOPICS.stores, 'solana')).toMatchObject({ revision: 1, rolledBack: [] })

    const former = shadowOf(log, older)
    await appendRaw(log, bodies.slice(most), most + 1)
    await promoted.caughtUp()
    await former.follows()
    await expect(former.shadow.check(false)).rejects.toMatchObject({ code: 'nothing_to_promote' })
    await former.shadow.check(true)
    const rolled = endOf(promoted)
    const back = await former.promote()
    expect(await rolled).toBe('stores_rolled_back')
    await expect(startFolds(log, [newer], QUICK, { assignment: member() })).rejects.toMatchObject({ code: 'stores_rolled_back' })
    await back.caughtUp()
    await back.stop()
    const [again, first] = [await contentsOf(log), await contentsOf(await clean(bodies.length, ...olderVersions))]
    for (const name of Object.keys(first)) expect([name, again[name]]).toEqual([name, first[name]])
  },
  TIMEOUT_MS,
)

test(
  'the diff of a shadow counts exactly what two clean runs of both versions report differently, while both go on',
  async () => {
    const [older, newer] = [wiringOf(2), wiringOf(2, 3)]
    const log = await clean(half, 2)
    const running = await startFolds(log, [older], QUICK, { assignment: member() })
    const beside = shadowOf(log, newer)
    await beside.follows()
    let sent = half
    const during = diffOf(log, newer, beside)
    while (sent < most) {
      await appendRaw(log, bodies.slice(sent, sent + 5), sent + 1)
      sent += 5
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect((await during).count).toBeGreaterThan(0)
    await running.caughtUp()
    const end = log.end(TOPICS.tape, 0)
    await until(() => beside.shadow.status.behind === 0 && log.end(TOPICS.tape, 0) === end)
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const found = await diffOf(log, newer, beside)
    const [a, b] = [await contentsOf(await clean(sent, 2)), await contentsOf(await clean(sent, 2, 3))]
    const kinds = new Map(found.kinds)
    const sum = (isOf: (kind: string) => boolean, ...names: readonly ('changed' | 'added' | 'removed')[]): number =>
      [...kinds].filter(([kind]) => isOf(kind)).reduce((all, [, counts]) => all + names.reduce((n, name) => n + counts[name], 0), 0)
    const conclusions = ['flags', 'outcomes', 'judgements']
    const isConclusion = (kind: string): boolean => !kind.startsWith('rows of')
    const expected = differencesOf(a, b, conclusions)
    const removed = expected.filter((text) => text.includes(' has ')).length
    const added = expected.filter((text) => text.includes(' misses ')).length
    expect({
      removed: sum(isConclusion, 'removed', 'changed'),
      added: sum(isConclusion, 'added', 'changed'),
    }).toEqual({ removed, added })
    const keysOf = (texts: readonly string[]): Set<string> => new Set(texts.map((text) => text.split(' ')[1] as string))
    const mints = keysOf(
      differencesOf(a, b, ['mints'])
        .filter((text) => !text.includes(' timers '))
        .map((text) => text.slice('mints '.length)),
    )
    expect(sum((kind) => kind === 'rows of mint', 'changed', 'added', 'removed')).toBe(mints.size)
    expect(mints.size).toBeGreaterThan(0)
    expect(kinds.get('rows of mint')).toMatchObject({ moving: 0 })
    expect(found.examplesOf('rows of mint')).toHaveLength(2)
    await beside.stop()
    await running.stop()
  },
  TIMEOUT_MS,
)

test('a shadow that waits, builds, or is of the running versions is not promoted', async () => {
  const log = createMemoryLog({ partitions: 2 })
  const beside = shadowOf(log, wiringOf(2, 3))
  await expect(beside.shadow.check(false)).rejects.toMatchObject({ code: 'shadow_not_ready' })
  await appendRaw(log, bodies.slice(0, 20), 1)
  await foldAll(log, wiringOf(2, 3))
  expect(await beside.following).toBe(true)
})

test('several shadows build beside each other; when one is promoted, the others end, and begin again when the stores are rebuilt', async () => {
  const log = await clean(half, 2)
  const [first, second, other] = [shadowOf(log, wiringOf(2, 3)), shadowOf(log, wiringOf(2, 3)), shadowOf(log, wiringOf(2, 5))]
  await Promise.all([first.follows(), second.follows(), other.follows()])
  const before = other.made()
  const promoted = await first.promote()
  expect(await second.following).toBe(true)
  await promoted.caughtUp()
  await until(() => other.made() !== before)
  await other.follows()
  await other.shadow.check(false)
  const found = await diffOf(log, wiringOf(2, 5), other)
  expect(found.count).toBeGreaterThan(0)
  await other.stop()
  await promoted.stop()
})
