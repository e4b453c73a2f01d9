// What a log and those who use it from another thread say to each other, over one port: messages arrive in the order in which they left.
import type { ReadLimits } from '../../ports/log.ts'
import type { Packed } from './packed.ts'

/** First offset kept, one past the newest, and below which tombstones may be gone, of each partition. */
export interface Bounds {
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  readonly floors: readonly number[]
}
/** By name of topic. */
export type BoundsByTopic = ReadonlyMap<string, Bounds>

/** Sent unasked: topics that have something new, and how far they reach now. Before the answer to the commit that brought it. */
export interface Heard {
  readonly heard: BoundsByTopic
}
export const isHeard = (message: unknown): message is Heard => typeof message === 'object' && message !== null && 'heard' in message

interface Owned {
  /** Names the ownership in commits. */
  readonly number: number
  readonly committed: ReadonlyMap<string, number>
  readonly bounds: BoundsByTopic
}

/** The log as messages ask it. Topics go by their place in the list that both sides have. Failures arrive as what they are. */
export interface LogHost {
  /** Offsets are the first number of each record. */
  read(topic: number, partition: number, offset: number, limits: ReadLimits): Promise<Packed>
  refresh(): Promise<BoundsByTopic>
  own(id: string): Promise<Owned>
  release(owner: number): Promise<void>
  decidedEnd(topic: number, partition: number): Promise<number>
  /** Topic and partition are the numbers of each record. Gives what stands committed then. */
  commit(owner: number, outputs: Packed, inputs: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>>
  trim(topic: number, partition: number, offset: number): Promise<BoundsByTopic>
}
