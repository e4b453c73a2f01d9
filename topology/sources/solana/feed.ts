// The interfaces of a live source: a feed that delivers blocks as they arrive, and a reader that fetches one block.
import type { SourceBlock } from '../../../processors/chains/solana/source-transaction.ts'
import type { RawFrame } from '../../../schemas/types.ts'

/** A frame of the branch that the source follows, by number and hash. */
export interface SlotHead {
  readonly number: number
  readonly hash: string
}

/** A block with a known place in the chain. */
export interface PlacedBlock extends SourceBlock {
  readonly slot: number
  readonly hash: string
  readonly parentSlot: number
  readonly parentHash: string
}

/** The frame of a block. */
export interface LiveFrame extends RawFrame {
  parentNumber: number
  parentHash: string
}

/** An item of a feed, in arrival order; `LiveChain` turns it into frames and rollbacks. */
export type FeedStep = { readonly type: 'block'; readonly block: PlacedBlock } | FeedNotice

/** Feed items other than blocks. */
export type FeedNotice =
  /** Slots that cannot be fetched. They may have been skipped: only a block that builds on such a slot proves that it had a block. */
  | { readonly type: 'lost'; readonly from: number; readonly to: number; readonly reason: string }
  /** Finality of the blocks delivered so far, by number. */
  | { readonly type: 'standing'; readonly confirmed: number; readonly finalized: number }
  /** The chain dropped this slot's block. */
  | { readonly type: 'dead'; readonly number: number }

/** Commitment level of the blocks that a feed delivers. */
export type FeedLevel = 'processed' | 'confirmed'

export interface Feed {
  readonly level: FeedLevel
  /**
   * Yields items until `stop`; retries failures. `head` returns the newest frame that the consumer has taken;
   * while it is null, the feed starts with the newest block. An item is fetched only after the consumer has taken the previous one.
   */
  steps(head: () => SlotHead | null, stop: AbortSignal): AsyncIterable<FeedStep>
}

/** The result of a block request. `later`: a later request may succeed. Other kinds: this node will never return the block. */
export type BlockAnswer =
  | { readonly ok: true; readonly block: PlacedBlock }
  | { readonly ok: false; readonly kind: 'later' | 'skipped' | 'gone' | 'unreadable'; readonly reason: string }

export interface BlockReader {
  /** The block of a slot at `confirmed`; retries failures, so it may take long. */
  block(slot: number, stop: AbortSignal): Promise<BlockAnswer>
}

/** The block as a frame, or why there is none. */
export type FrameReader = (slot: number) => Promise<LiveFrame | string>
