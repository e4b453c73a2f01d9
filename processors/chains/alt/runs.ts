// Blocks to frames, quiet ones in runs.
import type { AltTransaction, RawFrame } from '../../../schemas/types.ts'
import { type FrameHead, startsSecond, toFrame } from './frame.ts'

/** A block as its header says, with what `keptOf` keeps of it. Hashes are hex without 0x. */
export interface RunBlock extends Omit<FrameHead, 'parentNumber'> {
  readonly transactions: readonly AltTransaction[]
}

/** Frames of blocks by ascending number. A run ends, whatever its blocks are, before a block that does not build on it. */
export const framesOfBlocks = (blocks: readonly RunBlock[]): RawFrame[] => {
  const frames: RawFrame[] = []
  let first: RunBlock | undefined
  for (const [i, block] of blocks.entries()) {
    const before = blocks[i - 1]
    const isLinked = before !== undefined && before.hash === block.parentHash
    const isLast = blocks[i + 1]?.parentHash !== block.hash
    first ??= block
    if (block.transactions.length === 0 && !isLast && !startsSecond(block.blockTime, isLinked ? before.blockTime : null)) continue
    const { transactions, ...head } = block
    const { parentHash } = first
    frames.push(toFrame({ ...head, parentHash, parentNumber: parentHash === null ? null : first.number - 1 }, transactions))
    first = undefined
  }
  return frames
}
