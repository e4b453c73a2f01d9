// What following the chain leads to.
import type { NodeBlock, NodeLog } from './node.ts'
import type { OwnBlock } from './window.ts'

/** A block that gets a frame: it has logs of the launchpad, or is the first of its second. */
export interface FrameBlock {
  readonly block: NodeBlock
  /** The block of the frame before; the quiet blocks between belong to this frame. */
  readonly parent: { readonly number: number; readonly hash: string }
  /** Those of the launchpad, in order of their index. */
  readonly logs: readonly NodeLog[]
}

/** Frames up to these numbers are confirmed (tag `safe`) and final (tag `finalized`); -1 for none. */
export interface SureNumbers {
  readonly confirmed: number
  readonly finalized: number
}

/** What one look at the chain led to; belongs on the log as one unit. */
export interface Step {
  /** Every frame after this one is taken back; null: none. */
  readonly revertTo: OwnBlock | null
  readonly frames: readonly FrameBlock[]
  /** Null where it is as before. */
  readonly sure: SureNumbers | null
}

/** What an earlier start left. */
export interface Checkpoint {
  /** Blocks with frames, ascending. */
  readonly blocks: readonly OwnBlock[]
  readonly sure: SureNumbers
}
