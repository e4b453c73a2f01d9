// The epoch barrier across processes: what a task that dies during a commit costs the others.
import { Kafka, logLevel } from 'kafkajs'
import type { TapeHeader } from '../../../processors/tape.ts'
import { tapeRecordCodec } from '../../../schemas/codecs.ts'
import type { TapeEvent } from '../../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { TaskRunner } from '../../../topology/engine/runner.ts'
import { Task } from '../../../topology/engine/task.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import type { Log, OutRecord } from '../../../topology/ports/log.ts'
import { topicsOf } from '../../../topology/topology.ts'
import { kafkaOptions } from '../../contract/kafka-given.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { until } from '../../tools/until.ts'

const PARTITIONS = 3
const FIRST = LAUNCH_RISK.chain.framesPerEpoch * 250

const ticks = (from: number, to: number): OutRecord[] =>
  Array.from({ length: to - from + 1 }, (_, n) => FIRST + from + n).flatMap((number) => {
    const frame = { chain: 'solana' as const, number, hash8: `h${number}`, sequence: number, time: 1_700_000_000 + number, final: false }
    const counts = { gapFrom: null, gapTo: null, vouched: false, placed: true, launchpadTransactions: 0, launchpadFailed: 0 }
    const value = tapeRecordCodec.encode({ type: 'batch', ...frame, ...counts, events: [] })
    return Array.from({ length: PARTITIONS }, (_, partition) => ({
      topic: TOPICS.tape,
      partition,
      key: Buffer.from('solana'),
      value,
    }))
  })
const begun = async (log: Log, partition: number) => {
  const task = new Task(LAUNCH_RISK.folds(PARTITIONS), partition, DEFAULT_LIMITS)
  const runner: TaskRunner<TapeEvent, TapeHeader> = new TaskRunner(log, task, DEFAULT_LIMITS)
  await runner.restore()
  const run = runner.run()
  run.catch(() => {})
  return { runner, run }
}

describeKafka('the epoch barrier on Kafka', () => {
  const logs: Log[] = []
  beforeAll(sharedKafka, START_MS_MAX)
  afterEach(() => Promise.all(logs.splice(0).map((log) => log.close())))

  test('when a task died with its transaction open, the others exchange messages, restore, and continue once it has a new owner', async () => {
    const options = await kafkaOptions({ topics: topicsOf(LAUNCH_RISK), partitions: PARTITIONS })
    for (let n = 0; n < 3; n++) logs.push(await openKafkaLog(options))
    const [here, there, dying] = logs as [Log, Log, Log]
    const tape = await here.own('tape')
    await tape.commit({ outputs: ticks(1, 2), inputs: new Map() })
    const [first, third, second] = [await begun(here, 0), await begun(there, 2), await begun(dying, 1)]
    await until(() => [first, second, third].every(({ runner }) => runner.isCaughtUp), { seen: () => 'the first frames' })

    // As if the second task's process were killed after it sent records and before it ended their transaction.
    second.runner.stop()
    await second.run
    const kafka = new Kafka({ brokers: [...options.brokers], logLevel: logLevel.NOTHING })
    const transactionalId = `${options.prefix}${LAUNCH_RISK.folds(PARTITIONS).name}-1`
    const dead = kafka.producer({
      ...{ transactionalId, idempotent: true, maxInFlightRequests: 1, transactionTimeout: 60_000 },
      createPartitioner: () => () => 1,
    })
    await dead.connect()
    const transaction = await dead.transaction()
    await transaction.send({ topic: `${options.prefix}${TOPICS.exchange.name}`, messages: [{ value: 'x', partition: 1 }] })
    await tape.commit({ outputs: ticks(3, 12), inputs: new Map() })
    const waitFor = (runner: typeof first.runner): boolean => runner.waits.writers.join() === '1'
    await until(() => waitFor(first.runner) && waitFor(third.runner), { seen: () => 'the others hear each other' })
    first.runner.stop()
    await first.run
    const again = await begun(here, 0)
    await until(() => waitFor(again.runner), { seen: () => 'a restored task hears the others' })

    const successor = await begun(there, 1)
    await until(() => [again, third, successor].every(({ runner }) => runner.isCaughtUp), { seen: () => 'all go on' })
    await transaction.abort().catch(() => {})
    await dead.disconnect()
    for (const { runner } of [again, third, successor]) runner.stop()
    await Promise.all([again.run, third.run, successor.run])
  })
})
