// Blocks and loose transactions of several files to frames: one per slot, in order, each transaction once.
import { bad, good, type Parsed } from '../../schemas/errors.ts'
import type { RawFrame } from '../../schemas/types.ts'
import { deflateBody, encodeBody, syntheticHash } from './frame.ts'
import { type PlacedTransaction, toFrameBody, touchesLaunchpad } from './normal-form.ts'
import type { SourceBlock, SourceTransaction } from './source-transaction.ts'

export interface MadeFrames {
  /** By slot; those of unknown slot first, numbered from 0 in the order given. Not yet in parts. */
  readonly frames: RawFrame[]
  /** Transactions taken in. */
  readonly transactions: number
  /** Of these, kept whole because they touch the launchpad. */
  readonly kept: number
  /** Transactions left out because their signature was there already. */
  readonly repeated: number
}

/** Numbers within the frame: the block's own where the file says them, for the others the free ones in order. */
const place = (transactions: readonly SourceTransaction[]): PlacedTransaction[] => {
  const taken = new Set<number>()
  const late: SourceTransaction[] = []
  const placed: PlacedTransaction[] = []
  for (const tx of transactions) {
    if (tx.index === null || taken.has(tx.index)) late.push(tx)
    else {
      taken.add(tx.index)
      placed.push({ index: tx.index, tx })
    }
  }
  let free = 0
  for (const tx of late) {
    while (taken.has(free)) free++
    taken.add(free)
    placed.push({ index: free, tx: { ...tx, index: null } })
  }
  return placed.sort((a, b) => a.index - b.index)
}

const toFrame = (
  blocks: readonly SourceBlock[],
  number: number,
  transactions: readonly SourceTransaction[],
  vouched: boolean,
): RawFrame => {
  const encoded = encodeBody(toFrameBody(place(transactions)))
  const block = blocks.find(({ hash }) => hash !== null)
  return {
    type: 'frame',
    chain: 'solana',
    number,
    hash: block?.hash ?? syntheticHash(encoded),
    hashSynthetic: block === undefined,
    parentNumber: block?.parentSlot ?? null,
    parentHash: block?.parentHash ?? null,
    status: 'finalized',
    blockTime: blocks.find(({ blockTime }) => blockTime !== null)?.blockTime ?? null,
    whole: blocks.some(({ whole }) => whole),
    placed: blocks[0]?.slot !== null,
    vouched,
    part: 0,
    parts: 1,
    body: deflateBody(encoded),
  }
}

const groupBySlot = (blocks: readonly SourceBlock[]): Map<number, SourceBlock[]> => {
  const bySlot = new Map<number, SourceBlock[]>()
  for (const block of blocks) {
    if (block.slot === null) continue
    const group = bySlot.get(block.slot)
    if (group) group.push(block)
    else bySlot.set(block.slot, [block])
  }
  return bySlot
}

/** Makes the frames. Bad data (bad_frame) where two files hold different blocks of one slot: a recording has one branch. */
export const makeFrames = (blocks: readonly SourceBlock[], vouched: boolean): Parsed<MadeFrames> => {
  const seen = new Set<string>()
  const made = { frames: [] as RawFrame[], transactions: 0, kept: 0, repeated: 0 }
  const add = (group: readonly SourceBlock[], number: number): void => {
    const all = group.flatMap(({ transactions }) => transactions)
    const fresh = all.filter(({ signature }) => !seen.has(signature) && seen.add(signature))
    made.repeated += all.length - fresh.length
    made.transactions += fresh.length
    made.kept += fresh.filter(touchesLaunchpad).length
    if (fresh.length > 0) made.frames.push(toFrame(group, number, fresh, vouched))
  }
  for (const [slot, group] of [...groupBySlot(blocks)].sort(([a], [b]) => a - b)) {
    const hashes = new Set(group.flatMap(({ hash }) => hash ?? []))
    if (hashes.size > 1) return bad('bad_frame', `the files hold different blocks of slot ${slot}: ${[...hashes].join(', ')}`)
    add(group, slot)
  }
  const placed = made.frames.splice(0)
  for (const [number, block] of blocks.filter(({ slot }) => slot === null).entries()) add([block], number)
  return good({ ...made, frames: [...made.frames, ...placed] })
}
