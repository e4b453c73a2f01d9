// ClickHouse down for some seconds during a running demo. `npm run soak -- history-away 600` does ten minutes.
import { tryResolveLibchdb } from 'chdb/libchdb'
import { runHistoryAway } from '../soak/history-away.ts'

const AWAY_S = 5
/** Before the outage. */
const HISTORY_S = 120
const SPEED = 4
/** The child is found by /proc. */
const canRun = process.platform === 'linux' && tryResolveLibchdb() !== undefined
if (!canRun) process.stderr.write('SKIPPED: an outage of the embedded ClickHouse needs Linux and a build of it\n')

const testAway = canRun ? test : test.skip

testAway(
  'ClickHouse stopped, then killed and its port taken: the API answers all the time, and the history is whole in the end',
  async () => {
    const report = await runHistoryAway(AWAY_S, Number(process.env.TEST_SEED ?? Date.now() % 1_000_000), HISTORY_S, SPEED)
    expect(report).toMatchObject({ failed: 0, faults: [], answeredByClickHouse: 0, differences: [], exitCode: 0 })
    expect(report.asked).toBeGreaterThan(AWAY_S)
    expect(report.behindS).toBeGreaterThan(AWAY_S)
    expect(report.rows).toBeGreaterThan(1_000)
  },
  600_000,
)
