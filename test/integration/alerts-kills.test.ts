// A small run of `npm run soak -- alerts`.
import { runAlerts } from '../soak/alerts.ts'

test('delivers every crossing, none after its term, through kills of the process and receiver failures during deliveries', async () => {
  const { crossings, repeated, ...report } = await runAlerts(12, 7)
  expect(report).toMatchObject({ lost: [], strange: [], late: [], taken: crossings })
  expect(crossings).toBeGreaterThan(30)
  expect(repeated).toBeGreaterThanOrEqual(0)
})
