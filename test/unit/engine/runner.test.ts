// A task's runner: folding, commits and their retries, fencing, stops and hanging logs.
import { EngineError } from '../../../schemas/errors.ts'
import { DEFAULT_LIMITS, type EngineLimits } from '../../../topology/engine/limits.ts'
import { TaskRunner } from '../../../topology/engine/runner.ts'
import { Task } from '../../../topology/engine/task.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { withOwners } from '../../../topology/logs/with-owners.ts'
import type { Commit, Log } from '../../../topology/ports/log.ts'
import { account, type Batch, definition, frame, frameBytes, INPUT, OUTPUT, processor } from '../../fixtures/transfers.ts'

const LIMITS: EngineLimits = { ...DEFAULT_LIMITS, commitIntervalMs: 5, commitRetryMs: 2, commitRetriesMax: 3 }
const frames = (from: number, count: number): Batch[] =>
  Array.from({ length: count }, (_, i) => frame(from + i, [{ tx: 0, log: 0, account: account(i % 3), peer: 'p', amount: 1 }]))
const append = async (log: Log, batches: readonly Batch[]): Promise<void> => {
  const outputs = batches.map((batch) => ({ topic: INPUT, partition: 0, key: Buffer.from('k'), value: frameBytes(batch) }))
  await (await log.own('source')).commit({ outputs, inputs: new Map() })
}
const runnerOn = (log: Log, limits = LIMITS) => new TaskRunner(log, new Task(definition(), 0, limits), limits)
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2))
}

/** The first commits of the task fail, one with each of `failures`; no partial write is simulated. `commits` receives the others. */
const failing = (inner: Log, failures: Error[], commits: Commit[] = []): Log =>
  withOwners(inner, async (id) => {
    const owner = await inner.own(id)
    return {
      ...owner,
      commit: async (commit) => {
        const failure = id === 'transfers-0' && commit.inputs.size > 0 ? failures.shift() : undefined
        if (failure !== undefined) throw failure
        commits.push(commit)
        await owner.commit(commit)
      },
    }
  })

