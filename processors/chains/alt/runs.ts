// Blocks to frames: quiet blocks wait until their run ends.
import type { AltTransaction, RawFrame } from '../../../schemas/types.ts'
import { endsRun, type FrameHead, toFrame } from './frame.ts'

/** A block as its header says, with what `keptOf` keeps of it. Hashes are hex without 0x. */
export interface RunBlock extends Omit<FrameHead, 'parentNumber'> {
  readonly transactions: readonly AltTransaction[]
}

/** Where the run begins. */
interface Open {
  readonly number: number
  readonly parentHash: string | null
}

/** Cuts blocks into frames. Blocks come in order, each upon the one before; after a fork, `restart`. */
export class Runs {
  #open: Open | undefined

  /** The frame that the block ends; undefined while its run goes on. `isLast`: the run ends with it though it is quiet. */
  add({ transactions, ...block }: RunBlock, isLast = endsRun(block.number)): RawFrame | undefined {
    const open = this.#open ?? { number: block.number, parentHash: block.parentHash }
    this.#open = open
    if (transactions.length === 0 && !isLast) return undefined
    this.#open = undefined
    return toFrame({ ...block, parentNumber: open.parentHash === null ? null : open.number - 1, parentHash: open.parentHash }, transactions)
  }
  /** Forgets the run that is open: the next block is the first of a new one. */
  restart(): void {
    this.#open = undefined
  }
}
