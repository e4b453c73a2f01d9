// embedded_durable_events: tape records on the lmdb log through the production runners to committed rows, flags and offsets.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tapeCodec } from '../../schemas/codecs.ts'
import { type Key, toBase58 } from '../../schemas/keys.ts'
import { TOPICS } from '../../schemas/topics.ts'
import type { TapeEvent } from '../../schemas/types.ts'
import { createPartitioner } from '../../topology/engine/partition.ts'
import { openLmdbLog } from '../../topology/logs/lmdb.ts'
import type { Log, OutRecord } from '../../topology/ports/log.ts'
import { startFolds } from '../../topology/runtime.ts'
import type { Bench } from './bench.ts'
import { DEFAULT_SHAPE, syntheticTape } from './synthetic-tape.ts'

const PARTITIONS = 4
const FRAMES_PER_COMMIT = 500

export const bench: Bench = {
  name: 'embedded_durable_events',
  unit: 'events/s',
  run: async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mintfold-bench-'))
    const log = await openLmdbLog({ dir, partitions: PARTITIONS })
    try {
      await fill(log)
      const started = performance.now()
      const folds = await startFolds(log)
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

const fill = async (log: Log): Promise<void> => {
  const owner = await log.own('bench')
  const partitionOf = createPartitioner(PARTITIONS, (key) => toBase58(key as Key))
  let outputs: OutRecord[] = []
  let frames = 0
  for (const batch of syntheticTape()) {
    const parts = Array.from({ length: PARTITIONS }, (): TapeEvent[] => [])
    for (const event of batch.events) (parts[partitionOf(event.mint)] as TapeEvent[]).push(event)
    for (const [partition, events] of parts.entries())
      outputs.push({ topic: TOPICS.tapeSolana, partition, key: Buffer.from('solana'), value: tapeCodec.encode({ ...batch, events }) })
    if (++frames % FRAMES_PER_COMMIT !== 0) continue
    await owner.commit({ outputs, inputs: new Map() })
    outputs = []
  }
  await owner.commit({ outputs, inputs: new Map() })
}
