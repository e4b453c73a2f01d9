// The interface of the chain's decoder for the source: selects the launchpad's logs, and builds the frame of a block.
import type { RawFrame } from '../../../schemas/types.ts'
import type { NodeLog } from './node.ts'
import type { FrameBlock } from './step.ts'

/** The logs of a block to store. Tokens are addresses, lower case hex with 0x. */
export interface KeptLogs {
  /** In input order. */
  readonly logs: readonly NodeLog[]
  /** Tokens that the launchpad launched in this block. */
  readonly launched: readonly string[]
  /** Known tokens that were traded on curves: they stay known. */
  readonly traded: readonly string[]
}

export interface LaunchpadLogs {
  /** First topics of all logs that may be stored. */
  readonly topics: readonly string[]
  /**
   * Selects the logs to store among the logs of one block with those topics, of any contract. Only tokens count that are launched in these
   * logs, or that `hasToken` knows from earlier blocks.
   */
  kept(logs: readonly NodeLog[], hasToken: (address: string) => boolean): KeptLogs
  /**
   * The frame of a block, not split: number and hash of the block, parent as given (hashes without 0x). The block has transactions if it
   * has logs.
   */
  frameOf(block: FrameBlock): RawFrame
}
