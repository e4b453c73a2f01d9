// Kill -9 of a running demo, of its ClickHouse and of both, at random instants. `npm run soak -- kills-demo` does two hundred.
import { tryResolveLibchdb } from 'chdb/libchdb'
import { runDemoKills } from '../soak/demo-kills.ts'

const KILLS = 6
/** The child is found by /proc. */
const canRun = process.platform === 'linux' && tryResolveLibchdb() !== undefined
if (!canRun) process.stderr.write('SKIPPED: kills of the embedded ClickHouse need Linux and a build of it\n')

const testKills = canRun ? test : test.skip

testKills(
  `${KILLS} kills at random instants leave log, stores, truth and history as a run never killed`,
  async () => {
    const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000)
    const report = await runDemoKills(KILLS, seed, () => {})
    process.stderr.write(`kills: ${JSON.stringify(report)}\n`)
    expect(report).toMatchObject({ differences: [], exitCode: 0 })
    expect(report.rows.trades_log).toBeGreaterThan(100)
    expect(report.rows.flags_log).toBeGreaterThan(0)
  },
  180_000,
)
