// Prints the simulated market's figures next to those of the recorded markets. Arguments: hours (48), seed (1), rate (8).
import { CHECK_RATE, checkMarket, tableOf } from './market-check/check-market.ts'

const [hours = 48, seed = 1, rate = CHECK_RATE] = process.argv.slice(2).map(Number)
const startedMs = performance.now()
const { rows, events } = checkMarket({ seed, startMs: Date.UTC(2026, 9, 15, 6), rate }, hours)
const seconds = (performance.now() - startedMs) / 1_000
process.stdout.write(`${tableOf(rows)}\n`)
process.stdout.write(`${hours} h at rate ${rate}, seed ${seed}: ${events} events, ${Math.round(events / seconds)} a second\n`)
process.exitCode = rows.some(({ verdict }) => verdict === 'no') ? 1 : 0
