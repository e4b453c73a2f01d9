// Converts blocks to frames in normal form, with the launchpad's coins known to capture.
import { mintsSeen } from '../../../processors/chains/solana/decode-frame.ts'
import { openBody } from '../../../processors/chains/solana/frame.ts'
import { frameOfBlock } from '../../../processors/chains/solana/make-frames.ts'
import { assert } from '../../../schemas/errors.ts'
import { toBase58 } from '../../../schemas/keys.ts'
import type { RawFrame } from '../../../schemas/types.ts'
import type { OutRecord } from '../../ports/log.ts'
import type { FeedLevel, LiveFrame, PlacedBlock } from './feed.ts'
import type { CapturedMints } from './launchpad-mints.ts'

/** The frame of a block. */
export const frameOfLive = (block: PlacedBlock, level: FeedLevel, known: CapturedMints): LiveFrame => {
  const frame = frameOfBlock(block, level, (number, kept) => {
    const proven = new Set(Array.from(mintsSeen(number, kept).proven, toBase58))
    return { has: (mint) => proven.has(mint) || known.has(mint) }
  })
  const { parentSlot: parentNumber, parentHash } = block
  return { ...frame, parentNumber, parentHash }
}

/** Adds the frame's coins to the known ones; returns the records to write for that. */
export const addMints = (frame: RawFrame, known: CapturedMints): readonly OutRecord[] => {
  const body = openBody(frame)
  assert(body.ok, 'a frame that was just made can be opened')
  const { proven, seen } = mintsSeen(frame.number, body.value.transactions)
  return known.add(frame.number, proven, seen)
}
