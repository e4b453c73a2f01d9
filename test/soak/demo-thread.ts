// The source thread of a demo that ends, for soaks. If measured, it reports which slots it has made and when they are due.

import { join } from 'node:path'
import type { Signature } from '../../schemas/keys.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { DEMO_DEFAULTS } from '../../topology/simulator/solana/defaults.ts'
import { NO_LOSSES } from '../../topology/simulator/solana/losses.ts'
import { Market } from '../../topology/simulator/solana/market.ts'
import type { DemoSlot, DemoTransaction, DemoTruth } from '../../topology/simulator/solana/market-types.ts'
import { printedTruth } from '../../topology/simulator/solana/printed-truth.ts'
import { DemoSource } from '../../topology/simulator/solana/source.ts'
import { openTruthFile } from '../../topology/simulator/truth-file.ts'
import { serveSource } from '../../topology/threads/source/serve.ts'
import type { DemoPlan } from './demo-up.ts'
import { MADE_SLOTS, type MadeSlot } from './gauges.ts'

const again = (tx: DemoTransaction, copy: number, index: number): DemoTransaction => ({
  ...tx,
  index,
  signature: `${tx.signature.slice(0, -1)}${String.fromCharCode((tx.signature.charCodeAt(63) + copy + 1) % 256)}` as Signature,
})

/** The slot with this many more copies of each failed launchpad transaction appended. */
const crowded = (slot: DemoSlot, copies: number): DemoSlot => {
  let index = (slot.transactions.at(-1)?.index ?? 0) + 1
  const failed = slot.transactions.filter((tx) => tx.failed !== null && tx.instructions.some(({ kind }) => kind === 'launchpad'))
  const more = failed.flatMap((tx) => Array.from({ length: copies }, (_, copy) => again(tx, copy, index++)))
  return { ...slot, transactions: [...slot.transactions, ...more], transactionsTotal: Math.max(slot.transactionsTotal, index) }
}

const slotsUntil = function* (slots: Iterable<DemoSlot>, endMs: number, crowd: number): Iterable<DemoSlot> {
  for (const slot of slots) {
    if (slot.timeMs >= endMs) return
    yield crowd === 0 ? slot : crowded(slot, crowd)
  }
}

/** The same slots; each is posted to the channel as it passes. */
const posted = function* (slots: Iterable<DemoSlot>, fromMs: number): Iterable<DemoSlot> {
  const channel = new BroadcastChannel(MADE_SLOTS)
  for (const slot of slots) {
    const { number, timeMs, transactions } = slot
    const launchpad = transactions.filter(({ instructions }) => instructions.some(({ kind }) => kind === 'launchpad')).length
    const made: MadeSlot = { number, timeMs, transactions: transactions.length, launchpad }
    if (timeMs >= fromMs) channel.postMessage(made)
    yield slot
  }
  channel.close()
}

serveSource<DemoPlan>(async (log, plan, { dataDir, stop, folded }) => {
  const { seed, rate, historyS, catchUpS, endS, speed, crowd, forks = 0, measured } = plan
  const options = { seed, rate, startMs: DEMO_DEFAULTS.startMs }
  const endMs = endS === null ? Number.POSITIVE_INFINITY : options.startMs + endS * 1_000
  const write = openTruthFile(join(dataDir ?? '', 'demo-truth.jsonl'))
  const onTruth = (truth: DemoTruth): void => write(printedTruth(truth))
  const slots = (): Iterable<DemoSlot> => slotsUntil(new Market(options, { onTruth }), endMs, crowd)
  const market = measured === null ? slots : () => posted(slots(), options.startMs + (historyS + catchUpS) * 1_000)
  const parts = { market, historyS, catchUpS, losses: NO_LOSSES, forksPerHour: forks, speed, wall: Date.now, stop, folded }
  const source = new DemoSource(log, LAUNCH_RISK.sources.demo, { ...options, ...parts })
  await source.open()
  return { source, facts: `demo: a simulated market, seed ${seed}`, words: `the demo market of seed ${seed} until it ends` }
})
