// Searches for the newest of our blocks that a node's branch shares, with few requests at a time. Pure.
import { BLOCKS_BATCH_MAX } from './node.ts'
import type { OwnBlock } from './window.ts'

/** Hashes returned by the node, by number. */
type Answers = ReadonlyMap<number, string>

export type Search =
  /** Block numbers to request from the node next: at most BLOCKS_BATCH_MAX, none of them answered yet. */
  | { readonly type: 'ask'; readonly numbers: readonly number[] }
  | { readonly type: 'found'; readonly ancestor: OwnBlock }
  /** The node shares none of these blocks. */
  | { readonly type: 'none' }

/**
 * The next step of the search for the newest of `ours` (ascending) that the node's branch has. A block's hash covers all its ancestors, so
 * everything below a shared block is shared: after the newest few, the search narrows between the newest shared and the oldest other block.
 */
export const searchAncestor = (ours: readonly OwnBlock[], answers: Answers): Search => {
  const isShared = (block: OwnBlock): boolean => answers.get(block.number) === block.hash
  const shared = ours.findLastIndex(isShared)
  const other = ours.findIndex((block, index) => index > shared && answers.has(block.number))
  const end = other < 0 ? ours.length : other
  if (end === 0) return { type: 'none' }
  const ancestor = ours[shared]
  if (ancestor !== undefined && shared === end - 1) return { type: 'found', ancestor }
  return { type: 'ask', numbers: placesBetween(shared, end, other < 0).map((index) => (ours[index] as OwnBlock).number) }
}

/** Indexes after `low` and before `end`: the last ones at first, then evenly spaced, including the lowest. */
const placesBetween = (low: number, end: number, isFirst: boolean): readonly number[] => {
  const count = Math.min(BLOCKS_BATCH_MAX, end - low - 1)
  if (isFirst) return Array.from({ length: count }, (_, i) => end - count + i)
  const step = (end - low - 1) / count
  return Array.from({ length: count }, (_, i) => low + 1 + Math.floor(i * step))
}
