// Long runs: `npm run soak -- kills [count] [seed]`. Prints a report as a JSON line; exit 1 when a promise was broken.
import { runKills } from './kill-run.ts'

const [what = 'kills', count = '100', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2)
if (what !== 'kills') {
  process.stderr.write(`unknown soak ${what}; there is: kills\n`)
  process.exit(2)
}
const report = await runKills(Number(count), Number(seed))
process.stdout.write(`${JSON.stringify(report)}\n`)
const isWhole =
  [report.broken, report.resentDiffer, report.differences].every((list) => list.length === 0) &&
  report.paidMicroUsdc === report.expectedMicroUsdc
process.exit(isWhole ? 0 : 1)