describe('a runner', () => {
  test('folds existing and new records, commits offsets with outputs, and ends with a commit', async () => {
    const log = createMemoryLog({ partitions: 1 })
    await append(log, frames(0, 5))
    const runner = runnerOn(log)
    await runner.restore()
    const run = runner.run()
    await until(() => runner.isCaughtUp)
    await append(log, frames(5, 4))
    await until(() => runner.isCaughtUp)
    runner.stop()
    await run
    expect((await log.own('transfers-0')).committed().get('test.input/0')).toBe(9)
    expect(log.end(OUTPUT, 0)).toBe(2)
  })

  test('while far behind commits seldom, at the latest after `catchUpEventsMax` events; near the end of its input at once', async () => {
    const commitsOf = async (backlogRecordsMax: number, catchUpEventsMax = 40_000, catchUpRecordMs = 60_000): Promise<number> => {
      const commits: Commit[] = []
      const log = failing(createMemoryLog({ partitions: 1 }), [], commits)
      await append(log, frames(0, 4_000))
      const paces = { commitIntervalMs: 0, promptIntervalMs: 0, catchUpIntervalMs: 60_000, catchUpRecordMs }
      // Every frame yields: how many commits fit between frames does not depend on the machine's speed.
      const limits = { ...LIMITS, ...paces, backlogRecordsMax, catchUpEventsMax, sliceMs: 0 }
      const runner = runnerOn(log, limits)
      await runner.restore()
      const run = runner.run()
      await until(() => runner.isCaughtUp)
      runner.stop()
      await run
      return commits.filter(({ inputs }) => inputs.has('test.input/0')).length
    }
    expect(await commitsOf(1)).toBeLessThan(5)
    expect(await commitsOf(1, 20)).toBeGreaterThan(5)
    // A small backlog does not make commits seldom.
    expect(await commitsOf(1, 40_000, 0)).toBeGreaterThan(5)
    expect(await commitsOf(1_000)).toBeGreaterThan(5)
  })

  test('retries the same commit while the disk is full, and loses nothing', async () => {
    const full = new EngineError('log_full', 'full', { retriable: true })
    const log = failing(createMemoryLog({ partitions: 1 }), [full, full])
    await append(log, frames(0, 9))
    const runner = runnerOn(log)
    await runner.restore()
    const run = runner.run()
    await until(() => runner.isCaughtUp)
    runner.stop()
    await run
    expect(log.end(OUTPUT, 0)).toBe(3)
  })

  test('ends with the failure if the disk is still full after `commitRetriesMax` retries', async () => {
    const full = () => new EngineError('log_full', 'full', { retriable: true })
    const commits: Commit[] = []
    const log = failing(createMemoryLog({ partitions: 1 }), [full(), full(), full(), full()], commits)
    await append(log, frames(0, 3))
    const runner = runnerOn(log)
    await runner.restore()
    await expect(runner.run()).rejects.toMatchObject({ code: 'log_full' })
    expect(commits.filter(({ inputs }) => inputs.has('test.input/0'))).toHaveLength(0)
  })

  test('ends at its next commit when fenced, without a retry', async () => {
    const log = createMemoryLog({ partitions: 1 })
    const runner = runnerOn(log)
    await runner.restore()
    const run = runner.run()
    await log.own('transfers-0')
    await append(log, frames(0, 3))
    await expect(run).rejects.toMatchObject({ code: 'fenced', retriable: false })
    expect(log.end(OUTPUT, 0)).toBe(0)
  })

  test('is fenced before it folds if taken over during its restore', async () => {
    const log = createMemoryLog({ partitions: 1 })
    const overtaken = withOwners(log, async (id) => {
      const owner = await log.own(id)
      await log.own(id)
      return owner
    })
    await expect(runnerOn(overtaken).restore()).rejects.toMatchObject({ code: 'fenced' })
  })

  test('stopped during a restore ends between two reads, before the task begins, and neither runs nor commits', async () => {
    const inner = createMemoryLog({ partitions: 1 })
    await append(inner, frames(0, 30))
    const first = runnerOn(inner)
    await first.restore()
    const firstRun = first.run()
    await until(() => first.isCaughtUp)
    first.stop()
    await firstRun
    let reads = 0
    const commits: Commit[] = []
    const log: Log = {
      ...failing(inner, [], commits),
      read: (...where) => {
        reads++
        if (reads === 2) runner.stop()
        return inner.read(...where)
      },
    }
    const runner: ReturnType<typeof runnerOn> = runnerOn(log, { ...LIMITS, readRecordsMax: 1 })
    await runner.restore()
    expect([reads, runner.progress]).toEqual([2, 3])
    await runner.run()
    expect([reads, commits, runner.isCaughtUp]).toEqual([2, [], false])
    expect((await inner.own('transfers-0')).committed().get('test.input/0')).toBe(30)
  })

  test("stopped during a restore ends even while waiting for another owner's transaction", async () => {
    const log = createMemoryLog({ partitions: 1 })
    await append(log, frames(1, 3))
    const waiting: Log = { ...withOwners(log, (id) => log.own(id)), decidedEnd: () => new Promise(() => {}) }
    const runner = runnerOn(waiting)
    const restored = runner.restore()
    await until(() => runner.progress > 1)
    runner.stop()
    await restored
    await runner.run()
    expect(log.end(OUTPUT, 0)).toBe(0)
  })
  test('ends if a processor throws, and commits nothing after it', async () => {
    const log = createMemoryLog({ partitions: 1 })
    await append(log, frames(0, 3))
    const task = new Task(definition({ ...processor, apply: () => fail() }), 0, LIMITS)
    const runner = new TaskRunner(log, task, LIMITS)
    await runner.restore()
    await expect(runner.run()).rejects.toThrow('broken invariant')
    expect((await log.own('transfers-0')).committed().size).toBe(0)
  })

  test('that misses a notification of its input ends with an error that names the task; without input it stays idle', async () => {
    const inner = createMemoryLog({ partitions: 1 })
    const log: Log = { ...withOwners(inner, (id) => inner.own(id)), onCommit: () => () => {} }
    const runner = runnerOn(log, { ...LIMITS, asleepMsMax: 100 })
    await runner.restore()
    const run = runner.run()
    run.catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(runner.isCaughtUp).toBe(true)
    await append(inner, frames(0, 1))
    await expect(run).rejects.toMatchObject({ code: 'task_asleep', retriable: false, facts: { task: 'transfers-0' } })
  })

  test('counts steps while busy, reports none at the end of its input, and no progress in a hanging read', async () => {
    const inner = createMemoryLog({ partitions: 1 })
    await append(inner, frames(0, 3))
    let isHung = false
    const read: Log['read'] = (...what) => (isHung ? new Promise(() => {}) : inner.read(...what))
    const runner = runnerOn({ ...withOwners(inner, (id) => inner.own(id)), read })
    await runner.restore()
    const before = runner.steps
    runner.run().catch(() => {})
    await until(() => runner.isCaughtUp)
    expect([before, runner.steps]).toEqual([expect.any(Number), null])
    isHung = true
    await append(inner, frames(3, 3))
    await until(() => runner.steps !== null)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const hung = runner.steps
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect([hung, runner.steps]).toEqual([expect.any(Number), hung])
  })

  test('folds ahead of a hanging commit only up to its limit', async () => {
    const inner = createMemoryLog({ partitions: 1 })
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const log = withOwners(inner, async (id) => {
      const owner = await inner.own(id)
      if (id === 'source') return owner
      return {
        ...owner,
        commit: (commit) => (commit.inputs.size === 0 ? owner.commit(commit) : held.then(() => owner.commit(commit))),
      }
    })
    await append(log, frames(0, 200))
    const limits = { ...LIMITS, commitIntervalMs: 0, aheadEventsMax: 10 }
    const task = new Task(definition(), 0, limits)
    const runner = new TaskRunner(log, task, limits)
    await runner.restore()
    const run = runner.run()
    await new Promise((resolve) => setTimeout(resolve, 40))
    expect(task.pendingEvents).toBeLessThanOrEqual(10)
    release()
    await until(() => runner.isCaughtUp)
    runner.stop()
    await run
    expect((await inner.own('transfers-0')).committed().get('test.input/0')).toBe(200)
  })
})

const fail = (): never => {
  throw new Error('broken invariant')
}
