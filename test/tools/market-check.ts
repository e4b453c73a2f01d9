// Prints the simulated market's figures next to those of the recorded markets, and how well classifiers tell the two apart. Arguments:
// hours (48), seed (1), rate (8).
import { CHECK_RATE, checkMarket, tableOf } from './market-check/check-market.ts'
import { toldApart } from './market-check/two-sample/told-apart.ts'

const [hours = 48, seed = 1, rate = CHECK_RATE] = process.argv.slice(2).map(Number)
const startedMs = performance.now()
const { rows, events, launches } = checkMarket({ seed, startMs: Date.UTC(2026, 9, 15, 6), rate }, hours)
const seconds = (performance.now() - startedMs) / 1_000
process.stdout.write(`${tableOf(rows)}\n`)
process.stdout.write(`${hours} h at rate ${rate}, seed ${seed}: ${events} events, ${Math.round(events / seconds)} a second\n`)
const { text, isAlike } = toldApart(launches)
process.stdout.write(`${text}\n`)
process.exitCode = isAlike && rows.every(({ verdict }) => verdict !== 'no') ? 0 : 1
