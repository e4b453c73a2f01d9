// What a live source is made of: a feed that tells blocks as it hears of them, and a reader that is asked for one.
import type { SourceBlock } from '../../../processors/chains/solana/source-transaction.ts'
import type { RawFrame } from '../../../schemas/types.ts'

/** A frame of ours by its number and hash. */
export interface Head {
  readonly number: number
  readonly hash: string
}

/** A block whose place in the chain is known. */
export interface PlacedBlock extends SourceBlock {
  readonly slot: number
  readonly hash: string
  readonly parentSlot: number
  readonly parentHash: string
}

/** A block as its frame. */
export interface LiveFrame extends RawFrame {
  parentNumber: number
  parentHash: string
}

/** One thing that a feed tells. Order is its own: the chain decides what becomes of it. */
export type FeedStep = { readonly type: 'block'; readonly block: PlacedBlock } | Tidings

/** What is told beside blocks. */
export type Tidings =
  /** These cannot be had. They may never have been: only what builds on them shows that they were. */
  | { readonly type: 'lost'; readonly from: number; readonly to: number; readonly reason: string }
  /** What of the blocks told so far is how sure, by number. */
  | { readonly type: 'standing'; readonly confirmed: number; readonly finalized: number }
  /** This slot's block was dropped by the chain. */
  | { readonly type: 'dead'; readonly number: number }

/** How sure the chain is of a block when the feed tells it. */
export type FeedLevel = 'processed' | 'confirmed'

export interface Feed {
  readonly level: FeedLevel
  /**
   * Tells until `stop`; failures of the world are waited out. `head` is asked for the newest frame that was taken, null before the first:
   * then the feed begins with the newest block. The next step is worked for when the one before is taken.
   */
  steps(head: () => Head | null, stop: AbortSignal): AsyncIterable<FeedStep>
}

/** What is said when a block is asked for. `later`: it may come; the others: never from here. */
export type BlockAnswer =
  | { readonly ok: true; readonly block: PlacedBlock }
  | { readonly ok: false; readonly kind: 'later' | 'skipped' | 'gone' | 'unreadable'; readonly reason: string }

export interface BlockReader {
  /** The block of a slot at `confirmed`; waits failures of the world out, so that it may take long. */
  block(slot: number, stop: AbortSignal): Promise<BlockAnswer>
}

/** The same as a frame, or why there is none. */
export type FrameReader = (slot: number) => Promise<LiveFrame | string>
