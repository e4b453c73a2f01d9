// The node port over JSON-RPC: requests by HTTP, announcements of blocks by WebSocket. Transport errors contain the URL, which may
// have a key: only their kind and the node's own message are passed on.
import { createClient, http, webSocket } from 'viem'
import { messageOf } from '../../../schemas/errors.ts'
import { atStop } from '../../waiting/waiting.ts'
import { BLOCKS_BATCH_MAX, type BlockHead, type EvmNode, type FinalityTag, type LogRange, NodeFailure } from './node.ts'
import { readBlock, readHead, readLogs, readQuantity } from './node-answers.ts'

/** Limit of one response: 10,000 logs are about 9 MB. */
const ANSWER_BYTES_MAX = 10 * 1024 * 1024
/** Limit of a batch of blocks with transactions. */
const BLOCKS_BYTES_MAX = 64 * 1024 * 1024
const WORDS_MAX = 200
const TOO_MANY_REQUESTS = 429
/** Providers have no common error codes: rate limits, and ranges or responses that are too large, are recognized by their messages. */
const LIMITED = /too many requests|rate.?limit|throttl|capacity|credits/i
const RANGE = /range|limit|exceed|too (large|many|big|wide)|results|response size|10,?000/i
/** Errors for an unsupported tag: no such parameter, or no such block. */
const NO_TAG = /unknown block|not found|unsupported|invalid|finalized|safe/i

export interface ViemNodeOptions {
  /** http(s); may contain a key. */
  readonly rpcUrl: string
  /** ws(s); may contain a key. Null: no announcements. */
  readonly wsUrl: string | null
}

/** A JSON-RPC response. */
interface Answer {
  readonly result?: unknown
  readonly error?: { readonly code?: unknown; readonly message?: unknown } | null
}

export const viemNode = ({ rpcUrl, wsUrl }: ViemNodeOptions): EvmNode => {
  // Timeouts and retries are the caller's; its signal aborts a request.
  const common = { raw: true, retryCount: 0, timeout: 0, onFetchResponse: refuseLimited } as const
  const batched = http(rpcUrl, { ...common, maxResponseBodySize: BLOCKS_BYTES_MAX, batch: { batchSize: BLOCKS_BATCH_MAX, wait: 0 } })({})
  const single = http(rpcUrl, { ...common, maxResponseBodySize: ANSWER_BYTES_MAX })({})
  const ask = async (client: typeof single, method: string, params: readonly unknown[], signal: AbortSignal): Promise<Answer> => {
    const request = client.request as (args: object, options: object) => Promise<Answer>
    const answer = await request({ method, params }, { signal }).catch((thrown: unknown) => Promise.reject(failureOf(thrown)))
    if (!answer.error && answer.result === undefined) throw new NodeFailure('unreadable', 'a response without a result')
    return answer
  }
  const one = async (method: string, params: readonly unknown[], stop: AbortSignal): Promise<unknown> =>
    resultOf(await ask(single, method, params, stop), false)
  return {
    chainId: async (stop) => readQuantity(await one('eth_chainId', [], stop)),
    latest: async (stop) => readBlock(await one('eth_getBlockByNumber', ['latest', false], stop)),
    tagged: async (tag: FinalityTag, stop) => {
      const answer = await ask(single, 'eth_getBlockByNumber', [tag, false], stop)
      if (answer.error && NO_TAG.test(String(answer.error.message))) return null
      const result = resultOf(answer, false)
      return result === null ? null : readHead(result)
    },
    blocks: (at, withTransactions, stop) =>
      Promise.all(
        at.map(async (place) => {
          const [method, name] = typeof place === 'number' ? ['eth_getBlockByNumber', hexOf(place)] : ['eth_getBlockByHash', place]
          const answer = resultOf(await ask(batched, method, [name, withTransactions], stop), false)
          return answer === null ? null : readBlock(answer)
        }),
      ),
    logs: async (range: LogRange, topics, stop) => {
      const isRange = 'from' in range && range.to > range.from
      const filter = 'hash' in range ? { blockHash: range.hash } : { fromBlock: hexOf(range.from), toBlock: hexOf(range.to) }
      return readLogs(resultOf(await ask(single, 'eth_getLogs', [{ ...filter, topics: [topics] }], stop), isRange))
    },
    heads: wsUrl === null ? null : (told, stop) => subscribe(wsUrl, told, stop),
  }
}

/** Resolves when the connection ends, or at `stop`. */
const subscribe = async (url: string, told: (head: BlockHead) => void, stop: AbortSignal): Promise<void> => {
  const client = createClient({ transport: webSocket(url, { reconnect: false, keepAlive: false, retryCount: 0 }) })
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  atStop(stop, end)
  let close = (): void => {}
  let isEnded = false
  client.transport.getRpcClient().then(
    (connection) => {
      close = () => connection.close()
      // The connection may open after the subscription has ended.
      if (isEnded) close()
    },
    () => {},
  )
  const subscribing = client.transport.subscribe({
    params: ['newHeads'],
    onData: ({ result }: { readonly result?: unknown }) => {
      try {
        if (!stop.aborted) told(readHead(result))
      } catch {
        // An unreadable announcement is ignored: polling covers it.
      }
    },
    onError: () => end(),
  })
  try {
    await Promise.race([ended, subscribing.then(() => ended)])
  } finally {
    isEnded = true
    // Also if the node has closed the connection: viem would reuse a client that was not closed here.
    close()
  }
}

const hexOf = (number: number): string => `0x${number.toString(16)}`

/** Runs before the body is read: a batch that is refused with 429 has no response for each request. */
const refuseLimited = ({ status, headers }: Response): void => {
  if (status !== TOO_MANY_REQUESTS) return
  const seconds = Number(headers.get('retry-after') ?? 0)
  throw new NodeFailure('limited', 'status 429', Number.isFinite(seconds) ? seconds * 1_000 : 0)
}

/** @throws NodeFailure for an error response; for a range, every error about a limit is `range` */
const resultOf = ({ error, result }: Answer, isRange: boolean): unknown => {
  if (!error) return result
  const words = `${String(error.code)}: ${scrubbed(String(error.message))}`
  if (error.code === TOO_MANY_REQUESTS || LIMITED.test(words)) throw new NodeFailure('limited', words)
  throw new NodeFailure(isRange && RANGE.test(words) ? 'range' : 'refused', words)
}

const scrubbed = (text: string): string => text.replace(/\w+:\/\/\S+/g, 'the address').slice(0, WORDS_MAX)

/** Classifies by name: errors of another realm (fetch under a test runner) fail `instanceof`. */
const failureOf = (thrown: unknown): NodeFailure => {
  const { name, status, cause } = thrown as { name?: string; status?: number; cause?: unknown }
  if (cause instanceof NodeFailure) return cause
  if (name === 'ResponseBodyTooLargeError')
    return new NodeFailure('range', `a response of more than ${ANSWER_BYTES_MAX} bytes, or ${BLOCKS_BYTES_MAX} for a batch of blocks`)
  if (name === 'AbortError' || name === 'TimeoutError') return new NodeFailure('late', 'no answer in time')
  if (status !== undefined) return new NodeFailure(status === TOO_MANY_REQUESTS ? 'limited' : 'refused', `status ${status}`)
  const why = (cause as { name?: string } | undefined)?.name
  if (name === 'TypeError' || why === 'SyntaxError') return new NodeFailure('unreadable', 'bytes that are not a JSON-RPC response')
  const reason = (cause as { cause?: unknown } | undefined)?.cause ?? cause ?? thrown
  return new NodeFailure('unreachable', scrubbed(messageOf(reason)))
}
