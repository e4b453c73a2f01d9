import { runLosses, areLossesFound } from './soak/losses.ts'
import { alarmsOfDemo } from './fixtures/losses/alarms.ts'
const [, , n, h] = process.argv
const t0 = performance.now()
if (n === '0') { console.log(alarmsOfDemo({ seed: 1, rate: 1, seconds: Number(h) * 3600 })) }
else {
const r = runLosses(Number(n), 1, Number(h))
for (const [k, v] of Object.entries({ ...r.kinds, ...r.withoutWitness })) console.log(k, JSON.stringify(v))
console.log(JSON.stringify({ ...r, kinds: 0, withoutWitness: 0 }, null, 1), areLossesFound(r))
}
console.log(performance.now() - t0)
