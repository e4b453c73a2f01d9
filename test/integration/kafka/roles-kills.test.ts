// `kill -9` of roles on Kafka at random times. `npm run soak -- kafka-kills 60` does more of them.
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { runKafkaKills } from '../../soak/kafka-kills.ts'
import { describeEngine } from '../history-server-given.ts'

const KILLS = 5

describeEngine('ClickHouse and', () => {
  describeKafka('roles that are killed', () => {
    beforeAll(sharedKafka, START_MS_MAX)

    test(`${KILLS} kills at random times leave log, stores, cards and history as a run without kills`, async () => {
      const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000)
      const report = await runKafkaKills(KILLS, seed, await sharedKafka())
      process.stderr.write(`kafka kills: ${JSON.stringify(report)}\n`)
      expect(report.differences).toEqual([])
      expect(report.exitCodes.every((code) => code === 0)).toBe(true)
    }, 720_000)
  })
})
