// A small run of `npm run soak -- alerts-fair`.
import { isFair, runAlertsFair } from '../soak/alerts-fair.ts'

test('dead and slow targets do not delay the alerts of an honest subscriber: its p99 stays below twice its p99 without them', async () => {
  const report = await runAlertsFair({ dead: 20, slow: 20, rounds: 1, flags: 60, everyMs: 80, seed: 7 })
  expect({ ...report, isFair: isFair(report) }).toMatchObject({ isFair: true, crowded: { alerts: 60 } })
  expect(report.requests.dead).toBeGreaterThan(0)
})
