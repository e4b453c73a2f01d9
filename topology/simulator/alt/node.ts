// A node of the demo's chain, for the live source. It does not simulate calls, gas, receipts or the failures of a real node. The Bloom
// filters of its blocks are empty, so the source ignores them.
import { createHash } from 'node:crypto'
import {
  type BlockHead,
  type EvmNode,
  type FinalityTag,
  type LogRange,
  type NodeBlock,
  NodeFailure,
  type NodeLog,
} from '../../sources/alt/node.ts'
import { pause, yieldToEventLoop } from '../../waiting/waiting.ts'
import { type DemoChain, FIRST_BLOCK } from './chain.ts'
import type { DraftTransaction } from './curve.ts'
import type { AltMarket } from './market.ts'

const CHAIN_ID = 4_663
const NO_FILTER = `0x${'00'.repeat(256)}`
/** Transactions are kept for this many blocks behind the newest requested one: more than any fork and any range. */
const HELD_BLOCKS = 4_096
/** Blocks simulated between yields to the event loop. */
const TURN_BLOCKS = 128
const ANNOUNCE_MS_MIN = 5
/** Blocks of each tag behind the newest block: fewer than on a real layer-2 chain. */
const TAGGED: Readonly<Record<FinalityTag, number>> = { safe: 50, finalized: 300 }

export interface DemoNodeOptions {
  readonly chain: DemoChain
  readonly market: Pick<AltMarket, 'block'>
  /** Number of the newest block now. */
  readonly head: () => number
}

export class DemoNode implements EvmNode {
  readonly #options: DemoNodeOptions
  readonly #held = new Map<number, readonly DraftTransaction[]>()
  /** Numbers of headers that were returned, by hash; the oldest are evicted. */
  readonly #numbers = new Map<string, number>()
  #made = FIRST_BLOCK - 1

  constructor(options: DemoNodeOptions) {
    this.#options = options
  }
  async chainId(): Promise<number> {
    return CHAIN_ID
  }
  async latest(stop: AbortSignal): Promise<NodeBlock> {
    refuseStopped(stop)
    const head = this.#options.head()
    return { ...this.#head(head, head), transactions: null }
  }
  async tagged(tag: FinalityTag, stop: AbortSignal): Promise<BlockHead | null> {
    refuseStopped(stop)
    const head = this.#options.head()
    return this.#head(Math.max(FIRST_BLOCK, head - TAGGED[tag]), head)
  }
  async blocks(at: readonly (number | string)[], withTransactions: boolean, stop: AbortSignal): Promise<readonly (NodeBlock | null)[]> {
    const head = this.#options.head()
    const numbers = at.map((one) => (typeof one === 'number' ? one : this.#numberOf(one, head)))
    if (withTransactions) await this.#advance(Math.min(head, Math.max(...numbers.map((number) => number ?? 0))), stop)
    return numbers.map((number) => {
      if (number === null || number > head || number < FIRST_BLOCK) return null
      const block = this.#head(number, head)
      return { ...block, transactions: withTransactions ? this.#transactions(block, head) : null }
    })
  }
  async logs(range: LogRange, topics: readonly string[], stop: AbortSignal): Promise<readonly NodeLog[]> {
    const head = this.#options.head()
    const named = 'hash' in range ? this.#numberOf(range.hash, head) : null
    if ('hash' in range && named === null) throw new NodeFailure('refused', 'unknown block')
    const [from, to] = 'hash' in range ? [named ?? 0, named ?? 0] : [range.from, Math.min(range.to, head)]
    await this.#advance(to, stop)
    const wanted = new Set(topics)
    const logs: NodeLog[] = []
    for (let number = from; number <= to; number++) logs.push(...this.#logsOf(number, head, wanted))
    return logs
  }
  readonly heads = async (notify: (head: BlockHead) => void, stop: AbortSignal): Promise<void> => {
    for (let newest = FIRST_BLOCK - 1; !stop.aborted; await pause(ANNOUNCE_MS_MIN, stop)) {
      const head = this.#options.head()
      if (head > newest) notify(this.#head(head, head))
      newest = Math.max(newest, head)
    }
  }

  #head(number: number, head: number): NodeBlock {
    const { chain } = this.#options
    const [hash, parentHash] = [chain.hashOf(number, head), chain.hashOf(number - 1, head)]
    this.#numbers.set(hash, number)
    if (this.#numbers.size > HELD_BLOCKS) this.#numbers.delete(this.#numbers.keys().next().value as string)
    return { number, hash, parentHash, time: chain.timeOf(number), logsBloom: NO_FILTER, transactions: null }
  }
  /** For a block whose header was returned, if it is still on the current branch. */
  #numberOf(hash: string, head: number): number | null {
    const number = this.#numbers.get(hash)
    return number !== undefined && this.#options.chain.hashOf(number, head) === hash ? number : null
  }
  /** Simulates blocks up to a number. */
  async #advance(number: number, stop: AbortSignal): Promise<void> {
    while (this.#made < number) {
      refuseStopped(stop)
      const made = this.#options.market.block()
      this.#made = made.number
      this.#held.set(made.number, made.transactions)
      this.#held.delete(made.number - HELD_BLOCKS)
      if (made.number % TURN_BLOCKS === 0) await yieldToEventLoop()
    }
  }
  #content(number: number, head: number): readonly DraftTransaction[] {
    return this.#options.chain.hasContent(number, head) ? (this.#held.get(number) ?? []) : []
  }
  #transactions({ number, hash }: BlockHead, head: number) {
    return this.#content(number, head).map(({ from, to }, index) => ({ hash: transactionHash(hash, index), from, to }))
  }
  #logsOf(number: number, head: number, topics: ReadonlySet<string>): NodeLog[] {
    const content = this.#content(number, head)
    if (content.length === 0) return []
    const blockHash = this.#options.chain.hashOf(number, head)
    let logIndex = 0
    return content.flatMap(({ logs }, transactionIndex) => {
      const common = { blockNumber: number, blockHash, transactionIndex, transactionHash: transactionHash(blockHash, transactionIndex) }
      return logs.flatMap((log) => {
        const whole = { ...common, logIndex: logIndex++, ...log }
        return topics.has(log.topics[0] ?? '') ? [whole] : []
      })
    })
  }
}

const transactionHash = (blockHash: string, index: number): string =>
  `0x${createHash('sha256').update(`${blockHash} ${index}`).digest('hex')}`

const refuseStopped = (stop: AbortSignal): void => {
  if (stop.aborted) throw new NodeFailure('unreachable', 'the demo was stopped')
}
