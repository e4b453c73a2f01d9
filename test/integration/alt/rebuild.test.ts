// A decoder of another version over a log whose older frames were trimmed: curves launched in those are still known.
import { nodeLogs } from '../../../processors/chains/alt/chain.ts'
import { CURVE_RISK } from '../../../topology/curve-risk.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { openAltDemo } from '../../../topology/simulator/alt/open-demo.ts'
import { inputsOf, type Topology } from '../../../topology/topology.ts'
import { readStores } from '../../../topology/versions/stores-record.ts'
import { foldAll, rowsOf, tapeIn } from '../../fixtures/rebuild-market.ts'

const DEFAULTS = { seed: 1, rate: 50, startMs: 1_790_000_000_000, forksPerHour: 0 }
const { raw } = inputsOf(CURVE_RISK)

/** The product's wiring with a decoder that reports another version. */
const wiringOf = (version: number): Topology => ({
  ...CURVE_RISK,
  decode: (partitions) => {
    const task = CURVE_RISK.decode(partitions)
    return { ...task, folds: task.folds.map((fold) => ({ ...fold, processor: { ...fold.processor, version } })) }
  },
})

const contentsOf = async (log: Log): Promise<Readonly<Record<string, readonly string[]>>> => {
  const [decode, curves] = [CURVE_RISK.decode(1).folds[0], CURVE_RISK.folds(1).folds[0]]
  if (decode === undefined || curves === undefined) throw new Error('no fold')
  return {
    tape: await tapeIn(log, CURVE_RISK),
    decoder: await rowsOf(log, decode.changelog, decode.state),
    curves: await rowsOf(log, curves.changelog, curves.state),
  }
}

test('with half of the frames trimmed, tape and rows stay unchanged', async () => {
  const log = createMemoryLog({ partitions: 1 })
  const context = { dataDir: null, stop: new AbortController().signal, folded: () => null }
  const play = { speed: 'max', history: 0, frames: 600 } as const
  const { source } = await openAltDemo(log, CURVE_RISK.sources.live, nodeLogs, DEFAULTS, play, context)
  await source.run()
  await foldAll(log, CURVE_RISK)
  const before = await contentsOf(log)
  expect(before.decoder?.length).toBeGreaterThan(100)
  await log.trim(raw, 0, Math.floor(log.end(raw, 0) / 2))
  await foldAll(log, wiringOf(2))
  expect((await readStores(log, CURVE_RISK.operations.rebuild.reads.stores, 'alt'))?.versions).toContainEqual({
    name: 'decode-alt',
    version: 2,
  })
  const after = await contentsOf(log)
  for (const [name, texts] of Object.entries(before)) {
    const kept = new Set(after[name])
    expect([name, texts.filter((text) => !kept.has(text)).length, after[name]?.length]).toEqual([name, 0, texts.length])
  }
})
