// Blocks to frames of the one normal form, with the launchpad's coins as capture knows them.
import { mintsSeen } from '../../../processors/chains/solana/decode-frame.ts'
import { openBody } from '../../../processors/chains/solana/frame.ts'
import { frameOfBlock } from '../../../processors/chains/solana/make-frames.ts'
import { assert } from '../../../schemas/errors.ts'
import { toBase58 } from '../../../schemas/keys.ts'
import type { RawFrame } from '../../../schemas/types.ts'
import type { OutRecord } from '../../ports/log.ts'
import type { FeedLevel, LiveFrame, PlacedBlock } from './feed.ts'
import type { CapturedMints } from './launchpad-mints.ts'

/** The block's frame. */
export const frameOfLive = (block: PlacedBlock, level: FeedLevel, known: CapturedMints): LiveFrame => {
  const frame = frameOfBlock(block, level, (number, kept) => {
    const made = new Set(Array.from(mintsSeen(number, kept).made, toBase58))
    return { has: (mint) => made.has(mint) || known.has(mint) }
  })
  const { parentSlot: parentNumber, parentHash } = block
  return { ...frame, parentNumber, parentHash }
}

/** Lets the frame's coins be known from now on; gives what the log must keep of that. */
export const noteMints = (frame: RawFrame, known: CapturedMints): readonly OutRecord[] => {
  const body = openBody(frame)
  assert(body.ok, 'a frame that was just made can be opened')
  const { made, seen } = mintsSeen(frame.number, body.value.transactions)
  return known.note(frame.number, made, seen)
}
