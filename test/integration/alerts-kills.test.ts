// A small run of `npm run soak -- alerts`.
import { runAlerts } from '../soak/alerts.ts'

test('given kills of the process and failures of the receiver in the middle of deliveries, every crossing arrives, none after its term', async () => {
  const { crossings, repeated, ...report } = await runAlerts(12, 7)
  expect(report).toMatchObject({ lost: [], strange: [], late: [], taken: crossings })
  expect(crossings).toBeGreaterThan(30)
  expect(repeated).toBeGreaterThanOrEqual(0)
})
