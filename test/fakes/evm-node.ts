// An in-memory chain behind the node port: honest until a test makes it return wrong data, lag, stall or fail.
import {
  type BlockHead,
  type EvmNode,
  type FinalityTag,
  type LogRange,
  type NodeBlock,
  NodeFailure,
  type NodeLog,
  type Trouble,
} from '../../topology/sources/alt/node.ts'
import { atStop, stopped } from '../../topology/waiting/waiting.ts'
import type { EvmBlock, EvmChain } from './evm-chain.ts'

export type Method = 'chainId' | 'latest' | 'tagged' | 'blocks' | 'logs'

export interface Call {
  readonly method: Method
  readonly what: unknown
  /** Calls of this method so far, this one included. */
  readonly times: number
}

/** What goes wrong with one call. */
export type Fault =
  | { readonly trouble: Trouble; readonly waitMs?: number }
  | { readonly hang: true }
  /** Answers as a node that lacks this many of the newest blocks: a range silently omits their logs. */
  | { readonly lag: number }
  /** Returns other blocks or logs than those of the chain. */
  | { readonly blocks: (honest: readonly (NodeBlock | null)[]) => readonly (NodeBlock | null)[] }
  | { readonly logs: (honest: readonly NodeLog[]) => readonly NodeLog[] }

/** How blocks are announced. */
export type Announcing = 'each' | 'silent' | 'closed'

export class HostileNode implements EvmNode {
  readonly #chain: EvmChain
  readonly #listeners = new Set<{ onHead(head: BlockHead): void; end(): void }>()
  readonly asked: { method: Method; what: unknown }[] = []
  id = 4_663
  /** Distance of the tags from the head; null: not served. */
  tags: { safe: number; finalized: number } | null = { safe: 32, finalized: 64 }
  /** Larger ranges are refused. */
  rangeMax = Number.POSITIVE_INFINITY
  /** Most logs in one response about a range; the rest is silently omitted. */
  logsMax = Number.POSITIVE_INFINITY
  announcing: Announcing = 'each'
  /** Decides for each call whether it fails. */
  fault: (call: Call) => Fault | undefined = () => undefined

  constructor(chain: EvmChain) {
    this.#chain = chain
  }
  get subscriptions(): number {
    return this.#listeners.size
  }
  announce(head: BlockHead): void {
    if (this.announcing !== 'each') return
    for (const { onHead } of this.#listeners) onHead({ number: head.number, hash: head.hash, parentHash: head.parentHash })
  }
  /** Ends every subscription. */
  close(): void {
    for (const { end } of this.#listeners) end()
  }
  readonly heads = (onHead: (head: BlockHead) => void, stop: AbortSignal): Promise<void> => {
    if (this.announcing === 'closed') return Promise.reject(new NodeFailure('unreachable', 'no connection'))
    return new Promise((resolve) => {
      const listener = {
        onHead,
        end: (): void => {
          this.#listeners.delete(listener)
          resolve()
        },
      }
      this.#listeners.add(listener)
      atStop(stop, listener.end)
    })
  }
  chainId(stop: AbortSignal): Promise<number> {
    return this.#answer('chainId', null, stop, () => this.id)
  }
  latest(stop: AbortSignal): Promise<NodeBlock> {
    return this.#answer('latest', null, stop, (blocks) => bare(blocks.at(-1) as EvmBlock))
  }
  tagged(tag: FinalityTag, stop: AbortSignal): Promise<BlockHead | null> {
    return this.#answer('tagged', tag, stop, (blocks) => {
      if (this.tags === null) return null
      const { number, hash, parentHash } = blocks[Math.max(0, blocks.length - 1 - this.tags[tag])] as EvmBlock
      return { number, hash, parentHash }
    })
  }
  blocks(at: readonly (number | string)[], withTransactions: boolean, stop: AbortSignal): Promise<readonly (NodeBlock | null)[]> {
    return this.#answer('blocks', at, stop, (blocks, fault) => {
      const found = at.map((tag) => (typeof tag === 'number' ? blocks[tag] : blocks.find(({ hash }) => hash === tag)))
      const answer = found.map((block) => (block === undefined ? null : withTransactions ? whole(block) : bare(block)))
      return fault !== undefined && 'blocks' in fault ? fault.blocks(answer) : answer
    })
  }
  logs(range: LogRange, topics: readonly string[], stop: AbortSignal): Promise<readonly NodeLog[]> {
    return this.#answer('logs', range, stop, (blocks, fault) => {
      const logs = this.#logsOf(blocks, range).filter((log) => topics.includes(log.topics[0] ?? ''))
      return fault !== undefined && 'logs' in fault ? fault.logs(logs) : logs
    })
  }

  #logsOf(blocks: readonly EvmBlock[], range: LogRange): readonly NodeLog[] {
    if ('hash' in range) {
      const block = blocks.find(({ hash }) => hash === range.hash)
      if (block === undefined) throw new NodeFailure('refused', 'unknown block')
      return block.logs
    }
    if (range.to - range.from >= this.rangeMax) throw new NodeFailure('range', 'block range is too large')
    return blocks
      .slice(range.from, range.to + 1)
      .flatMap(({ logs }) => logs)
      .slice(0, this.logsMax)
  }
  /** Answers in a later turn of the event loop, like a real node. */
  async #answer<Answer>(
    method: Method,
    what: unknown,
    stop: AbortSignal,
    read: (blocks: readonly EvmBlock[], fault: Fault | undefined) => Answer,
  ): Promise<Answer> {
    this.asked.push({ method, what })
    const fault = this.fault({ method, what, times: this.asked.filter((one) => one.method === method).length })
    if (fault !== undefined && 'hang' in fault) await stopped(stop)
    else await new Promise((resolve) => setImmediate(resolve))
    if (stop.aborted) throw new NodeFailure('late', 'stopped')
    if (fault !== undefined && 'trouble' in fault) throw new NodeFailure(fault.trouble, `set to fail: ${fault.trouble}`, fault.waitMs)
    const { blocks } = this.#chain
    const lag = fault !== undefined && 'lag' in fault ? fault.lag : 0
    return read(blocks.slice(0, Math.max(1, blocks.length - lag)), fault)
  }
}

const bare = ({ number, hash, parentHash, time, logsBloom }: EvmBlock): NodeBlock => ({
  ...{ number, hash, parentHash, time, logsBloom },
  transactions: null,
})
const whole = (block: EvmBlock): NodeBlock => ({ ...bare(block), transactions: block.transactions })
