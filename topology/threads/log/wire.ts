// Messages between a log and its proxy in another thread, over one port: they arrive in the order in which they were sent.
import type { ReadLimits } from '../../ports/log.ts'
import type { Packed } from './packed.ts'

/** For each partition: first retained offset, one past the newest record, and `Log.tombstoneFloor`. */
export interface PartitionBounds {
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  readonly floors: readonly number[]
}
/** By topic name. */
export type BoundsByTopic = ReadonlyMap<string, PartitionBounds>

/** A notification of topics with new records and their bounds. Sent before the answer to the commit that caused it. */
export interface NewEnds {
  readonly newEnds: BoundsByTopic
}
export const isNewEnds = (message: unknown): message is NewEnds => typeof message === 'object' && message !== null && 'newEnds' in message

/** Records of a partition: the first number of each is its offset. */
interface PackedRead extends Packed {
  /** `LogRecord.fault` by offset. */
  readonly faults: ReadonlyMap<number, string>
}

interface Owned {
  /** Identifies the owner in commits. */
  readonly number: number
  readonly committed: ReadonlyMap<string, number>
  readonly bounds: BoundsByTopic
}

/** Calls of the proxy. Topics are passed as their index in the list that both sides have. Failures keep their type. */
export interface LogHost {
  read(topic: number, partition: number, offset: number, limits: ReadLimits): Promise<PackedRead>
  refresh(): Promise<BoundsByTopic>
  own(id: string): Promise<Owned>
  /** Empty if no other process can be the id's owner. */
  peek(id: string): Promise<ReadonlyMap<string, number>>
  release(owner: number): Promise<void>
  decidedEnd(topic: number, partition: number): Promise<number>
  /** The numbers of each record are topic and partition. Returns the owner's input offsets after the commit. */
  commit(owner: number, outputs: Packed, inputs: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>>
  trim(topic: number, partition: number, offset: number): Promise<BoundsByTopic>
}
