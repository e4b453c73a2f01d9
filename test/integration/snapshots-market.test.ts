// Tasks and views that are restored from snapshots equal those restored from the log, over a forking market.
import { toBase58 } from '../../schemas/keys.ts'
import { ChangelogReads } from '../../topology/engine/changelog/changelog-reads.ts'
import { restoreRows } from '../../topology/engine/changelog/restore.ts'
import { DEFAULT_LIMITS, type EngineLimits } from '../../topology/engine/limits.ts'
import { Task } from '../../topology/engine/task.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { CoinBook } from '../../topology/simulator/solana/bytes/coins.ts'
import { ForkFrames } from '../../topology/simulator/solana/forks/fork-frames.ts'
import { forkSteps } from '../../topology/simulator/solana/forks/forks.ts'
import { Market } from '../../topology/simulator/solana/market.ts'
import type { DemoSlot } from '../../topology/simulator/solana/market-types.ts'
import { SnapshotKeeper } from '../../topology/snapshots/keeper.ts'
import { createMemoryStore } from '../../topology/snapshots/memory-store.ts'
import { withSnapshots } from '../../topology/snapshots/with-snapshots.ts'
import { topicsOf } from '../../topology/topology.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { appendRaw, foldToEnd } from '../live.ts'

const START_MS = Date.UTC(2026, 9, 15, 12)
const SECONDS = 40
const PARTITIONS = 2
/** Generous: the frames are the chain's real bytes, and the machine may be busy. */
const TIMEOUT_MS = 120_000

const bodies = ((): ReturnType<ForkFrames['bodyOf']>[] => {
  const market: DemoSlot[] = []
  for (const slot of new Market({ seed: 4, startMs: START_MS, rate: 6 })) {
    if (slot.timeMs >= START_MS + SECONDS * 1_000) break
    market.push(slot)
  }
  const frames = new ForkFrames(new CoinBook())
  return [...forkSteps(market, { seed: 4, perHour: 1_200, fromMs: START_MS })].map((step) => frames.bodyOf(step))
})()

/** All rows of a task as restored from this log, by store and key. */
const restored = async (log: Log, partition: number): Promise<string[]> => {
  const task = new Task(LAUNCH_RISK.folds(PARTITIONS), partition, DEFAULT_LIMITS)
  const owner = await log.own(task.id)
  const offsets = await restoreRows({
    ...{ log, task, owner, reads: new ChangelogReads(log, task, { recordsMax: 500, bytesMax: 1_000_000 }) },
    isStopping: () => false,
    progress: () => {},
    commit: (commit) => owner.commit(commit),
  })
  if (offsets === undefined) throw new Error('the restore was not stopped')
  task.begin(offsets)
  const names = ['', ...task.definition.folds.map(({ processor }) => processor.name)]
  return names.flatMap((name) =>
    task
      .store(name)
      .snapshot()
      .map(({ key, value }) => `${name} ${key.toString('hex')} ${value?.toString('hex')}`)
      .sort(),
  )
}

/** Everything that a view shows, except offsets of records, which a tombstone of a later page may have been the newest of. */
const shown = async (log: Log) => {
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  const launches = [...view.launchesSince(0)]
  const keys = launches.flatMap(({ state: { launch } }) => (launch === null ? [] : [launch.creator, launch.user]))
  const found = {
    status: view.status(),
    finality: view.finality(),
    flags: [...view.flagsSince(0)],
    launches: launches.map(({ mint, state }) => [toBase58(mint), state]),
    inOrder: [...view.launchesAfter({ chain: 'solana', number: 0, tx: 0, outer: 0, inner: 0 } as never)].map(({ mint }) => toBase58(mint)),
    creators: keys.map((key) => view.records.creator(key)?.state),
    wallets: keys.map((key) => view.records.wallet(key)?.state),
  }
  await view.stop()
  return found
}

test.each([
  [1, 5],
  [60, 9],
])(
  'restored from snapshots, tasks have the rows and undo, and the view the answers, of a restore from the log (commits of %i events, %i starts)',
  async (commitEventsMax, starts) => {
    const limits: EngineLimits = { ...DEFAULT_LIMITS, commitEventsMax, aheadEventsMax: commitEventsMax }
    const log = createMemoryLog({ partitions: PARTITIONS })
    const store = createMemoryStore()
    const refused: unknown[] = []
    const identities = new Map(topicsOf(LAUNCH_RISK).map(({ name }) => [name, `id of ${name}`]))
    const counted = { batches: 0 }
    for (let start = 0; start < starts; start++) {
      const keeper = new SnapshotKeeper({
        ...{ log, store, identities, notice: (...notice) => refused.push(notice) },
        limits: { tailOffsetsMin: 1, tailShareMin: 0, mergeBytesMax: 4_000 },
      })
      const snapped = withSnapshots(log, {
        beginning: async (topic, partition) => {
          const beginning = await keeper.beginning(topic, partition)
          if (beginning !== undefined) counted.batches++
          return beginning
        },
      })
      const [from, to] = [start, start + 1].map((n) => Math.floor((bodies.length * n) / starts)) as [number, number]
      await appendRaw(log, bodies.slice(from, to), from + 1)
      await foldToEnd(snapped, limits)
      expect(await shown(snapped)).toEqual(await shown(log))
      for (let partition = 0; partition < PARTITIONS; partition++)
        expect(await restored(snapped, partition)).toEqual(await restored(log, partition))
      await keeper.round()
    }
    expect(refused).toEqual([])
    expect(counted.batches).toBeGreaterThan(20)
    expect((await shown(log)).launches.length).toBeGreaterThan(10)
  },
  TIMEOUT_MS,
)
