// When snapshots are written, and when the log no longer continues one.
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { withOwners } from '../../../topology/logs/with-owners.ts'
import type { Log } from '../../../topology/ports/log.ts'
import type { SnapshotStore } from '../../../topology/ports/partition-snapshots.ts'
import { SnapshotKeeper } from '../../../topology/snapshots/keeper.ts'
import type { SnapshotLimits } from '../../../topology/snapshots/limits.ts'
import { createMemoryStore } from '../../../topology/snapshots/memory-store.ts'
import { EVENTS, out, ROWS, write } from '../../contract/log-topics.ts'
import { readOut } from '../../contract/snapshot-place.ts'

const HOUR_MS = 3_600_000
const NOW_MS = 1_790_000_000_000

const given = async (limits: Partial<SnapshotLimits> = { tailOffsetsMin: 1 }) => {
  const inner = createMemoryLog({ partitions: 2 })
  const bounds = { start: 0, end: undefined as number | undefined, floor: 0 }
  const log: Log = {
    ...withOwners(inner, (id) => inner.own(id)),
    start: () => bounds.start,
    end: (topic, partition) => bounds.end ?? inner.end(topic, partition),
    tombstoneFloor: () => bounds.floor,
  }
  const owner = await log.own('writer')
  const notices: unknown[] = []
  const notice = (code: string, facts: object): void => void notices.push([code, facts])
  const world = { nowMs: NOW_MS, notices, store: createMemoryStore(notice) as SnapshotStore, writes: 0 }
  const counting = (): SnapshotStore => ({
    open: (place) => world.store.open(place),
    remove: (place) => world.store.remove(place),
    write: (...all) => {
      world.writes += 1
      return world.store.write(...all)
    },
  })
  const keeper = () =>
    new SnapshotKeeper({
      ...{
        log,
        store: counting(),
        identities: new Map([
          [ROWS.name, 'aa'],
          [EVENTS.name, 'bb'],
        ]),
        limits,
      },
      ...{ notice, wall: () => world.nowMs },
    })
  return { world, bounds, keeper, put: (key: string, value: string | null) => write(owner, [out(ROWS, 0, key, value)]), log }
}
/** A log of two records, and its snapshot, made now. */
const snapped = async () => {
  const all = await given()
  await all.put('a', '1')
  await all.put('b', '2')
  const keeper = all.keeper()
  await keeper.beginning(ROWS, 0)
  await keeper.round()
  return { ...all, kept: keeper }
}

describe('a snapshot', () => {
  test('has the live records of the log below its end', async () => {
    const { keeper } = await snapped()
    const beginning = await keeper().beginning(ROWS, 0)
    expect(beginning?.next).toBe(2)
    expect(await readOut(beginning)).toEqual(['0 a 1', '1 b 2'])
  })

  test('is used until it is 12 hours old, then deleted with its age as the reason', async () => {
    const { world, keeper } = await snapped()
    world.nowMs += 12 * HOUR_MS - 1
    expect(await keeper().beginning(ROWS, 0)).toBeDefined()
    expect(world.notices).toEqual([])
    world.nowMs += 1
    expect(await keeper().beginning(ROWS, 0)).toBeUndefined()
    expect(world.notices).toEqual([
      ['snapshot_refused', { topic: 'contract.rows/0', reason: 'it is 720 min old: tombstones written since may be gone' }],
    ])
    world.nowMs -= 6 * HOUR_MS
    expect(await keeper().beginning(ROWS, 0)).toBeUndefined()
    expect(world.notices).toHaveLength(1)
  })

  test.each<[string, (given: Awaited<ReturnType<typeof snapped>>) => void, string]>([
    ['is newer than the clock', ({ world }) => (world.nowMs -= 5), "it is 5 ms newer than this machine's clock"],
    ['is ahead of the log', ({ bounds }) => (bounds.end = 1), 'it ends at offset 2, the log at 1'],
    ['is behind the first record of the log', ({ bounds }) => (bounds.start = 3), 'it ends at offset 2, the log begins at 3'],
    ['is behind lost tombstones', ({ bounds }) => (bounds.floor = 3), 'it ends at offset 2: tombstones written since may be gone'],
  ])('that %s is deleted, with the reason', async (_what, change, reason) => {
    const all = await snapped()
    change(all)
    expect(await all.keeper().beginning(ROWS, 0)).toBeUndefined()
    expect(all.world.notices).toEqual([['snapshot_refused', { topic: 'contract.rows/0', reason }]])
  })

  test('whose values have the shape of another version is deleted, with both shapes as the reason', async () => {
    const { world, keeper } = await snapped()
    expect(await keeper().beginning({ ...ROWS, schema: 'progress' }, 0)).toBeUndefined()
    const reason = expect.stringMatching(
      /^its values have schema [0-9a-f]{16}, this program has schema [0-9a-f]{16}: another version wrote it$/,
    )
    expect(world.notices).toEqual([['snapshot_refused', { topic: 'contract.rows/0', reason }]])
  })

  test('that has become too old is not merged with newer records: the log is read from its start', async () => {
    const { world, kept, put, keeper } = await snapped()
    await put('a', null)
    world.nowMs += 13 * HOUR_MS
    await kept.round()
    expect(world.notices).toHaveLength(1)
    expect(await readOut(await keeper().beginning(ROWS, 0))).toEqual(['1 b 2'])
  })
})

