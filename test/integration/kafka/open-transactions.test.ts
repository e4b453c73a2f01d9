// Restores of partitions in which another owner's transaction is open, on a real broker.

import { tapeRecordCodec } from '../../../schemas/codecs.ts'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { TaskRunner } from '../../../topology/engine/runner.ts'
import { Task } from '../../../topology/engine/task.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import type { Log, OutRecord } from '../../../topology/ports/log.ts'
import { topicsOf } from '../../../topology/topology.ts'
import { kafkaOptions, openTransaction } from '../../contract/kafka-given.ts'
import { EVENTS, out, ROWS, write } from '../../contract/log-topics.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { until } from '../../tools/until.ts'

/** An empty frame of the tape. */
const tick = (n: number): OutRecord => {
  const gap = { gapFrom: null, gapTo: null, vouched: false, placed: true }
  const frame = { number: 1_000 + n, hash8: `hash${n}`, sequence: n, time: 1_700_000_000 + n, final: false, ...gap }
  const value = tapeRecordCodec.encode({
    ...{ type: 'batch', chain: 'solana', launchpadTransactions: 0, launchpadFailed: 0, events: [] },
    ...frame,
  })
  return { topic: TOPICS.tape, partition: 0, key: Buffer.from('solana'), value }
}
const ticks = (from: number, to: number): OutRecord[] => Array.from({ length: to - from + 1 }, (_, i) => tick(from + i))

const foldsOn = (log: Log) => {
  const task = new Task(LAUNCH_RISK.folds(1), 0, DEFAULT_LIMITS)
  const cursor = (): unknown => {
    const store = task.store('')
    const aggregate = store.find('mint-0')
    const kind = store.type.byName.get('cursor')
    return aggregate && kind && store.read(aggregate, kind, undefined)?.sequence
  }
  return { runner: new TaskRunner(log, task, DEFAULT_LIMITS), cursor }
}

describeKafka('a transaction that another owner leaves open', () => {
  beforeAll(sharedKafka, START_MS_MAX)

  test('in the same changelog: a restored task has the rows of the commit whose offsets it has', async () => {
    const options = await kafkaOptions({ topics: topicsOf(LAUNCH_RISK), partitions: 1 })
    const [here, elsewhere] = [await openKafkaLog(options), await openKafkaLog(options)]
    const tape = await here.own('tape-writer')
    const first = foldsOn(here)
    await first.runner.restore()
    const run = first.runner.run()
    await tape.commit({ outputs: ticks(1, 10), inputs: new Map() })
    await until(() => first.cursor() === 10 && first.runner.isCaughtUp)
    const abort = await openTransaction(options, TOPICS.taskChangelog, 0)
    await tape.commit({ outputs: ticks(11, 20), inputs: new Map() })
    await until(() => first.cursor() === 20 && first.runner.isCaughtUp)
    const second = foldsOn(elsewhere)
    const restoring = second.runner.restore()
    await Promise.race([restoring, new Promise((resolve) => setTimeout(resolve, 1_000))])
    await abort()
    await restoring
    expect(second.cursor()).toBe(20)
    first.runner.stop()
    await run.catch(() => {})
    await Promise.all([here.close(), elsewhere.close()])
  })

  test('that does not end: the wait times out and names the transaction’s owner, the offset, and what to do', async () => {
    const options = await kafkaOptions({ limits: { decidedMsMax: 300, visibleMsMax: 200 } })
    const log = await openKafkaLog(options)
    const owner = await log.own('a')
    const abort = await openTransaction(options, ROWS, 1)
    await write(owner, [out(ROWS, 1, 'k', 'v'), out(EVENTS, 1, 'k', 'v')])
    const failure = await log.decidedEnd(ROWS, 1).catch((thrown: unknown) => thrown)
    const facts = { topic: `${options.prefix}contract.rows`, partition: 1, offset: 0, id: `${options.prefix}hangs` }
    expect(failure).toMatchObject({ code: 'transaction_open', retriable: false, facts })
    expect((failure as Error).message).toContain(`abort --topic ${facts.topic} --partition 1 --start-offset 0`)
    expect(await log.decidedEnd(EVENTS, 1)).toBe(1)
    await abort()
    expect(await log.decidedEnd(ROWS, 1)).toBe(2)
    await log.close()
  })
})
