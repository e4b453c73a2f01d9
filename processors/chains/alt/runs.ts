// Builds frames from blocks, quiet ones in runs.
import type { AltTransaction, RawFrame } from '../../../schemas/types.ts'
import { type BlockHeader, startsSecond, toFrame } from './frame.ts'

/** A block's header, with its logs that `keptOf` keeps. Hashes are hex without 0x. */
export interface RunBlock extends Omit<BlockHeader, 'parentNumber'> {
  readonly transactions: readonly AltTransaction[]
}

/** Frames of blocks in ascending order. A run always ends before a block whose parent is not the block before it. */
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
