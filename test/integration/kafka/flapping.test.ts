// Processes that join, leave, crash, hang and return, each once. `npm run soak -- flapping 10` does it for ten minutes, at twice the speed.
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { isFlappingWell, runFlapping } from '../../soak/flapping.ts'
import { describeEngine } from '../history-server-given.ts'

describeEngine('ClickHouse and', () => {
  describeKafka('processes that flap', () => {
    beforeAll(sharedKafka, START_MS_MAX)

    test('joins, leaves, crashes and hangs leave no partition unassigned, and the output equals that of one process', async () => {
      const seed = Number(process.env.FLAP_SEED ?? Date.now() % 1_000_000)
      const report = await runFlapping({ seconds: 0, speed: 2, seed }, await sharedKafka())
      process.stderr.write(`flapping: ${JSON.stringify(report)}\n`)
      expect(isFlappingWell(report)).toBe(true)
    }, 600_000)
  })
})
