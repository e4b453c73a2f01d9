// Kills a writer at random times, and continues from the log each time: whole commits only, none lost, none duplicated.
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import { kafkaOptions } from '../../contract/kafka-given.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { checkOwner, fenceBoth, startWriter } from './kill-given.ts'

const KILLS = 5
const SEED = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000)

describeKafka('processes that are killed', () => {
  beforeAll(sharedKafka, START_MS_MAX)

  test.each([
    ['with transactions of their own', false],
    ['that share transactions', true],
  ])(`owners %s: ${KILLS} kills at random times (seed ${SEED})`, async (_how, isShared) => {
    const options = await kafkaOptions()
    let before = [0, 0]
    for (let kill = 0; kill < KILLS; kill++) {
      const writer = startWriter(options, SEED + kill, isShared)
      await writer.isOpen
      await new Promise((resolve) => setTimeout(resolve, ((SEED * 7_919 + kill * 104_729) % 2_500) / 10 + 200))
      writer.child.kill('SIGKILL')
      await writer.exited
      const log = await openKafkaLog(options)
      await fenceBoth(log)
      const after = [
        await checkOwner(log, 'a', 0, writer.printed.get('a') ?? before[0] ?? 0),
        await checkOwner(log, 'b', 1, writer.printed.get('b') ?? before[1] ?? 0),
      ]
      await log.close()
      before = after
    }
    expect(Math.min(...before)).toBeGreaterThan(0)
  })
})
