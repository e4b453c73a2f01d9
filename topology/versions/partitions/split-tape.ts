// Writes a tape to a log with another number of partitions, as its decoder would have written it there.
import type { ChainEvent, TapeRecordOf } from '../../../schemas/record-forms.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { Log, OutRecord, TaskOwner } from '../../ports/log.ts'
import type { Topology } from '../../topology.ts'
import { Chunks } from '../chunks.ts'
import type { CorrectedTape } from '../decoding/corrected-tape.ts'
import { mergedTape } from './merged-tape.ts'

/** The log that is filled. */
export interface Target {
  readonly log: Log
  readonly topology: Topology
  /** Writes everything that belongs to no task. */
  readonly owner: TaskOwner
}

/** Splits a record of the whole tape: one record per partition. */
const splitterOf = ({ log, topology: { chain, folds } }: Target, topic: Topics['tape']) => {
  const partitions = log.partitions(topic)
  const { partitionOf } = folds(partitions).exchange
  const { codec, keyOf } = chain.tape
  const key = Buffer.from(chain.name)
  return (record: TapeRecordOf<ChainEvent>): OutRecord[] => {
    const events = Array.from({ length: partitions }, (): ChainEvent[] => [])
    if (record.type === 'batch') for (const event of record.events) events[partitionOf(keyOf(event))]?.push(event)
    return events.map((ofPartition, partition) => {
      const value = codec.encode(record.type === 'batch' ? { ...record, events: ofPartition } : record)
      return { topic, partition, key, value }
    })
  }
}

/**
 * Copies the tape. Returns for each partition the offset after the record with the sequence `folded`. The target's tape starts above offset
 * 0 unless the tape is whole: from 0 on, a rebuild would take it for the whole history.
 */
export const splitTape = async (tape: CorrectedTape, target: Target, topic: Topics['tape'], folded: number): Promise<readonly number[]> => {
  const { log, owner } = target
  const split = splitterOf(target, topic)
  const all = Array.from({ length: log.partitions(topic) }, (_, partition) => partition)
  const ends = (): number[] => all.map((partition) => log.end(topic, partition))
  const chunks = new Chunks(owner)
  let isBegun = Array.from({ length: tape.partitions }, (_, partition) => tape.start(partition)).every((start) => start === 0)
  let starts: readonly number[] | undefined
  for await (const record of mergedTape(tape)) {
    if (!isBegun) {
      isBegun = true
      for (const one of split(record)) await chunks.push(one)
      await chunks.end()
      for (const partition of all) await log.trim(topic, partition, log.end(topic, partition))
    }
    if (starts === undefined && record.sequence > folded) {
      await chunks.end()
      starts = ends()
    }
    for (const one of split(record)) await chunks.push(one)
  }
  await chunks.end()
  return starts ?? ends()
}