describe('a keeper', () => {
  test('keeps only compacted topics with an identity, and only partitions that were read', async () => {
    const { world, keeper, put, log } = await given()
    await put('a', '1')
    await write(await log.own('other'), [out(EVENTS, 0, 'e', '1'), out(ROWS, 1, 'unread', '1')])
    const one = keeper()
    expect(await one.beginning(EVENTS, 0)).toBeUndefined()
    expect(await one.beginning({ ...ROWS, name: 'unknown' }, 0)).toBeUndefined()
    await one.round()
    expect(world.writes).toBe(0)
    await one.beginning(ROWS, 0)
    await one.round()
    expect(world.writes).toBe(1)
  })

  test('replaces a snapshot once the log behind it is long enough, in offsets and in its share', async () => {
    const { world, keeper, put } = await given({ tailOffsetsMin: 3, tailShareMin: 0.5 })
    for (let n = 0; n < 10; n++) await put(`${n}`, 'x')
    const one = keeper()
    await one.beginning(ROWS, 0)
    await one.round()
    expect(world.writes).toBe(1)
    for (const [count, writes] of [
      [4, 1],
      [1, 2],
    ] as const) {
      for (let n = 0; n < count; n++) await put('0', 'y')
      await one.round()
      expect(world.writes).toBe(writes)
    }
  })

  test('replaces an unchanged snapshot after 6 hours, so that it does not become too old', async () => {
    const { world, kept, keeper } = await snapped()
    world.nowMs += 6 * HOUR_MS - 1
    await kept.round()
    expect(world.writes).toBe(1)
    world.nowMs += 1
    await kept.round()
    expect(world.writes).toBe(2)
    world.nowMs += 11 * HOUR_MS
    expect(await readOut(await keeper().beginning(ROWS, 0))).toEqual(['0 a 1', '1 b 2'])
  })

  test('continues the snapshot of an earlier process', async () => {
    const { world, keeper, put } = await snapped()
    const next = keeper()
    await next.beginning(ROWS, 0)
    await put('a', '3')
    await next.round()
    expect(world.writes).toBe(2)
    expect(await readOut(await keeper().beginning(ROWS, 0))).toEqual(['1 b 2', '2 a 3'])
  })

  test('reports failed writes once, with the first reason, and continues when they succeed again', async () => {
    const { world, kept, put, keeper } = await snapped()
    const { store } = world
    world.store = { ...store, open: (place) => store.open(place), write: () => Promise.reject(new Error('the disk is full')) }
    await kept.beginning(ROWS, 1)
    await put('a', '3')
    for (let n = 0; n < 3; n++) await kept.round()
    expect(world.notices).toEqual([['snapshot_not_written', { topic: 'contract.rows/0', reason: 'the disk is full', partitions: 1 }]])
    world.store = store
    await kept.round()
    expect(await readOut(await keeper().beginning(ROWS, 0))).toEqual(['1 b 2', '2 a 3'])
    expect(world.notices).toHaveLength(1)
  })

  test('writes no snapshot over a record that another program wrote invalid, and reports its offset', async () => {
    const { world, keeper, put, log } = await given()
    await put('a', '1')
    const read = log.read
    Object.assign(log, {
      read: async (...all: Parameters<Log['read']>) => (await read(...all)).map((record) => ({ ...record, fault: 'no schema' })),
    })
    const one = keeper()
    await one.beginning(ROWS, 0)
    await one.round()
    expect(world.notices).toEqual([
      ['snapshot_not_written', { topic: 'contract.rows/0', reason: 'the record at offset 0 is invalid: no schema', partitions: 1 }],
    ])
  })

  test('ends a round at a stop, and leaves the former snapshot', async () => {
    const { world, kept, put, keeper, log } = await snapped()
    await put('a', '3')
    const read = log.read
    Object.assign(log, {
      read: async (...all: Parameters<Log['read']>) => {
        await kept.stop()
        return read(...all)
      },
    })
    await kept.round()
    Object.assign(log, { read })
    expect(await readOut(await keeper().beginning(ROWS, 0))).toEqual(['0 a 1', '1 b 2'])
    expect(world.notices).toEqual([])
  })

  test('runs rounds at its interval until it is stopped', async () => {
    const { keeper, put } = await given({ tailOffsetsMin: 1, roundMs: 1 })
    await put('a', '1')
    const one = keeper()
    await one.beginning(ROWS, 0)
    one.start()
    while ((await keeper().beginning(ROWS, 0)) === undefined) await new Promise((resolve) => setTimeout(resolve, 1))
    await one.stop()
    await put('a', '2')
    expect((await keeper().beginning(ROWS, 0))?.next).toBe(1)
  })
})
