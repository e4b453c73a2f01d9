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
  /** Known tokens that were traded on curves in this block: the source forgets tokens that are not traded for a day. */
  readonly traded: readonly string[]
}

export interface LaunchpadLogs {
  /** First topics of all logs that may be stored. */
  readonly topics: readonly string[]
  /**
   * Selects the logs to store. `logs`: all logs of one block that have one of `topics`, by any contract. The launchpad's tokens are those
   * launched in these logs, and those for which `hasToken` is true because an earlier block launched them.
   */
  kept(logs: readonly NodeLog[], hasToken: (address: string) => boolean): KeptLogs
  /**
   * The frame of a block, not yet split into parts; its hashes have no 0x. Its parent is the block of the previous frame (`block.parent`).
   * A block with logs must have its transactions.
   */
  frameOf(block: FrameBlock): RawFrame
}
