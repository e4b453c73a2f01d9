// Builds frames from blocks. Quiet blocks (without kept logs) share the frame of a later block: frame.ts has the rules.
import type { AltTransaction, RawFrame } from '../../../schemas/types.ts'
import { type BlockHeader, startsSecond, toFrame } from './frame.ts'

/** A block's header with its kept logs (`keptOf`). Hashes are hex without 0x. */
export interface RunBlock extends Omit<BlockHeader, 'parentNumber'> {
  readonly transactions: readonly AltTransaction[]
}

/** Frames of blocks in ascending order. A frame never spans a gap: it ends before a block whose parent is not the previous block. */
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
