// Changelogs that lost records, or show deleted ones again: a restore refuses the rows and names what is missing.
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { parsePageKey } from '../../../topology/engine/rows/state-type.ts'
import { TaskRunner } from '../../../topology/engine/runner.ts'
import { Task } from '../../../topology/engine/task.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { withOwners } from '../../../topology/logs/with-owners.ts'
import type { Log, LogRecord } from '../../../topology/ports/log.ts'
import { account, CHANGELOG, definition, frame, frameBytes, INPUT } from '../../fixtures/transfers.ts'
import { readAll } from '../../live.ts'
import { until } from '../../tools/until.ts'

const PEERS = 400
const [MANY, ONE] = [account(0), account(1)]
const { changelog: TASKS } = definition()
const LIMITS = { ...DEFAULT_LIMITS, commitEventsMax: 1, aheadEventsMax: 1, undoFramesMax: 20 }

const runnerOn = (log: Log) => new TaskRunner(log, new Task(definition(), 0, LIMITS), LIMITS)
const fold = async (log: Log): Promise<void> => {
  const runner = runnerOn(log)
  await runner.restore()
  const run = runner.run()
  await until(() => runner.isCaughtUp)
  runner.stop()
  await run
}
const append = async (log: Log, numbers: readonly number[]): Promise<void> => {
  const batches = numbers.map((n) => frame(n, [{ tx: 0, log: 0, account: n % 10 === 0 ? ONE : MANY, peer: `peer ${n}`, amount: 1 }], 5))
  const outputs = batches.map((batch) => ({ topic: INPUT, partition: 0, key: Buffer.from('k'), value: frameBytes(batch) }))
  await (await log.own('source')).commit({ outputs, inputs: new Map() })
}
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, n) => from + n)
/** A folded log: one account has many pages, another one. */
const folded = async (): Promise<Log> => {
  const log = createMemoryLog({ partitions: 1 })
  await append(log, numbers(0, PEERS))
  await fold(log)
  return log
}
/** The log without the records for which this holds. */
const without = (log: Log, isLost: (topic: string, record: LogRecord) => boolean): Log => ({
  ...withOwners(log, (id, isShared) => log.own(id, isShared)),
  read: async (topic, partition, offset, limits) =>
    (await log.read(topic, partition, offset, limits)).filter((record) => !isLost(topic.name, record)),
})
const isPage =
  (of: string, number: number) =>
  (topic: string, record: LogRecord): boolean => {
    const { key, page } = parsePageKey(record.key)
    return topic === CHANGELOG.name && key === of && page === number
  }
const pagesOf = async (log: Log, of: string): Promise<number> =>
  Math.max(...(await readAll(log, CHANGELOG, 0)).map(({ key }) => parsePageKey(key)).map(({ key, page }) => (key === of ? page + 1 : 0)))

describe('a restore', () => {
  test('refuses rows of which a page is missing, and names topic, partition, key and page', async () => {
    const log = await folded()
    expect(await pagesOf(log, MANY)).toBeGreaterThan(5)
    for (const page of [0, 1, 3]) {
      const facts = { topic: CHANGELOG.name, partition: 0, key: Buffer.from(MANY, 'latin1').toString('hex'), page }
      await expect(runnerOn(without(log, isPage(MANY, page))).restore()).rejects.toMatchObject({ code: 'rows_torn', facts })
    }
    await fold(log)
  })

  test.each([
    ['the last page of a row', (pages: number) => isPage(MANY, pages - 1), CHANGELOG.name],
    ['a whole row', () => isPage(ONE, 0), CHANGELOG.name],
    [
      'the position of the task',
      () =>
        (topic: string, { key }: LogRecord) =>
          topic === TASKS.name && isOwn(key),
      TASKS.name,
    ],
    [
      'an undo record',
      () =>
        (topic: string, { key }: LogRecord) =>
          topic === TASKS.name && isUndo(key, PEERS - 2),
      TASKS.name,
    ],
  ])('refuses a changelog that lost %s, and names how many records it has and had', async (_what, lost, topic) => {
    const log = await folded()
    const failure = await runnerOn(without(log, lost(await pagesOf(log, MANY))))
      .restore()
      .catch((thrown: unknown) => thrown)
    expect(failure).toMatchObject({ code: 'rows_torn', facts: { topic, partition: 0, page: -1 } })
    const { records, expected } = (failure as { facts: { records: number; expected: number } }).facts
    expect(records).toBe(expected - 1)
  })

  test('refuses a changelog that shows a deleted record again', async () => {
    const log = await folded()
    const before = (await readAll(log, CHANGELOG, 0)).find(({ key }) => parsePageKey(key).key === ONE)
    const deleted = frameBytes(frame(PEERS, [{ tx: 0, log: 0, account: ONE, peer: 'p', amount: 13 }], 5))
    const outputs = [{ topic: INPUT, partition: 0, key: Buffer.from('k'), value: deleted }]
    await (await log.own('source')).commit({ outputs, inputs: new Map() })
    await fold(log)
    const back: Log = {
      ...without(log, () => false),
      read: async (topic, partition, offset, limits) =>
        (await log.read(topic, partition, offset, limits)).map((record) =>
          topic.name === CHANGELOG.name && record.value === null ? { ...record, value: before?.value ?? null } : record,
        ),
    }
    await expect(runnerOn(back).restore()).rejects.toMatchObject({ code: 'rows_torn', facts: { topic: CHANGELOG.name, page: -1 } })
  })

  test('accepts rows after commits of a program that stores no counts, and counts again from there', async () => {
    const log = await folded()
    const owner = await log.own('transfers-0')
    const next = Number(owner.committed().get(`${INPUT.name}/0`)) + 1
    const row = { topic: CHANGELOG, partition: 0, key: Buffer.from(`${account(2)}\0\0`, 'latin1') }
    const [{ value }] = (await readAll(log, CHANGELOG, 0)).filter(({ key }) => parsePageKey(key).key === ONE) as [LogRecord]
    await append(log, [PEERS])
    await owner.commit({ outputs: [{ ...row, value }], inputs: new Map([[`${INPUT.name}/0`, next]]) })
    await append(log, numbers(PEERS + 1, PEERS + 20))
    await fold(log)
    await expect(runnerOn(without(log, isPage(ONE, 0))).restore()).rejects.toMatchObject({ code: 'rows_torn' })
  })
})

const isOwn = (key: Uint8Array): boolean => parsePageKey(key).key === 'transfers-0'
const isUndo = (key: Uint8Array, sequence: number): boolean => parsePageKey(key).key === `transfers-0/undo/${sequence}`
