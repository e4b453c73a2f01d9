// `mintfold up` on a demo that ends: the product's own wiring over a market with a last slot. If measured, it writes one JSON line a second
// with its gauges to stdout. Started with its plan as JSON (`demoArgs`); all else comes from the environment, as for `up`.

import { type SourceOpener, up } from '../../topology/cli/commands/up.ts'
import { createIo } from '../../topology/cli/output/io.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import type { Speed } from '../../topology/sources/recording/recording.ts'
import type { ThreadMemory } from '../../topology/threads/here.ts'
import { openInThread } from '../../topology/threads/source/thread-source.ts'
import { topicsOf } from '../../topology/topology.ts'
import { Gauges, type Rounds } from './gauges.ts'

/** The market to play: the same seed and rate give the same stream at any speed. */
export interface DemoPlan {
  readonly seed: number
  readonly rate: number
  /** As for DemoSource. */
  readonly historyS: number
  readonly catchUpS: number
  /** Stream seconds from the start of the history to the end; null: no end. */
  readonly endS: number | null
  readonly speed: Speed
  /** Copies of each failed transaction. */
  readonly crowd: number
  /** Forks an hour; none by default. */
  readonly forks?: number
  /** Null: no measurement and nothing on stdout. */
  readonly measured: Rounds | null
}

const THREAD = new URL('./demo-thread.mjs', import.meta.url)

/** Memory of all threads, read from the product's metrics; 0 until the folds run. */
const threads = async (): Promise<ThreadMemory> => {
  const text = await (await fetch(`http://127.0.0.1:${process.env.MINTFOLD_METRICS_PORT}/metrics`)).text()
  const of = (kind: string): number => {
    const lines = text.matchAll(new RegExp(`^mintfold_thread_memory_bytes\\{.*kind="${kind}".*\\} (\\S+)$`, 'gm'))
    return [...lines].reduce((sum, [, bytes]) => sum + Number(bytes), 0)
  }
  return { heapBytes: of('heap'), externalBytes: of('external') }
}

const openerOf =
  (plan: DemoPlan): SourceOpener =>
  async (log, _given, context) => {
    const opened = await openInThread(log, { entry: THREAD, topics: topicsOf(LAUNCH_RISK), given: plan }, context)
    const { measured: rounds, speed } = plan
    if (rounds !== null && speed !== 'max')
      new Gauges({ log, folded: context.folded, now: () => opened.source.now() ?? 0, speed, rounds, threads }).start(context.stop, (line) =>
        process.stdout.write(`${JSON.stringify(line)}\n`),
      )
    return opened
  }

const plan = JSON.parse(process.argv[2] ?? '') as DemoPlan
await up({ source: 'demo:solana', speed: plan.speed }, createIo(process), openerOf(plan))
