// One commit holds outputs, rows and offsets: a task killed at any commit and taken over leaves the same log as an undisturbed run.

import type { Topic } from '../../schemas/topics.ts'
import { DEFAULT_LIMITS, type EngineLimits } from '../../topology/engine/limits.ts'
import { TaskRunner } from '../../topology/engine/runner.ts'
import { Task } from '../../topology/engine/task.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { withOwners } from '../../topology/logs/with-owners.ts'
import type { Log } from '../../topology/ports/log.ts'
import { account, CHANGELOG, definition, frame, frameBytes, INPUT, OUTPUT } from '../fixtures/transfers.ts'
import { readAll } from '../live.ts'

const FRAMES = 9
const LIMITS: EngineLimits = { ...DEFAULT_LIMITS, commitEventsMax: 1, aheadEventsMax: 1, commitIntervalMs: 0, promptIntervalMs: 0 }
const KILLED = new Error('killed')

/** The log of a process that is killed at its n-th commit, right before or right after the commit takes effect. */
const killedAt = (inner: Log, n: number, when: 'before' | 'after'): Log => {
  let commits = 0
  return withOwners(inner, async (id) => {
    const owner = await inner.own(id)
    return {
      ...owner,
      commit: async (commit) => {
        commits += 1
        if (commits > n || (commits === n && when === 'before')) throw KILLED
        await owner.commit(commit)
        if (commits === n) throw KILLED
      },
    }
  })
}

const given = async (): Promise<Log> => {
  const log = createMemoryLog({ partitions: 1 })
  const frames = Array.from({ length: FRAMES }, (_, n) => frame(n, [{ tx: 0, log: 0, account: account(n % 2), peer: 'p', amount: 1 }]))
  const outputs = frames.map((one) => ({ topic: INPUT, partition: 0, key: Buffer.from('k'), value: frameBytes(one) }))
  await (await log.own('source')).commit({ outputs, inputs: new Map() })
  return log
}

/** Folds to the end of the input; false if the process is killed first. */
const run = async (log: Log): Promise<boolean> => {
  const runner = new TaskRunner(log, new Task(definition(), 0, LIMITS), LIMITS)
  try {
    await runner.restore()
    const running = runner.run()
    const ended = running.then(() => true)
    while (!runner.isCaughtUp && !(await Promise.race([ended, pause()])));
    runner.stop()
    return await ended
  } catch (failure) {
    if (failure === KILLED) return false
    throw failure
  }
}
const pause = (): Promise<false> => new Promise((resolve) => setImmediate(resolve, false))

/** Outputs of the task, and rows as the newest record of each page. */
const leftOn = async (log: Log) => {
  const texts = async (topic: Topic): Promise<[key: string, value: string][]> =>
    (await readAll(log, topic)).map(({ key, value }) => [hex(key), value === null ? 'none' : hex(value)])
  const rows = Object.fromEntries(await texts(CHANGELOG))
  return { outputs: await texts(OUTPUT), rows, inputs: Object.fromEntries((await log.own('transfers-0')).committed()) }
}
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

test.each(['before', 'after'] as const)(
  'a task killed %s any commit and taken over neither loses nor duplicates an output',
  async (when) => {
    const undisturbed = await given()
    await run(undisturbed)
    const expected = await leftOn(undisturbed)
    expect(expected.outputs.length).toBeGreaterThan(1)
    let [n, isKilled] = [0, true]
    while (isKilled) {
      n += 1
      const log = await given()
      isKilled = !(await run(killedAt(log, n, when)))
      await run(log)
      expect([n, await leftOn(log)]).toEqual([n, expected])
    }
    expect(n).toBeGreaterThan(FRAMES)
  },
)
