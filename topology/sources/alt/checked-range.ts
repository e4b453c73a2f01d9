// Whether what a node answered about a range of blocks is one chain that builds on ours. Pure.
import type { BloomReading } from './bloom.ts'
import type { NodeBlock, NodeLog } from './node.ts'
import type { Range } from './span.ts'

/** A block with its logs, in order of their index. */
export interface LoggedBlock {
  readonly block: NodeBlock
  readonly logs: readonly NodeLog[]
}

export type CheckedRange =
  /** They build on ours, one on the other: at least one, maybe fewer than were asked for. */
  | { readonly type: 'linked'; readonly blocks: readonly LoggedBlock[] }
  /** The node does not have the first of them yet. */
  | { readonly type: 'behind' }
  /** The first of them builds on another block than ours. */
  | { readonly type: 'fork' }
  /** Answers that do not belong together: of two branches, or wrong. */
  | { readonly type: 'contradiction'; readonly reason: string }

const contradiction = (reason: string): CheckedRange => ({ type: 'contradiction', reason })

/** `blocks` are the answers for each number of the range; `parentHash` is the hash of our block before it, null where there is none. */
export const checkRange = (
  { from, to }: Range,
  parentHash: string | null,
  blocks: readonly (NodeBlock | null)[],
  logs: readonly NodeLog[],
): CheckedRange => {
  const linked: NodeBlock[] = []
  for (const [place, block] of blocks.entries()) {
    if (block === null) break
    if (block.number !== from + place) return contradiction(`block ${from + place} is answered with block ${block.number}`)
    const before = linked.at(-1)?.hash ?? parentHash
    // A branch that changes within the range is read again from there.
    if (before !== null && block.parentHash !== before) break
    linked.push(block)
  }
  if (linked.length === 0) return blocks[0] === null || blocks[0] === undefined ? { type: 'behind' } : { type: 'fork' }
  const byNumber = new Map<number, NodeLog[]>(linked.map(({ number }) => [number, []]))
  for (const log of logs) {
    if (log.blockNumber < from || log.blockNumber > to) return contradiction(`a log of block ${log.blockNumber} in ${from} to ${to}`)
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

/** The block with its logs, or why they are not its own. */
export const withLogs = (block: NodeBlock, logs: readonly NodeLog[]): LoggedBlock | string => {
  const ordered = [...logs].sort((a, b) => a.logIndex - b.logIndex)
  for (const [place, log] of ordered.entries()) {
    const name = `log ${log.logIndex} of block ${block.number}`
    if (log.blockHash !== block.hash) return `${name} names another block hash (${log.blockHash})`
    if (ordered[place + 1]?.logIndex === log.logIndex) return `${name} is there twice`
    const { transactions } = block
    if (transactions !== null && transactions[log.transactionIndex]?.hash !== log.transactionHash)
      return `${name} names a transaction that is not at its place in the block (${log.transactionHash})`
  }
  return { block, logs: ordered }
}

/** True where the block's own filter has a topic of which no log was given: by chance, or because the node left logs out. */
export const isDoubtful = ({ logs }: LoggedBlock, { mayHave, isFull }: BloomReading): boolean => {
  if (mayHave === null || (isFull && logs.length > 0)) return false
  const given = new Set(logs.map(({ topics }) => topics[0]))
  return [...mayHave].some((topic) => !given.has(topic))
}
