// Commits of tasks of one thread, by a clock that advances with each look.
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { TaskRunner } from '../../../topology/engine/runner.ts'
import { Task } from '../../../topology/engine/task.ts'
import { TimeSlice } from '../../../topology/engine/time-slice.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { withOwners } from '../../../topology/logs/with-owners.ts'
import type { Commit } from '../../../topology/ports/log.ts'
import { account, definition, frame, frameBytes, INPUT } from '../../fixtures/transfers.ts'
import { until } from '../../tools/until.ts'

test('a runner commits together with a task of its thread whose interval ends earlier, so that they share a transaction', async () => {
  const log = createMemoryLog({ partitions: 2 })
  const frames = Array.from({ length: 8_000 }, (_, n) => frame(n, [{ tx: 0, log: 0, account: account(n % 3), peer: 'p', amount: 1 }]))
  const outputs = frames.flatMap((batch) =>
    [0, 1].map((partition) => ({ topic: INPUT, partition, key: Buffer.from('k'), value: frameBytes(batch) })),
  )
  await (await log.own('source')).commit({ outputs, inputs: new Map() })
  let nowMs = 10_000
  const slice = new TimeSlice(2, () => {
    nowMs += 0.05
    return nowMs
  })
  const paces = { commitIntervalMs: 100, promptIntervalMs: 1_000, backlogRecordsMax: 1e9 }
  const limits = { ...DEFAULT_LIMITS, ...paces, commitEventsMax: 1e9, aheadEventsMax: 1e9 }
  const times: [number[], number[]] = [[], []]
  const started = async (partition: 0 | 1): Promise<void> => {
    const timed = withOwners(log, async (id) => {
      const owner = await log.own(id)
      const commit = (contents: Commit): Promise<void> => {
        times[partition].push(nowMs)
        return owner.commit(contents)
      }
      return { ...owner, commit }
    })
    const runner = new TaskRunner(timed, new Task(definition(), partition, limits), limits, slice)
    await runner.restore()
    const run = runner.run()
    await until(() => times[1].length >= 8)
    runner.stop()
    await run
  }
  const first = started(0)
  // Some 40 ms after a commit, so that the second would commit at other times if it did not join.
  await until(() => nowMs - (times[0].at(-1) ?? nowMs) > 40, { everyMs: 1 })
  await Promise.all([first, started(1)])
  // The first two of each precede its first interval.
  const [theirs, ours] = times.map((commits) => commits.slice(2, 7)) as [number[], number[]]
  for (const ms of ours) expect(Math.min(...times[0].map((other) => Math.abs(ms - other)))).toBeLessThan(10)
  for (const [n, ms] of theirs.slice(1).entries()) expect(ms - (theirs[n] as number)).toBeGreaterThan(90)
})
