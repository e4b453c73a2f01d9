// The header of a tape frame, as decoders write it and folds read it.
import type { At, FrameHeader } from './contract.ts'

/** What a frame of the tape says of itself beside the header of every frame. */
export interface TapeHeader extends FrameHeader {
  /** Newest gap before this frame that was not delivered, first and last number; null when none was seen. */
  readonly gapFrom: number | null
  readonly gapTo: number | null
  /** The importer vouched that everything about the mints of this frame is there. */
  readonly vouched: boolean
  /** False when the slot was not known. */
  readonly placed: boolean
}
export type TapeAt = At<TapeHeader>
