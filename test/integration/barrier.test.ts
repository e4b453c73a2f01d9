// Tasks that wait for each other at the end of an epoch: what a stall, a restore or a lagging task costs the others.
import type { FrameHeader } from '../../processors/contract.ts'
import type { ExchangeDefinition } from '../../topology/engine/exchange/exchange.ts'
import { ExchangeReader } from '../../topology/engine/exchange/exchange-reader.ts'
import type { ExchangeRecord } from '../../topology/engine/exchange/exchange-record.ts'
import { DEFAULT_LIMITS, type EngineLimits } from '../../topology/engine/limits.ts'
import { TaskRunner } from '../../topology/engine/runner.ts'
import { Task } from '../../topology/engine/task.ts'
import { TimeSlice } from '../../topology/engine/time-slice.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { withOwners } from '../../topology/logs/with-owners.ts'
import type { Commit, Log } from '../../topology/ports/log.ts'
import { type Ask, definition, EXCHANGE, FRAMES_PER_EPOCH, INPUT } from '../fixtures/askers.ts'
import { until } from '../tools/until.ts'

const PARTITIONS = 3
const TIMEOUT_MS = 120_000
/** A task counts as far behind at once and does not commit by time: it commits soon only what another task waits for. */
const SELDOM: EngineLimits = {
  ...DEFAULT_LIMITS,
  ...{ commitIntervalMs: 600_000, catchUpIntervalMs: 600_000, catchUpRecordMs: 600_000, backlogRecordsMax: 0, promptIntervalMs: 1 },
}

type AskRunner = TaskRunner<Ask, FrameHeader>
const append = async (log: Log, from: number, to: number): Promise<void> => {
  const outputs = Array.from({ length: to - from + 1 }, (_, n) => from + n).flatMap((number) => {
    const header = { chain: 'alt', number, hash8: `h${number}`, sequence: number, time: 1, final: false }
    const value = Buffer.from(JSON.stringify({ type: 'frame', frame: { header, events: [] } }))
    return Array.from({ length: PARTITIONS }, (_, partition) => ({ topic: INPUT, partition, key: Buffer.from('k'), value }))
  })
  await (await log.own('source')).commit({ outputs, inputs: new Map() })
}
/** A runner that shares nothing but the log, as in a separate process. */
const runnerOf = (log: Log, partition: number, limits = SELDOM): AskRunner =>
  new TaskRunner(log, new Task(definition(PARTITIONS), partition, limits), limits)
const begun = async (runner: AskRunner) => {
  await runner.restore()
  return { runner, run: runner.run() }
}
const ended = async ({ runner, run }: { runner: AskRunner; run: Promise<void> }): Promise<void> => {
  runner.stop()
  await run
}
/** A log for a task whose commits hang while `hangs`; `commits` collects those that succeeded. */
const observed = (inner: Log, commits: Commit[], hangs: () => boolean = () => false): Log =>
  withOwners(inner, async (id) => {
    const owner = await inner.own(id)
    return {
      id,
      committed: () => owner.committed(),
      commit: async (commit) => {
        if (hangs() && commit.inputs.size > 0) await new Promise(() => {})
        await owner.commit(commit)
        commits.push(commit)
      },
      release: () => owner.release(),
    }
  })
const offsetOf = (commits: readonly Commit[], partition: number): number | undefined =>
  commits.at(-1)?.inputs.get(`${INPUT.name}/${partition}`)

test(
  'a waiting task commits what it has, names the tasks that it waits for, stops at once, and its new owner continues to wait',
  async () => {
    const [log, commits]: [Log, Commit[]] = [createMemoryLog({ partitions: PARTITIONS }), []]
    await append(log, 1, 12)
    const waiting = await begun(runnerOf(observed(log, commits), 0))
    await until(() => waiting.runner.waits.writers.length > 0 && offsetOf(commits, 0) === 6)
    expect(waiting.runner.waits.writers).toEqual([1, 2])
    await ended(waiting)
    const successor = await begun(runnerOf(log, 0))
    await until(() => successor.runner.waits.writers.length === 2)
    const others = [await begun(runnerOf(log, 1)), await begun(runnerOf(log, 2))]
    await until(() => [successor, ...others].every(({ runner }) => runner.isCaughtUp))
    await Promise.all([successor, ...others].map(ended))
  },
  TIMEOUT_MS,
)

test(
  'while a task stalls, the others report for how long; its new owner restores alone, and its first commit lets all continue',
  async () => {
    const log = createMemoryLog({ partitions: PARTITIONS })
    await append(log, 1, 400)
    let isFrozen = false
    const commits: Commit[] = []
    const others = [await begun(runnerOf(log, 0)), await begun(runnerOf(log, 2))]
    const frozen = await begun(
      runnerOf(
        observed(log, commits, () => isFrozen),
        1,
      ),
    )
    await until(() => (offsetOf(commits, 1) ?? 0) > 20)
    isFrozen = true
    await until(() => others.every(({ runner }) => runner.waits.writers.join() === '1' && runner.waits.ms > 0))
    const successor = await begun(runnerOf(log, 1))
    await until(() => [successor, ...others].every(({ runner }) => runner.isCaughtUp))
    expect(successor.runner.waits).toEqual({ writers: [], ms: 0 })
    frozen.runner.stop()
    await Promise.all([successor, ...others].map(ended))
  },
  TIMEOUT_MS,
)

describe('a task far behind', () => {
  /** Number of commits with epoch messages by a task that never has to wait. `areAllHere`: all tasks of the chain are in its process. */
  const whenFarBehind = async (areAllHere: boolean): Promise<number> => {
    const [log, commits]: [Log, Commit[]] = [createMemoryLog({ partitions: PARTITIONS }), []]
    await append(log, 1, 800)
    const reader = new ExchangeReader(log, definition(PARTITIONS).exchange as ExchangeDefinition, SELDOM)
    for (const partition of areAllHere ? [1, 2] : [1]) await reader.join(idle(partition), 0, () => false)
    let nowMs = 0
    const slice = new TimeSlice(SELDOM.sliceMs, () => nowMs++)
    const runner = new TaskRunner(observed(log, commits), new Task(definition(PARTITIONS), 0, SELDOM), SELDOM, slice, reader)
    await runner.restore()
    for (let closedBy = FRAMES_PER_EPOCH; closedBy <= 800; closedBy += FRAMES_PER_EPOCH)
      for (const writer of [1, 2]) runner.offer({ chain: 'alt', writer, epoch: closedBy / FRAMES_PER_EPOCH - 1, closedBy, facts: [] })
    const run = runner.run()
    await until(() => runner.isCaughtUp)
    await ended({ runner, run })
    return commits.filter(({ outputs }) => outputs.some(({ topic }) => topic === EXCHANGE)).length
  }
  const idle = (partition: number) => ({
    ...{ partition, oldestNeeded: 0, hasRoom: true, isWaiting: false },
    receive: (_: ExchangeRecord) => {},
    wake: () => {},
  })
  test('sends each epoch soon to tasks of other processes', async () => {
    expect(await whenFarBehind(false)).toBeGreaterThan(20)
  })
  test('commits seldom if all tasks of the chain are in its process', async () => {
    expect(await whenFarBehind(true)).toBeLessThan(5)
  })
})
