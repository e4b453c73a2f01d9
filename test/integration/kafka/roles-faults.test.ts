// Roles on Kafka, their broker and their ClickHouse that are killed and paused at random times. `npm run soak -- cluster 300` has three
// brokers and more kinds of faults.
import { describeOwnBroker, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { isClusterWell, runCluster } from '../../soak/cluster.ts'
import { describeEngine } from '../history-server-given.ts'

/** Each kind at least once. */
const FAULTS = 10
const SEED = Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000)

describeEngine('ClickHouse and', () => {
  describeOwnBroker('roles that are killed and paused', () => {
    test(
      `${FAULTS} kills and pauses at random times leave log, stores, cards and history as a run without them, and no role gives up`,
      async () => {
        const { registryUrl } = await sharedKafka()
        const plan = {
          seed: SEED,
          killsAndPauses: FAULTS,
          brokers: 1,
          roles: ['process', 'process', 'process', 'serve', 'capture'],
          kinds: [
            'kill role',
            'pause role',
            'kill role',
            'pause broker',
            'kill role',
            'kill broker',
            'pause ClickHouse',
            'kill ClickHouse',
          ],
          sells: false,
          rate: 4,
          speed: 3,
          seconds: 20,
          gapMsMax: 500,
          lastsMsMin: 100,
          lastsMsMax: 4_000,
        } as const
        const report = await runCluster(plan, registryUrl, () => {})
        process.stderr.write(`kafka faults: ${JSON.stringify(report)}\n`)
        expect(report).toMatchObject({ killsAndPauses: FAULTS, differences: [], ended: [] })
        expect(isClusterWell(report)).toBe(true)
      },
      START_MS_MAX + 600_000,
    )
  })
})
