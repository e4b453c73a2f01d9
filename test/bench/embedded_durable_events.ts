// embedded_durable_events: tape records on the LMDB log through the production runners to committed rows, flags and offsets.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import type { Bench } from './bench.ts'
import { fillTape } from './fill-tape.ts'
import { DEFAULT_SHAPE, syntheticTape } from './synthetic-tape.ts'

const PARTITIONS = 4

export const bench: Bench = {
  name: 'embedded_durable_events',
  unit: 'events/s',
  run: async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mintfold-bench-'))
    const log = await openLmdbLog({ dir, partitions: PARTITIONS })
    try {
      await fillTape(log, syntheticTape())
      const started = performance.now()
      const folds = await startFolds(log, [LAUNCH_RISK])
      await folds.caughtUp()
      const seconds = (performance.now() - started) / 1_000
      await folds.stop()
      return {
        value: Math.round(DEFAULT_SHAPE.events / seconds),
        detail: { events: DEFAULT_SHAPE.events, seconds, partitions: PARTITIONS },
      }
    } finally {
      await log.close()
      rmSync(dir, { recursive: true, force: true })
    }
  },
}
