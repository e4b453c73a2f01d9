// Roles and a broker that pause at random times. `npm run soak -- kafka-pauses 10` does more of it.
import { describeOwnBroker, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { isPausedWell, runKafkaPauses } from '../../soak/kafka-pauses.ts'
import { describeEngine } from '../history-server-given.ts'

/** Of the market. */
const MINUTES = 5

describeEngine('ClickHouse and', () => {
  describeOwnBroker('roles that pause', () => {
    test(
      'a broker and roles that pause for up to 12 s leave log, stores, cards and history as a run without a pause, and no role gives up',
      async () => {
        const seed = Number(process.env.PAUSE_SEED ?? Date.now() % 1_000_000)
        const report = await runKafkaPauses(MINUTES, seed, (await sharedKafka()).registryUrl)
        process.stderr.write(`kafka pauses: ${JSON.stringify(report)}\n`)
        expect(isPausedWell(report)).toBe(true)
      },
      START_MS_MAX + 600_000,
    )
  })
})
