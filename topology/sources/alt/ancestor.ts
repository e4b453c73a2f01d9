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
 * everything below a shared block is shared. The search asks for the newest few blocks first. Then it narrows the range between the newest
 * block known to be shared and the oldest block known to differ.
 */
export const searchAncestor = (ours: readonly OwnBlock[], answers: Answers): Search => {
  const isShared = (block: OwnBlock): boolean => answers.get(block.number) === block.hash
  const newestShared = ours.findLastIndex(isShared)
  const oldestOther = ours.findIndex((block, index) => index > newestShared && answers.has(block.number))
  const end = oldestOther < 0 ? ours.length : oldestOther
  if (end === 0) return { type: 'none' }
  const ancestor = ours[newestShared]
  if (ancestor !== undefined && newestShared === end - 1) return { type: 'found', ancestor }
  return { type: 'ask', numbers: indexesBetween(newestShared, end, oldestOther < 0).map((index) => (ours[index] as OwnBlock).number) }
}

/** Indexes after `low` and before `end`: the last ones if `isFirst`, else evenly spaced ones that include the lowest. */
const indexesBetween = (low: number, end: number, isFirst: boolean): readonly number[] => {
  const count = Math.min(BLOCKS_BATCH_MAX, end - low - 1)
  if (isFirst) return Array.from({ length: count }, (_, i) => end - count + i)
  const step = (end - low - 1) / count
  return Array.from({ length: count }, (_, i) => low + 1 + Math.floor(i * step))
}
