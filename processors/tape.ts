// The header of a tape frame: decoders write it, folds read it.
import type { At, FrameHeader } from './contract.ts'

/** The fields that a tape frame adds to the header of every frame. */
export interface TapeHeader extends FrameHeader {
  /** First and last number of the newest range before this frame that was not delivered; null when no gap was seen. */
  readonly gapFrom: number | null
  readonly gapTo: number | null
  /** The importer vouched that everything about this frame's mints is in the files. */
  readonly vouched: boolean
  /** False when the slot was not known. */
  readonly placed: boolean
}
export type TapeAt = At<TapeHeader>
