// `mintfold up` on a demo that ends: the product's own wiring over a market with a last slot. Measured, it writes a JSON line a second
// to stdout on how it does. Started by demo-process.ts with its plan as JSON; the rest comes from the environment, as for `up`.
import { join } from 'node:path'
import { createIo } from '../../topology/cli/io.ts'
import { type Opener, up } from '../../topology/cli/up.ts'
import { DEMO_DEFAULTS } from '../../topology/sources/demo/defaults.ts'
import { NO_LOSSES } from '../../topology/sources/demo/losses.ts'
import { Market } from '../../topology/sources/demo/market.ts'
import type { DemoSlot } from '../../topology/sources/demo/market-types.ts'
import { DemoSource } from '../../topology/sources/demo/source.ts'
import { openTruthFile } from '../../topology/sources/demo/truth-file.ts'
import type { Speed } from '../../topology/sources/recording.ts'
import { crowded } from './crowd.ts'
import { Gauges, type Rounds } from './gauges.ts'

/** What is played: the same seed and rate give the same stream, whatever the speed. */
export interface DemoPlan {
  readonly seed: number
  readonly rate: number
  /** As of DemoSource. */
  readonly historyS: number
  readonly catchUpS: number
  /** Stream seconds from the start of the history to the end; null for none. */
  readonly endS: number | null
  readonly speed: Speed
  /** Copies of each failed transaction. */
  readonly crowd: number
  /** Forks an hour; none unless given. */
  readonly forks?: number
  /** Null: nothing is measured, nor written to stdout. */
  readonly measured: Rounds | null
}

const slotsUntil = function* (slots: Iterable<DemoSlot>, endMs: number, crowd: number): Iterable<DemoSlot> {
  for (const slot of slots) {
    if (slot.timeMs >= endMs) return
    yield crowd === 0 ? slot : crowded(slot, crowd)
  }
}

const openerOf =
  ({ seed, rate, historyS, catchUpS, endS, speed, crowd, forks = 0, measured }: DemoPlan): Opener =>
  async (log, _options, { dataDir, stop, folded }) => {
    const options = { seed, rate, startMs: DEMO_DEFAULTS.startMs }
    const endMs = endS === null ? Number.POSITIVE_INFINITY : options.startMs + endS * 1_000
    const pacedFromMs = options.startMs + (historyS + catchUpS) * 1_000
    const onTruth = openTruthFile(join(dataDir ?? '', 'demo-truth.jsonl'))
    const given = { log, folded, pacedFromMs, now: () => source.now() }
    const gauges = measured === null || speed === 'max' ? null : new Gauges({ ...given, speed, rounds: measured })
    const slots = (): Iterable<DemoSlot> => slotsUntil(new Market(options, { onTruth }), endMs, crowd)
    const market = gauges === null ? slots : () => gauges.watch(slots())
    const source: DemoSource = new DemoSource(log, {
      ...options,
      market,
      historyS,
      catchUpS,
      losses: NO_LOSSES,
      forksPerHour: forks,
      speed,
      wall: Date.now,
      stop,
      folded,
    })
    await source.open()
    gauges?.start(stop, (line) => process.stdout.write(`${JSON.stringify(line)}\n`))
    return { source, facts: `demo: a simulated market, seed ${seed}`, words: `the demo market of seed ${seed} until it ends` }
  }

const plan = JSON.parse(process.argv[2] ?? '') as DemoPlan
await up({ source: 'demo', speed: plan.speed }, createIo(process), openerOf(plan))
