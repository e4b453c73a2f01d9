// Builds frames from the blocks of several files: one for each block with logs of the launchpad. Quiet blocks (without such logs) share
// the frame of a later block: frame.ts has the rules.
import { bad, good, type Parsed } from '../../../schemas/errors.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { ChainFiles, FileBlock, MadeFrames } from '../chain.ts'
import { type AltFileBlock, BlockParts } from './file-blocks.ts'
import { keptOf, launchedToken } from './kept-logs.ts'
import type { Launchpad } from './launchpad.ts'
import { framesOfBlocks, type RunBlock } from './runs.ts'

const hexOf = (latin1: string): string => Buffer.from(latin1, 'latin1').toString('hex')

/** Merges blocks that several files contain. `repeated`: number of copies of transactions beyond the first of each. */
const mergedOf = (blocks: readonly AltFileBlock[]): Parsed<{ readonly blocks: AltFileBlock[]; readonly repeated: number }> => {
  const byNumber = new Map<number, AltFileBlock[]>()
  for (const block of blocks) {
    if (block.number === null) continue
    const group = byNumber.get(block.number) ?? []
    byNumber.set(block.number, [...group, block])
  }
  const merged: AltFileBlock[] = []
  let repeated = 0
  for (const [number, group] of [...byNumber].sort(([a], [b]) => a - b)) {
    const hashes = new Set(group.map(({ hash }) => hash))
    if (hashes.size > 1)
      return bad('bad_frame', `the files hold different blocks with number ${number}: ${[...hashes].map(hexOf).join(', ')}`)
    const parts = new BlockParts(number, (group[0] as AltFileBlock).hash)
    for (const block of group) parts.add(block)
    const block = parts.block()
    repeated += group.reduce((sum, { transactions }) => sum + transactions.length, -block.transactions.length)
    merged.push(block)
  }
  return good({ blocks: merged, repeated })
}

/** True if the block's transactions are all known and the logs of each are complete. */
const isWhole = ({ hashes, received }: AltFileBlock): boolean => {
  const known = new Set(received)
  return hashes?.every((hash) => known.has(hash)) ?? false
}

/** The kept logs of each block. A block without kept logs is included only if its logs are complete: otherwise it may not be quiet. */
const runBlocks = (blocks: readonly AltFileBlock[], launchpad: Launchpad): RunBlock[] => {
  const tokens = new Set<Key>()
  return blocks.flatMap((block) => {
    const logs = block.transactions.flatMap((tx) => tx.logs)
    for (const log of logs) {
      const token = launchedToken(log, launchpad)
      if (token !== undefined) tokens.add(token)
    }
    const transactions = keptOf(block.transactions, { hasToken: (token) => tokens.has(token) }, launchpad)
    const whole = isWhole(block)
    if (block.number === null || (transactions.length === 0 && !whole)) return []
    const { number, hash, parentHash, time } = block
    const hashes = { hash: hexOf(hash), parentHash: parentHash && hexOf(parentHash) }
    return [{ number, ...hashes, blockTime: time, status: 'finalized' as const, whole, transactions }]
  })
}

/** Bad data (bad_frame) if two files contain different blocks with one number: a recording has one branch. */
export const makeFramesOf =
  (launchpad: Launchpad): ChainFiles['frames'] =>
  (files: readonly FileBlock[], vouched: boolean): Parsed<MadeFrames> => {
    const merged = mergedOf(files as readonly AltFileBlock[])
    if (!merged.ok) return merged
    const { blocks, repeated } = merged.value
    const keptBlocks = runBlocks(blocks, launchpad)
    const frames = framesOfBlocks(keptBlocks).map((frame) => ({ ...frame, vouched }))
    const transactions = blocks.reduce((sum, block) => sum + block.transactions.length, 0)
    return good({ frames, transactions, kept: keptBlocks.reduce((sum, block) => sum + block.transactions.length, 0), repeated })
  }
