// The view of a log whose chain forks: orphaned data is removed from lists and rows, and found as retracted.
import { readSchema } from '../../schemas/avro.ts'
import { progressCodec } from '../../schemas/codecs.ts'
import type { MintState, Progress } from '../../schemas/types.ts'
import { pageKey, stateTypeOf } from '../../topology/engine/rows/state-type.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { randomOf } from '../bench/synthetic-tape.ts'
import { append, appendSteps, type Move, recordsOf, type Step, storyOf } from '../fixtures/forked-log.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { key, launchRow, liveState } from '../unit/query-api/given-mint.ts'

const SEED = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000)
const PARTITIONS = 3
const random = randomOf(SEED)
const int = (n: number): number => Math.floor(random() * n)
const MOVES: Move[] = Array.from({ length: 300 }, () => ({
  back: random() < 0.3 ? 1 + int(random() < 0.1 ? 20 : 3) : 0,
  branch: random() < 0.7 ? 'a' : 'b',
}))
const viewOf = async (log: Log): Promise<LogMintView> => {
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  return view
}
const findingsOf = (steps: readonly Step[]): Set<string> =>
  new Set(
    steps
      .flatMap((step) => (step.type === 'frame' ? step.conclusions : []))
      .flatMap(({ id, body }) => (body.type === 'finding' ? [id] : [])),
  )

const migrationsOf = (steps: readonly Step[]): string[] =>
  steps
    .flatMap((step) => (step.type === 'frame' ? step.conclusions : []))
    .flatMap(({ id, body }) => (body.type === 'transition' ? [id] : []))
    .sort()

describe(`flags and migrations (seed ${SEED})`, () => {
  const { steps, canonical } = storyOf(MOVES, 1_000)
  const expectCanonical = async (view: LogMintView): Promise<void> => {
    const log = createMemoryLog({ partitions: PARTITIONS })
    await appendSteps(log, canonical)
    const viewOfCanonical = await viewOf(log)
    expect([...view.flagsSince(0)]).toEqual([...viewOfCanonical.flagsSince(0)])
    expect([...viewOfCanonical.migrationsSince(0)].map(({ id }) => id).sort()).toEqual(migrationsOf(canonical))
    expect([...view.migrationsSince(0)]).toEqual([...viewOfCanonical.migrationsSince(0)])
    const expected = findingsOf(canonical)
    for (const id of findingsOf(steps)) expect([id, view.retracted(id)?.findingId]).toEqual([id, expected.has(id) ? undefined : id])
    const orphaned = [...findingsOf(steps)].filter((id) => !expected.has(id))
    expect(Array.from(view.retractedFlags(), ({ findingId }) => findingId).sort()).toEqual(orphaned.sort())
    await viewOfCanonical.stop()
  }
  test('of a view that follows partitions at different paces equal those of a view of the canonical branch', async () => {
    const log = createMemoryLog({ partitions: PARTITIONS })
    const view = await viewOf(log)
    const queues = [...recordsOf(steps, PARTITIONS).values()].map((records) => [...records])
    while (queues.some(({ length }) => length > 0)) {
      await append(log, queues[int(queues.length)]?.splice(0, 1 + int(9)) ?? [])
      if (random() < 0.3) await view.caughtUp()
    }
    await view.caughtUp()
    await expectCanonical(view)
    expect(view.status().counters.flags).toBe(steps.filter(({ type }) => type === 'frame').length)
    await view.stop()
  })
  test('of a view that starts after all forks are the same', async () => {
    const log = createMemoryLog({ partitions: PARTITIONS })
    await appendSteps(log, steps)
    const view = await viewOf(log)
    await expectCanonical(view)
    await view.stop()
  })
})

describe('rows', () => {
  const state = stateTypeOf(readSchema('mint-state'))
  const put = (log: Log, rows: MintState | null): Promise<void> => {
    const value = rows === null ? null : state.encode(rows as unknown as Record<string, unknown>)
    return append(log, [{ topic: TOPICS.mintChangelog, partition: 0, key: pageKey(key(1), 0), value }])
  }
  test('list a launch at its current position: the first, another one after a fork, the first again, and none once retracted', async () => {
    const log = createMemoryLog({ partitions: 1 })
    const view = await viewOf(log)
    const launchedAt = async (): Promise<number[]> => {
      await view.caughtUp()
      return [...view.launchesSince(0)].map(({ state: { launch } }) => launch?.at ?? -1)
    }
    const [first, second] = [
      liveState({ launch: launchRow({ number: 5, at: 100 }) }),
      liveState({ launch: launchRow({ number: 6, at: 90 }) }),
    ]
    await put(log, first)
    await put(log, { ...first, flows: [] })
    expect(await launchedAt()).toEqual([100])
    await put(log, second)
    expect(await launchedAt()).toEqual([90])
    expect([...view.launchesSince(95)]).toEqual([])
    await put(log, first)
    expect([await launchedAt(), [...view.launchesSince(95)].length]).toEqual([[100], 1])
    await put(log, liveState({ launch: null }))
    expect(await launchedAt()).toEqual([])
    await put(log, first)
    await put(log, null)
    expect([await launchedAt(), view.get(key(1))]).toEqual([[], undefined])
    await view.stop()
  })
})

describe('progress', () => {
  const appendProgress = (log: Log, partition: number, changes: Partial<Progress>): Promise<void> => {
    const none = { gapFrom: null, gapTo: null, confirmed: null, finalized: null, forks: 0 }
    const value = { task: `mint-${partition}`, chain: 'solana' as const, number: 9, hash8: 'h', time: 9, ...none, ...changes }
    return append(log, [{ topic: TOPICS.progress, partition, key: Buffer.from(value.task), value: progressCodec.encode(value) }])
  }
  test('is the finality that all partitions have reached', async () => {
    const log = createMemoryLog({ partitions: 2 })
    const view = await viewOf(log)
    const finalityAfter = async (partition: number, changes: Partial<Progress>) => {
      await appendProgress(log, partition, changes)
      await view.caughtUp()
      return { ...view.finality(), forks: view.status().counters.forks }
    }
    expect(await finalityAfter(0, {})).toEqual({ forks: 0 })
    expect(await finalityAfter(1, { confirmed: 8, finalized: 5, forks: 1 })).toEqual({ confirmed: -1, finalized: -1, forks: 1 })
    expect(await finalityAfter(0, { confirmed: 7, finalized: 5 })).toEqual({ confirmed: 7, finalized: 5, forks: 1 })
    expect(await finalityAfter(0, { confirmed: 9, finalized: 6, forks: 1 })).toEqual({ confirmed: 8, finalized: 5, forks: 1 })
    await view.stop()
  })
})
