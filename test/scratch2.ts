import { Replay } from '../topology/runtime/replay.ts'
import { LAUNCH_RISK } from '../topology/launch-risk.ts'
import { batchOf } from './fixtures/demo-tape.ts'
import { Market } from '../topology/simulator/solana/market.ts'
import { positionsIn, resultsOf } from './fixtures/wallet-recount.ts'
const [rate = 0.2, from = 1, to = 40] = process.argv.slice(2).map(Number)
const end = Date.UTC(2026, 9, 15, 12) + 60_000, startMs = Date.UTC(2026, 9, 15, 12) - (6.6 * 3600 + 1200) * 1000
for (let seed = from; seed <= to; seed++) {
  const truths: any[] = [], slots: any[] = []
  for (const s of new Market({ seed, rate, startMs }, { onTruth: (t) => truths.push(t) })) { if (s.timeMs > end) break; slots.push(s) }
  const recent = (k: string) => truths.some((t) => t[k] !== null && t[k] > end - 2.3 * 3.6e6 && t[k] < end - 120_000)
  const low = recent('closedLowAtMs') && recent('migratedLowAtMs')
  if (!low || !truths.some((t) => t.poolDrainedAtMs !== null && t.poolDrainedAtMs > end - 2.3 * 3.6e6)) continue
  const tape = slots.map(batchOf)
  const replay = new Replay(LAUNCH_RISK, 1)
  const concl = tape.flatMap((b) => [...replay.batch(b).conclusions]) as any[]
  const f = concl.filter((c) => c.body.type === 'finding').map((c) => c.body.flag).slice(-185)
  const by: any = {}; for (const x of f) by[x] = (by[x] ?? 0) + 1
  const cl: any = {}; for (const r of resultsOf(positionsIn(tape, concl.filter((c) => c.body.type === 'role'), tape.at(-1)!.time))) cl[r.class] = (cl[r.class] ?? 0) + 1
  const cards = replay.cards().map((c) => c.evidence as any)
  const conc = cards.filter((c) => c.coverage === 'full' && c.risk_label === 'concentrated').map((c) => Math.round(c.age_s))
  console.log(seed, JSON.stringify(by), JSON.stringify(cl), 'conc', conc.length, conc.slice(0, 8).join(','))
}
