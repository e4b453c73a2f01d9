// memory_20k_mints: heap and external memory of 20,000 live mints in folds and view, here in one thread, after a restart and a garbage
// collection.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import type { Bench } from './bench.ts'
import { LIVE_20K, makeMarket, startMarket, withDirectory } from './live-market.ts'
import { syntheticTape } from './synthetic-tape.ts'

const MB = 1e6

export const bench: Bench = {
  name: 'memory_20k_mints',
  unit: 'MB',
  run: () =>
    withDirectory(async (dir) => {
      setFlagsFromString('--expose-gc')
      const collect = runInNewContext('gc') as () => void
      const before = used(collect)
      await makeMarket(dir, syntheticTape(LIVE_20K))
      const market = await startMarket(dir, (log) => startFolds(log, [LAUNCH_RISK]))
      const after = used(collect)
      const { tracked: mints } = market.view.status()
      const { rss } = process.memoryUsage()
      await market.stop()
      return {
        value: after.heap + after.external,
        detail: {
          mints,
          heap_mb: after.heap,
          external_mb: after.external,
          empty_process_mb: before.heap + before.external,
          rss_mb: inMb(rss),
        },
      }
    }),
}

const inMb = (bytes: number): number => Math.round(bytes / MB)
const used = (collect: () => void): { readonly heap: number; readonly external: number } => {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return { heap: inMb(heapUsed), external: inMb(external) }
}
