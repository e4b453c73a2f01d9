// Roles while the only broker is away. `npm run soak -- outage 15` has it away for 15 minutes.
import { describeOwnBroker, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { isOutlived, runOutage } from '../../soak/outage.ts'
import { describeEngine } from '../history-server-given.ts'

/** Failures are told after 2 s. */
const AWAY_S = 6

describeEngine('ClickHouse and', () => {
  describeOwnBroker('brokers that are away', () => {
    test(
      'are waited for by every role, which says so and stops when asked; back again, all is as if they had never left',
      async () => {
        const report = await runOutage(AWAY_S, (await sharedKafka()).registryUrl)
        process.stderr.write(`outage: ${JSON.stringify(report)}\n`)
        expect(isOutlived(report)).toBe(true)
      },
      START_MS_MAX + 600_000,
    )
  })
})
