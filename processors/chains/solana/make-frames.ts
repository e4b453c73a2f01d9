// Builds frames from blocks and single transactions of several files: each transaction once, one frame per slot, in order. Blocks without a
// slot come first, one frame each, numbered from 0. A slot or block that adds no transaction gets no frame.
import { bad, good, type Parsed } from '../../../schemas/errors.ts'
import { toBase58 } from '../../../schemas/keys.ts'
import type { FrameTransaction, Missing, RawFrame } from '../../../schemas/types.ts'
import type { MadeFrames } from '../chain.ts'
import { mintsSeen } from './decode-frame.ts'
import { deflateBody, encodeBody, syntheticHash } from './frame.ts'
import { type LaunchpadMints, type PlacedTransaction, toFrameBody, touchesLaunchpad } from './normal-form.ts'
import { type SourceBlock, type SourceError, type SourceTransaction, unplaced } from './source-transaction.ts'

/**
 * Assigns each transaction its index within the frame: its index in the block, or the next free one if the file states none or an earlier
 * transaction has the same.
 */
const withIndexes = (transactions: readonly SourceTransaction[]): PlacedTransaction[] => {
  const taken = new Set<number>()
  const unindexed: SourceTransaction[] = []
  const placed: PlacedTransaction[] = []
  for (const tx of transactions) {
    if (tx.index === null || taken.has(tx.index)) unindexed.push(tx)
    else {
      taken.add(tx.index)
      placed.push({ index: tx.index, tx })
    }
  }
  let free = 0
  for (const tx of unindexed) {
    while (taken.has(free)) free++
    taken.add(free)
    placed.push({ index: free, tx: unplaced(tx) })
  }
  return placed.sort((a, b) => a.index - b.index)
}

/** The launchpad's mints known at slot `number`; `transactions`: the slot's transactions that involve the launchpad. */
type MintsOf = (number: number, transactions: readonly FrameTransaction[]) => LaunchpadMints

/** The frame of a block with known slot and hash, not yet split in parts; every parsed transaction must have an index. */
export const frameOfBlock = (
  block: SourceBlock & { readonly slot: number; readonly hash: string },
  status: RawFrame['status'],
  mintsOf: MintsOf,
): RawFrame => {
  const made = toFrame([block], block.slot, block.transactions, { vouched: false, mintsOf })
  return { ...made, status, missing: block.errors.map((error) => missingOf(block.slot, error)) }
}

const missingOf = (slot: number, { index, reason }: SourceError): Missing => ({
  from: slot,
  to: slot,
  reason: index === null ? reason : `transaction ${index} cannot be parsed: ${reason}`,
  signature: null,
  mints: [],
})

const toFrame = (
  blocks: readonly SourceBlock[],
  number: number,
  transactions: readonly SourceTransaction[],
  { vouched, mintsOf }: { readonly vouched: boolean; readonly mintsOf: MintsOf },
): RawFrame => {
  const encoded = encodeBody(toFrameBody(withIndexes(transactions), (kept) => mintsOf(number, kept)))
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
    missing: [],
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

/**
 * Builds the frames. `vouched`: the importer states that the files contain everything about the frames' mints. Bad data (bad_frame) where
 * two files hold different blocks of one slot: a recording has one branch.
 */
export const makeFrames = (blocks: readonly SourceBlock[], vouched: boolean): Parsed<MadeFrames> => {
  const seen = new Set<string>()
  const mints = new Set<string>()
  const mintsOf = (number: number, kept: readonly FrameTransaction[]): LaunchpadMints => {
    for (const mint of mintsSeen(number, kept).proven) mints.add(toBase58(mint))
    return mints
  }
  const made = { frames: [] as RawFrame[], transactions: 0, kept: 0, repeated: 0 }
  const add = (group: readonly SourceBlock[], number: number): void => {
    const all = group.flatMap(({ transactions }) => transactions)
    const fresh = all.filter(({ signature }) => !seen.has(signature) && seen.add(signature))
    made.repeated += all.length - fresh.length
    made.transactions += fresh.length
    made.kept += fresh.filter(touchesLaunchpad).length
    if (fresh.length > 0) made.frames.push(toFrame(group, number, fresh, { vouched, mintsOf }))
  }
  for (const [slot, group] of [...groupBySlot(blocks)].sort(([a], [b]) => a - b)) {
    const hashes = new Set(group.flatMap(({ hash }) => hash ?? []))
    if (hashes.size > 1) return bad('bad_frame', `the files hold different blocks of slot ${slot}: ${[...hashes].join(', ')}`)
    add(group, slot)
  }
  const placed = made.frames.splice(0)
  const unplaced = blocks.filter(({ slot, transactions }) => slot === null && transactions.length > 0)
  for (const [number, block] of unplaced.entries()) add([block], number)
  return good({ ...made, frames: [...made.frames, ...placed] })
}
