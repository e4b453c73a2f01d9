// A short run of `npm run soak -- aggregates`: forks, kills and late corrections leave every aggregate equal to its tables.
import { runAggregates } from '../soak/aggregates.ts'
import { RECOMPUTED } from '../tools/recomputed.ts'
import { describeEngine } from './history-server-given.ts'

describeEngine('aggregates of the history', () => {
  test('equal their tables after forks, kills of engine and sink, and corrections of any age', async () => {
    const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000)
    const report = await runAggregates({ seed, historyMinutes: 8, roundsMin: 2, seconds: 0 }, () => {})
    process.stderr.write(`aggregates: ${JSON.stringify(report)}\n`)
    expect(report).toMatchObject({ rounds: 2, differences: [] })
    expect(report.noticed).toBeGreaterThan(1)
    expect(Object.keys(report.compared)).toEqual(RECOMPUTED)
    for (const view of ['regime_minutes', 'wallet_positions', 'wallet_leaderboard', 'creator_stats', 'launch_minutes', 'frames'])
      expect(report.compared[view]).toBeGreaterThan(5)
  }, 600_000)
})
