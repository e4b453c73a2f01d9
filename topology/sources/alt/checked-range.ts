// Checks that a node's responses about a range of blocks form one chain that builds on ours. Pure.
import type { BloomReading } from './bloom.ts'
import type { NodeBlock, NodeLog } from './node.ts'
import type { Range } from './span.ts'

/** A block with its logs, ordered by index. */
export interface LoggedBlock {
  readonly block: NodeBlock
  readonly logs: readonly NodeLog[]
}

export type CheckedRange =
  /** Blocks linked to ours and to each other: at least one, possibly fewer than requested. */
  | { readonly type: 'linked'; readonly blocks: readonly LoggedBlock[] }
  /** The node does not have the first block yet. */
  | { readonly type: 'behind' }
  /** The first block builds on a block other than ours. */
  | { readonly type: 'fork' }
  /** Inconsistent responses: of two branches, or wrong. */
  | { readonly type: 'contradiction'; readonly reason: string }

const contradiction = (reason: string): CheckedRange => ({ type: 'contradiction', reason })

/** `blocks` are the responses for each number of the range; `parentHash` is the hash of our preceding block, null if there is none. */
export const checkRange = (
  { from, to }: Range,
  parentHash: string | null,
  blocks: readonly (NodeBlock | null)[],
  logs: readonly NodeLog[],
): CheckedRange => {
  const linked: NodeBlock[] = []
  for (const [place, block] of blocks.entries()) {
    if (block === null) break
    if (block.number !== from + place) return contradiction(`block ${from + place} was answered with block ${block.number}`)
    const before = linked.at(-1)?.hash ?? parentHash
    // If the branch changes within the range, the rest is read again later.
    if (before !== null && block.parentHash !== before) break
    linked.push(block)
  }
  if (linked.length === 0) return blocks[0] === null || blocks[0] === undefined ? { type: 'behind' } : { type: 'fork' }
  const byNumber = new Map<number, NodeLog[]>(linked.map(({ number }) => [number, []]))
  for (const log of logs) {
    if (log.blockNumber < from || log.blockNumber > to)
      return contradiction(`a log of block ${log.blockNumber} in the response for ${from} to ${to}`)
    byNumber.get(log.blockNumber)?.push(log)
  }
  const logged: LoggedBlock[] = []
  for (const block of linked) {
    const checked = withLogs(block, byNumber.get(block.number) ?? [])
    if (typeof checked === 'string') return contradiction(checked)
    logged.push(checked)
  }
  return { type: 'linked', blocks: logged }
}

/** The block with its logs, or why the logs do not belong to it. */
export const withLogs = (block: NodeBlock, logs: readonly NodeLog[]): LoggedBlock | string => {
  const ordered = [...logs].sort((a, b) => a.logIndex - b.logIndex)
  for (const [place, log] of ordered.entries()) {
    const name = `log ${log.logIndex} of block ${block.number}`
    if (log.blockHash !== block.hash) return `${name} has another block hash (${log.blockHash})`
    if (ordered[place + 1]?.logIndex === log.logIndex) return `${name} is duplicate`
    const { transactions } = block
    if (transactions !== null && transactions[log.transactionIndex]?.hash !== log.transactionHash)
      return `${name} has a transaction that is not at its index in the block (${log.transactionHash})`
  }
  return { block, logs: ordered }
}

/** True if the block's filter has a topic without a log: a false positive, or the node omitted logs. */
export const isDoubtful = ({ logs }: LoggedBlock, { mayHave, isFull }: BloomReading): boolean => {
  if (mayHave === null || (isFull && logs.length > 0)) return false
  const given = new Set(logs.map(({ topics }) => topics[0]))
  return [...mayHave].some((topic) => !given.has(topic))
}
