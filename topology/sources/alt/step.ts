// The results of following the chain.
import type { NodeBlock, NodeLog } from './node.ts'
import type { OwnBlock } from './window.ts'

/** A block with a frame: it has logs of the launchpad, or is the first of its second. */
export interface FrameBlock {
  readonly block: NodeBlock
  /** The block of the previous frame; the quiet blocks between belong to this frame. */
  readonly parent: { readonly number: number; readonly hash: string }
  /** The launchpad's logs, ordered by index. */
  readonly logs: readonly NodeLog[]
}

/** Frames up to these numbers are confirmed (tag `safe`) and final (tag `finalized`); -1 for none. */
export interface SureNumbers {
  readonly confirmed: number
  readonly finalized: number
}

/** A unit of progress, committed to the log atomically. */
export interface Step {
  /** All frames after this block are rolled back; null: none. */
  readonly revertTo: OwnBlock | null
  readonly frames: readonly FrameBlock[]
  /** Null if unchanged. */
  readonly sure: SureNumbers | null
}

/** The state restored from an earlier start. */
export interface Checkpoint {
  /** Blocks with frames, ascending. */
  readonly blocks: readonly OwnBlock[]
  readonly sure: SureNumbers
}
