// replay_tape: events a second from a tape file on disk through the production folds.

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tapeBatchCodec } from '../../schemas/codecs.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { Replay } from '../../topology/runtime/replay.ts'
import { readTape, writeTape } from '../../topology/sources/recording/tape-file.ts'
import type { Bench } from './bench.ts'
import { DEFAULT_SHAPE, syntheticTape } from './synthetic-tape.ts'

export const bench: Bench = {
  name: 'replay_tape',
  unit: 'events/s',
  run: async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mintfold-bench-'))
    try {
      const path = join(dir, 'tape.avro')
      await writeTape(path, syntheticTape(), tapeBatchCodec)
      const started = performance.now()
      const folds = new Replay(LAUNCH_RISK)
      let conclusions = 0
      for await (const batch of readTape(path, tapeBatchCodec)) conclusions += folds.batch(batch).conclusions.length
      const seconds = (performance.now() - started) / 1_000
      return {
        value: Math.round(DEFAULT_SHAPE.events / seconds),
        detail: { events: DEFAULT_SHAPE.events, conclusions, file_mb: Math.round(statSync(path).size / 1e6) },
      }
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  },
}
