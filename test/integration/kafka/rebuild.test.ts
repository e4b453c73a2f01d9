// Stores of another version on Kafka: rebuilt as in the embedded log, and a redrive that another process requests.
import { tmpdir } from 'node:os'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import type { KafkaLog } from '../../../topology/logs/kafka/kafka.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { startFolds } from '../../../topology/runtime/runtime.ts'
import { topicsOf } from '../../../topology/topology.ts'
import { memoryStaging } from '../../../topology/versions/rebuild/staging-stores.ts'
import { Stores } from '../../../topology/versions/stores.ts'
import { kafkaOptions } from '../../contract/kafka-given.ts'
import { contentsOf, foldAll, marketBodies, QUICK, wiringOf } from '../../fixtures/rebuild-market.ts'
import { rebuildIn } from '../../fixtures/rebuild-workers.ts'
import { appendRaw } from '../../live.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'

const bodies = marketBodies(32, 9)
const cut = bodies.findIndex(({ type }, i) => i > bodies.length * 0.75 && type === 'revert')

describeKafka('a rebuild on Kafka', () => {
  let log: KafkaLog
  beforeAll(sharedKafka, START_MS_MAX)
  afterEach(() => log.close())

  test.each([1, 2])(
    'in %i threads leaves what a clean run of the new versions leaves, continues like it, and runs when another process requests it',
    async (threads) => {
      log = await openKafkaLog(await kafkaOptions({ topics: topicsOf(LAUNCH_RISK), partitions: 2 }))
      const clean = createMemoryLog({ partitions: 2 })
      await appendRaw(log, bodies.slice(0, cut), 1)
      await appendRaw(clean, bodies.slice(0, cut), 1)
      await foldAll(log, wiringOf(1))
      await foldAll(clean, wiringOf(2))
      const before = await contentsOf(log)
      const folds = await startFolds(log, [wiringOf(2)], QUICK, { rebuildThreads: rebuildIn(threads, tmpdir(), { decoder: 2 }) })
      await folds.caughtUp()
      const expected = await contentsOf(clean)
      expect(before.tape).not.toEqual(expected.tape)
      const rebuilt = await contentsOf(log)
      for (const name of Object.keys(expected)) expect([name, rebuilt[name]]).toEqual([name, expected[name]])

      const stop = new AbortController().signal
      const asking = new Stores({ log, topology: wiringOf(2), limits: QUICK, staging: memoryStaging(), stop, progress: () => {} })
      expect(await asking.redriven(await asking.request(), stop)).toMatchObject({ ok: true })
      await appendRaw(log, bodies.slice(cut), cut + 1)
      await appendRaw(clean, bodies.slice(cut), cut + 1)
      await folds.caughtUp()
      await folds.stop()
      await foldAll(clean, wiringOf(2))
      const [later, goneOn] = [await contentsOf(clean), await contentsOf(log)]
      for (const name of Object.keys(later)) expect([name, goneOn[name]]).toEqual([name, later[name]])
    },
  )
})
