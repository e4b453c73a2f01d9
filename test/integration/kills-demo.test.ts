// `kill -9` of a running demo that forks, of its ClickHouse and of both, at random times. `npm run soak -- forks-kills` does more of them,
// `npm run soak -- kills-demo` two hundred without forks.
import { tryResolveLibchdb } from 'chdb/libchdb'
import { runDemoKills } from '../soak/demo-kills.ts'

/** One of each victim. */
const KILLS = 3
const HISTORY_S = 60
/** Per hour of stream time. */
const FORKS = 900
/** The test finds the ClickHouse process by /proc. */
const canRun = process.platform === 'linux' && tryResolveLibchdb() !== undefined
if (!canRun) process.stderr.write('SKIPPED: kills of the embedded ClickHouse need Linux and a build of it\n')

const testKills = canRun ? test : test.skip

testKills(
  `${KILLS} kills between forks leave log, stores, truth and history as a run without kills, and as one that saw the canonical branch alone`,
  async () => {
    const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000)
    const report = await runDemoKills(KILLS, seed, () => {}, { forks: FORKS, historyS: HISTORY_S, isMigrated: true })
    process.stderr.write(`kills: ${JSON.stringify(report)}\n`)
    expect(report).toMatchObject({ differences: [], notFound: [], exitCode: 0 })
    expect(report.forks).toBeGreaterThan(5)
    expect(report.rows.trades_log).toBeGreaterThan(30)
    expect(report.rows.flags_log).toBeGreaterThan(0)
  },
  600_000,
)
