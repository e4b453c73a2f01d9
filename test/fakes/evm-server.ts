// A JSON-RPC server of a chain in memory, by HTTP and WebSocket: honest until a test makes it fail.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import type { BlockHead, NodeBlock, NodeLog } from '../../topology/sources/alt/node.ts'
import type { EvmBlock, EvmChain } from './evm-chain.ts'

/** What goes wrong with one HTTP request. */
export type ServerFault =
  | { readonly status: number; readonly retryAfter?: string; readonly body?: string }
  | { readonly hang: true }
  | { readonly cut: true }
  /** Answers every call of the request with this error. */
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly bytes: number }

interface Question {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

const SUBSCRIPTION = '0x1'
/** Part of every URL of the server: no notice may contain it. */
export const EVM_SECRET = 'not-to-be-told'

export class EvmServer {
  readonly #chain: EvmChain
  readonly #http = createServer((request, response) => void this.#serve(request, response))
  readonly #sockets = new WebSocketServer({ server: this.#http })
  readonly #held = new Set<ServerResponse>()
  /** Calls of each request, in order. */
  readonly asked: (readonly Question[])[] = []
  fault: ServerFault | undefined
  /** Whether the server supports the tags `safe` and `finalized`. */
  hasTags = true
  chainId = 4_663
  /** Larger ranges are refused. */
  rangeMax = Number.POSITIVE_INFINITY
  /** Most logs in one response about a range; the rest is silently omitted. */
  logsMax = Number.POSITIVE_INFINITY

  constructor(chain: EvmChain) {
    this.#chain = chain
  }
  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve))
    this.#sockets.on('connection', (socket) =>
      socket.on('message', (data) => {
        const { id } = JSON.parse(String(data)) as Question
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: SUBSCRIPTION }))
      }),
    )
  }
  get rpcUrl(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/?key=${EVM_SECRET}`
  }
  get wsUrl(): string {
    return this.rpcUrl.replace('http', 'ws')
  }
  announce(head: BlockHead): void {
    for (const socket of this.#sockets.clients)
      socket.send(
        JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription: SUBSCRIPTION, result: headerOf(head) } }),
      )
  }
  closeSockets(): void {
    for (const socket of this.#sockets.clients) socket.terminate()
  }
  async stop(): Promise<void> {
    this.closeSockets()
    for (const response of this.#held) response.destroy()
    this.#sockets.close()
    this.#http.closeAllConnections()
    await new Promise((resolve) => this.#http.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Question | Question[]
    const questions = Array.isArray(body) ? body : [body]
    this.asked.push(questions)
    const { fault } = this
    if (fault !== undefined && 'hang' in fault) return void this.#held.add(response)
    if (fault !== undefined && 'status' in fault)
      return void response
        .writeHead(fault.status, fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter })
        .end(fault.body ?? 'no')
    response.setHeader('content-type', 'application/json')
    if (fault !== undefined && 'bytes' in fault) return void response.end(`"${'x'.repeat(fault.bytes)}"`)
    const answers = questions.map((question) => ({ jsonrpc: '2.0', id: question.id, ...this.#answer(question) }))
    const text = JSON.stringify(Array.isArray(body) ? answers : answers[0])
    if (fault === undefined || !('cut' in fault)) return void response.end(text)
    response.setHeader('content-length', text.length)
    response.write(text.slice(0, text.length / 2))
    setTimeout(() => response.destroy(), 5)
  }
  #answer({ method, params }: Question): object {
    if (this.fault !== undefined && 'error' in this.fault) return { error: this.fault.error }
    if (method === 'eth_chainId') return { result: hex(this.chainId) }
    const { blocks } = this.#chain
    if (method === 'eth_getLogs') return this.#logs(params[0] as Filter)
    const [name, withTransactions] = params as [string, boolean]
    if ((name === 'safe' || name === 'finalized') && !this.hasTags)
      return { error: { code: -32_602, message: `unknown block tag ${name}` } }
    const tags: Readonly<Record<string, number>> = { latest: 0, safe: 32, finalized: 64 }
    const behind = tags[name]
    const block =
      behind === undefined
        ? blocks.find(({ number, hash }) => hash === name || hex(number) === name)
        : blocks[Math.max(0, blocks.length - 1 - behind)]
    return { result: block === undefined ? null : blockOf(block, withTransactions) }
  }
  #logs({ fromBlock, toBlock, blockHash, topics: [first] }: Filter): object {
    const { blocks } = this.#chain
    const found = blocks.filter(({ number, hash }) =>
      blockHash === undefined ? number >= Number(fromBlock) && number <= Number(toBlock) : hash === blockHash,
    )
    if (blockHash !== undefined && found.length === 0) return { error: { code: -32_000, message: 'unknown block' } }
    if (found.length > this.rangeMax) return { error: { code: -32_005, message: 'block range is too large' } }
    const logs = found.flatMap(({ logs }) => logs.filter(({ topics }) => first.includes(topics[0] as string)).map(logOf))
    return { result: blockHash === undefined ? logs.slice(0, this.logsMax) : logs }
  }
}

interface Filter {
  readonly fromBlock?: string
  readonly toBlock?: string
  readonly blockHash?: string
  readonly topics: readonly [readonly string[]]
}

const hex = (number: number): string => `0x${number.toString(16)}`
const headerOf = ({ number, hash, parentHash }: BlockHead): object => ({ number: hex(number), hash, parentHash })
const blockOf = (block: EvmBlock, withTransactions: boolean): object => ({
  ...headerOf(block),
  timestamp: hex((block as NodeBlock).time),
  logsBloom: block.logsBloom,
  transactions: withTransactions ? block.transactions : block.transactions.map(({ hash }) => hash),
})
const logOf = ({ blockNumber, transactionIndex, logIndex, ...rest }: NodeLog): object => ({
  ...rest,
  ...{ blockNumber: hex(blockNumber), transactionIndex: hex(transactionIndex), logIndex: hex(logIndex) },
  ...{ blockTimestamp: '0x0', removed: false },
})
