// A standby that takes over continues from the rows it followed, and leaves the log that an undisturbed run leaves.
import { ChangelogReads } from '../../topology/engine/changelog/changelog-reads.ts'
import { Standby } from '../../topology/engine/changelog/standby.ts'
import { DEFAULT_LIMITS, type EngineLimits } from '../../topology/engine/limits.ts'
import { TaskRunner } from '../../topology/engine/runner.ts'
import { Task } from '../../topology/engine/task.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { withOwners } from '../../topology/logs/with-owners.ts'
import type { Log } from '../../topology/ports/log.ts'
import { account, CHANGELOG, definition, frame, frameBytes, INPUT, OUTPUT } from '../fixtures/transfers.ts'
import { readAll } from '../live.ts'
import { until } from '../tools/until.ts'

const FRAMES = 12
const LIMITS: EngineLimits = { ...DEFAULT_LIMITS, commitEventsMax: 1, aheadEventsMax: 1, commitIntervalMs: 0, promptIntervalMs: 0 }
const READ = { recordsMax: 3, bytesMax: 1_000_000 }

const givenLog = (): Log => createMemoryLog({ partitions: 1 })

const append = async (log: Log, from: number, to: number): Promise<void> => {
  const frames = Array.from({ length: to - from }, (_, n) =>
    frame(from + n, [{ tx: 0, log: 0, account: account((from + n) % 3), peer: 'p', amount: 1 }]),
  )
  const outputs = frames.map((one) => ({ topic: INPUT, partition: 0, key: Buffer.from('k'), value: frameBytes(one) }))
  await (await log.own('source')).commit({ outputs, inputs: new Map() })
}

/** Folds to the end of the input, then stops. */
const foldAll = async (runner: TaskRunner<never, never>): Promise<void> => {
  const running = runner.run()
  await until(async () => runner.isCaughtUp)
  runner.stop()
  await running
}
const runOwner = async (log: Log): Promise<void> => {
  const runner = new TaskRunner(log, new Task(definition(), 0, LIMITS), LIMITS)
  await runner.restore()
  await foldAll(runner as unknown as TaskRunner<never, never>)
}

/** A log that counts the changelog records it returns, and may report a floor of tombstones. */
const watched = (inner: Log) => {
  const seen = { records: 0, floor: 0 }
  const log: Log = {
    ...withOwners(inner, (id) => inner.own(id)),
    tombstoneFloor: () => seen.floor,
    read: async (topic, partition, offset, limits) => {
      const records = await inner.read(topic, partition, offset, limits)
      if (topic.name === CHANGELOG.name) seen.records += records.length
      return records
    },
  }
  return { log, seen }
}

const givenStandby = (inner: Log) => {
  const { log, seen } = watched(inner)
  const task = new Task(definition(), 0, LIMITS)
  const reads = new ChangelogReads(log, task, READ)
  const standby = new Standby(log, task, reads)
  const end = new AbortController()
  const runner = new TaskRunner(log, task, LIMITS)
  return { seen, task, standby, reads, end, runner, following: standby.follow(end.signal) }
}

const leftOn = async (log: Log) => {
  const texts = async (topic: typeof OUTPUT): Promise<string[]> =>
    (await readAll(log, topic)).map(({ key, value }) => `${hex(key)} ${value === null ? 'none' : hex(value)}`)
  const rows = new Map((await readAll(log, CHANGELOG)).map(({ key, value }) => [hex(key), value === null ? 'none' : hex(value)]))
  return { outputs: await texts(OUTPUT), rows, inputs: (await log.own('transfers-0')).committed() }
}
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

describe('a standby', () => {
  test.each([0, 1, 5, FRAMES])('takes over after %i frames and leaves what an undisturbed run leaves', async (frames) => {
    const undisturbed = givenLog()
    await append(undisturbed, 0, FRAMES)
    await runOwner(undisturbed)
    const log = givenLog()
    const { standby, end, following, reads, runner } = givenStandby(log)
    await append(log, 0, frames)
    await runOwner(log)
    await until(async () => standby.isWarm && reads.isComplete)
    await append(log, frames, FRAMES)
    end.abort()
    await following
    await runner.restore(reads)
    await foldAll(runner as unknown as TaskRunner<never, never>)
    expect(await leftOn(log)).toEqual(await leftOn(undisturbed))
  })
  test('reads at the takeover only what was committed since its last round', async () => {
    const log = givenLog()
    await append(log, 0, FRAMES)
    await runOwner(log)
    const { seen, end, following, reads, runner } = givenStandby(log)
    await until(async () => reads.isComplete)
    end.abort()
    await following
    expect(seen.records).toBeGreaterThan(0)
    seen.records = 0
    await runner.restore(reads)
    expect(seen.records).toBe(0)
    runner.stop()
    await runner.run()
  })
  test('is not used once deletions may be gone that it has not read', async () => {
    const log = givenLog()
    await append(log, 0, 3)
    await runOwner(log)
    const { seen, end, following, reads, runner } = givenStandby(log)
    await until(async () => reads.isComplete)
    end.abort()
    await following
    seen.floor = Number.MAX_SAFE_INTEGER
    await expect(runner.restore(reads)).rejects.toMatchObject({ code: 'standby_outdated' })
  })
  test('is not used after it has read a part of a copy of the changelog', async () => {
    const inner = givenLog()
    const { log } = watched(inner)
    async function* batches() {
      yield [{ offset: 0, key: Buffer.from('a\0\0'), value: Buffer.alloc(0) }]
    }
    const task = new Task(definition(), 0, LIMITS)
    const reads = new ChangelogReads({ ...log, beginning: async () => ({ next: 5, batches }) }, task, READ)
    await reads.upTo(CHANGELOG, 5, () => false)
    await expect(reads.upTo(CHANGELOG, 5, () => true)).rejects.toMatchObject({ code: 'standby_outdated' })
  })
})
