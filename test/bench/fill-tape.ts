// Writes a tape to a log as the decoder does: one record per frame and partition.
import { tapeRecordCodec } from '../../schemas/codecs.ts'
import { type Key, toBase58 } from '../../schemas/keys.ts'
import { tapeKeyOf } from '../../schemas/tape-key.ts'
import type { TapeBatch, TapeEvent } from '../../schemas/types.ts'
import { createPartitioner } from '../../topology/engine/partition.ts'
import type { Log, OutRecord } from '../../topology/ports/log.ts'
import { TOPICS } from '../fixtures/topics.ts'

const FRAMES_PER_COMMIT = 500

/** Returns a function that makes the records of one frame. */
export const tapeRecordsOn = (log: Log): ((batch: TapeBatch) => OutRecord[]) => {
  const partitions = log.partitions(TOPICS.tape)
  const partitionOf = createPartitioner(partitions, (key) => toBase58(key as Key))
  return (batch) => {
    const parts = Array.from({ length: partitions }, (): TapeEvent[] => [])
    for (const event of batch.events) (parts[partitionOf(tapeKeyOf(event))] as TapeEvent[]).push(event)
    return parts.map((events, partition) => ({
      topic: TOPICS.tape,
      partition,
      key: Buffer.from('solana'),
      value: tapeRecordCodec.encode({ ...batch, events }),
    }))
  }
}

/** Appends the whole tape; resolves when it is durable. */
export const fillTape = async (log: Log, tape: Iterable<TapeBatch>): Promise<void> => {
  const owner = await log.own('bench')
  const recordsOf = tapeRecordsOn(log)
  let outputs: OutRecord[] = []
  let frames = 0
  for (const batch of tape) {
    outputs.push(...recordsOf(batch))
    if (++frames % FRAMES_PER_COMMIT !== 0) continue
    await owner.commit({ outputs, inputs: new Map() })
    outputs = []
  }
  await owner.commit({ outputs, inputs: new Map() })
}
