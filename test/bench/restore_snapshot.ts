// restore_snapshot: restores the folds' stores from the changelog on LMDB, 20,000 mints, until the first frame can be folded.
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import type { Bench } from './bench.ts'
import { LIVE_20K, makeMarket, PARTITIONS, withDirectory } from './live-market.ts'
import { syntheticTape } from './synthetic-tape.ts'

export const bench: Bench = {
  name: 'restore_snapshot',
  unit: 's',
  run: () =>
    withDirectory(async (dir) => {
      await makeMarket(dir, syntheticTape(LIVE_20K))
      const log = await openLmdbLog({ dir, partitions: PARTITIONS })
      const started = performance.now()
      const folds = await startFolds(log, [LAUNCH_RISK])
      const restored = performance.now()
      const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
      await view.start()
      const viewed = performance.now()
      const mints = view.status().tracked
      await folds.stop()
      await view.stop()
      await log.close()
      return {
        value: seconds(restored - started),
        detail: { mints, partitions: PARTITIONS, view_s: seconds(viewed - restored), until_ready_s: seconds(viewed - started) },
      }
    }),
}

const seconds = (ms: number): number => Math.round(ms) / 1_000
