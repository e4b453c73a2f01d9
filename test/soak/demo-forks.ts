// `npx tsx test/soak/demo-forks.ts [seconds] [forks an hour] [seed]`: a forking demo's canonical frames equal the market without forks.

import { CoinBook } from '../../topology/simulator/solana/bytes/coins.ts'
import { frameOf } from '../../topology/simulator/solana/bytes.ts'
import { DEMO_DEFAULTS } from '../../topology/simulator/solana/defaults.ts'
import { ForkFrames } from '../../topology/simulator/solana/forks/fork-frames.ts'
import { forkSteps } from '../../topology/simulator/solana/forks/forks.ts'
import { Market } from '../../topology/simulator/solana/market.ts'
import type { DemoSlot } from '../../topology/simulator/solana/market-types.ts'

const [seconds = 3_600, perHour = 60, seed = 1] = process.argv.slice(2).map(Number)
const options = { ...DEMO_DEFAULTS, seed }
function* slots(): Generator<DemoSlot> {
  for (const slot of new Market(options)) {
    if (slot.timeMs >= options.startMs + seconds * 1_000) return
    yield slot
  }
}

const frames = new ForkFrames(new CoinBook())
const plain = new CoinBook()
const counts = { living: 0, dead: 0, reverts: 0, finality: 0, different: 0 }
for (const step of forkSteps(slots(), { seed, perHour, fromMs: options.startMs })) {
  const body = frames.bodyOf(step)
  if (step.type === 'revert') counts.reverts++
  else if (step.type === 'finality') counts.finality++
  else if (step.branch !== 0) counts.dead++
  else {
    counts.living++
    if (body.type !== 'frame' || !Buffer.from(body.body).equals(frameOf(step.slot, plain).body)) counts.different++
  }
}
process.stdout.write(`${JSON.stringify(counts)}\n`)
process.exit(counts.different === 0 ? 0 : 1)
