// What the source needs of the chain's decoder: which logs are the launchpad's, and the frame of a block.
import type { RawFrame } from '../../../schemas/types.ts'
import type { NodeLog } from './node.ts'
import type { FrameBlock } from './step.ts'

/** What of a block's logs belongs on the log. Tokens are addresses, lower case hex with 0x. */
export interface KeptLogs {
  /** In the order given. */
  readonly logs: readonly NodeLog[]
  /** Tokens that the launchpad launched in this block. */
  readonly launched: readonly string[]
  /** Known tokens that curves dealt in: they stay known. */
  readonly dealt: readonly string[]
}

export interface LaunchpadLogs {
  /** First topics of all logs that may be kept. */
  readonly topics: readonly string[]
  /**
   * What is kept of the logs of one block with those topics, of any contract. Of tokens only those count that are launched in these logs,
   * or that `hasToken` knows from blocks before.
   */
  kept(logs: readonly NodeLog[], hasToken: (address: string) => boolean): KeptLogs
  /**
   * The frame: number and hash of the block, parent as given (hashes without 0x), not in parts. The block's transactions are known where it
   * has logs.
   */
  frameOf(block: FrameBlock): RawFrame
}
