// `kill -9` of the whole product at random times while a client is buying. `npm run soak -- kills` does a hundred.
import { runKills } from '../soak/kill-run.ts'

const KILLS = 6

test(`${KILLS} kills at random times leave log, stores, outputs and payments as a run without kills`, async () => {
  const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000)
  const report = await runKills(KILLS, seed)
  process.stderr.write(`kills: ${JSON.stringify(report)}\n`)
  expect(report).toMatchObject({ broken: [], resentDiffer: [], differences: [], exitCode: 0 })
  expect(report.paidMicroUsdc).toBe(report.expectedMicroUsdc)
  expect(report.answered).toBeGreaterThan(0)
})
