// Roles while the only broker is down. `npm run soak -- outage 15` stops it for 15 minutes.
import { describeOwnBroker, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { isOutlived, runOutage } from '../../soak/outage.ts'
import { describeEngine } from '../history-server-given.ts'

/** Failures are reported after 2 s. */
const AWAY_S = 6

describeEngine('ClickHouse and', () => {
  describeOwnBroker('brokers that are down', () => {
    test(
      'every role waits for them, reports it and can be stopped; afterwards all is as without an outage',
      async () => {
        const report = await runOutage(AWAY_S, (await sharedKafka()).registryUrl)
        process.stderr.write(`outage: ${JSON.stringify(report)}\n`)
        expect(isOutlived(report)).toBe(true)
      },
      START_MS_MAX + 600_000,
    )
  })
})
