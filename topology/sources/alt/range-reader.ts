// Reads a range of blocks with the launchpad's logs: headers in batches, logs in one request, doubtful blocks again by hash.
import { type BloomReading, bloomReader } from './bloom.ts'
import { type CheckedRange, checkRange, isDoubtful, type LoggedBlock, withLogs } from './checked-range.ts'
import { BLOCKS_BATCH_MAX, type EvmNode, type NodeBlock, NodeFailure, type NodeLog } from './node.ts'
import { LOGS_MAX, type Range, sizeOf } from './span.ts'

/** Maximum concurrent requests. */
const AT_ONCE_MAX = 4
/** Ranges up to this size are requested with transactions; in larger ones only the blocks with logs. */
const LIVE_BLOCKS_MAX = BLOCKS_BATCH_MAX
/** A response with this many logs may have been truncated at a limit of the node, in the middle of a block. */
const CUT_LOGS_MIN = 100

export class RangeReader {
  readonly #node: EvmNode
  readonly #topics: readonly string[]
  readonly #readBloom: (bloom: string) => BloomReading

  constructor(node: EvmNode, topics: readonly string[]) {
    this.#node = node
    this.#topics = topics
    this.#readBloom = bloomReader(topics)
  }
  /** `parentHash` as in checkRange. @throws NodeFailure `range`, also if the response is as long as a node's limit */
  async read(range: Range, parentHash: string | null, stop: AbortSignal): Promise<CheckedRange> {
    const { from } = range
    const numbers = Array.from({ length: sizeOf(range) }, (_, index) => from + index)
    const isLive = numbers.length <= LIVE_BLOCKS_MAX
    const [blocks, logs] = await Promise.all([this.#blocks(numbers, isLive, stop), this.#logs(range, stop)])
    const checked = checkRange(range, parentHash, blocks, logs)
    return checked.type === 'linked' ? this.#settleDoubts(checked.blocks, stop) : checked
  }
  /** Fetches missing transactions of blocks: by hash, so that they cannot belong to other blocks. */
  async withTransactions(blocks: readonly NodeBlock[], stop: AbortSignal): Promise<readonly (NodeBlock | null)[]> {
    const lacking = blocks.filter(({ transactions }) => transactions === null)
    const hashes = lacking.map(({ hash }) => hash)
    const answers = await this.#blocks(hashes, true, stop)
    const byHash = new Map(hashes.map((hash, index) => [hash, answers[index] ?? null]))
    return blocks.map((block) => (block.transactions === null ? (byHash.get(block.hash) ?? null) : block))
  }

  async #blocks(at: readonly (number | string)[], withTransactions: boolean, stop: AbortSignal): Promise<readonly (NodeBlock | null)[]> {
    const batches = Array.from({ length: Math.ceil(at.length / BLOCKS_BATCH_MAX) }, (_, batch) =>
      at.slice(batch * BLOCKS_BATCH_MAX, (batch + 1) * BLOCKS_BATCH_MAX),
    )
    return (await severalAtOnce(batches, (batch) => this.#node.blocks(batch, withTransactions, stop))).flat()
  }
  async #logs(range: Range, stop: AbortSignal): Promise<readonly NodeLog[]> {
    const logs = await this.#node.logs(range, this.#topics, stop)
    if (logs.length >= LOGS_MAX && sizeOf(range) > 1) throw new NodeFailure('range', `${logs.length} logs in one response`)
    return logs
  }
  /**
   * Requests logs again, by block hash, where the response may lack some: for blocks whose filter has a topic without a log, and for the
   * last block with logs if the response has CUT_LOGS_MIN logs or more. A node whose logs lag behind its head silently omits the newest
   * logs from a range, but fails for an unknown hash. If logs of one block were omitted, the response was truncated: then the logs of all
   * other blocks that may have some are requested again, too.
   */
  async #settleDoubts(blocks: readonly LoggedBlock[], stop: AbortSignal): Promise<CheckedRange> {
    const readings = blocks.map(({ block }) => this.#readBloom(block.logsBloom))
    const count = blocks.reduce((sum, { logs }) => sum + logs.length, 0)
    const cutAt = count >= CUT_LOGS_MIN ? blocks.findLastIndex(({ logs }) => logs.length > 0) : -1
    const doubtful = blocks.filter((one, index) => index === cutAt || isDoubtful(one, readings[index] as BloomReading))
    const again = await this.#byHash(doubtful, stop)
    const isCut = again.some((one, index) => typeof one === 'string' || one.logs.length > (doubtful[index] as LoggedBlock).logs.length)
    const distrusted = isCut ? blocks.filter((one, index) => !doubtful.includes(one) && readings[index]?.mayHave?.size !== 0) : []
    const settled = [...again, ...(await this.#byHash(distrusted, stop))]
    const reason = settled.find((one) => typeof one === 'string')
    if (reason !== undefined) return { type: 'contradiction', reason }
    const byHash = new Map((settled as readonly LoggedBlock[]).map((one) => [one.block.hash, one]))
    return { type: 'linked', blocks: blocks.map((one) => byHash.get(one.block.hash) ?? one) }
  }
  #byHash(blocks: readonly LoggedBlock[], stop: AbortSignal): Promise<readonly (LoggedBlock | string)[]> {
    return severalAtOnce(blocks, async ({ block }) => withLogs(block, await this.#node.logs({ hash: block.hash }, this.#topics, stop)))
  }
}

/** Responses in request order. Rejects with the first failure once all started requests have ended. */
const severalAtOnce = async <Item, Answer>(items: readonly Item[], ask: (item: Item) => Promise<Answer>): Promise<readonly Answer[]> => {
  const answers: Answer[] = []
  let next = 0
  let isFailed = false
  const worker = async (): Promise<void> => {
    while (next < items.length && !isFailed) {
      const index = next++
      try {
        answers[index] = await ask(items[index] as Item)
      } catch (failure) {
        isFailed = true
        throw failure
      }
    }
  }
  const results = await Promise.allSettled(Array.from({ length: Math.min(AT_ONCE_MAX, items.length) }, worker))
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return answers
}
