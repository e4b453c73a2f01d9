// A node that speaks JSON-RPC over HTTP and slot notifications over WebSocket. Serves the blocks that a test sets, and fails on request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { SourceTransaction } from '../../processors/chains/solana/source-transaction.ts'
import { toBase58 } from '../../schemas/keys.ts'
import { type ChainBlock, rpcBlock, rpcTransactionOf } from '../fixtures/chain-blocks.ts'

/**
 * How one request fails: with a status, without a response, with a connection cut in the body, with half a body, with an RPC error code, or
 * with a wrong result.
 */
export type RpcFault =
  | { readonly status: number; readonly retryAfter?: string; readonly body?: string }
  | { readonly hang: true }
  | { readonly cut: true }
  | { readonly truncated: true }
  | { readonly error: number }
  | { readonly result: unknown }

interface Ask {
  readonly method: string
  readonly params: readonly unknown[]
}

/** Does not simulate: commitment below `confirmed`, purging, rate limits. */
export class RpcNode {
  readonly #http = createServer((request, response) => void this.#serve(request, response))
  readonly #sockets = new WebSocketServer({ server: this.#http })
  readonly #held = new Set<ServerResponse>()
  readonly #texts = new Map<string, string>()
  /** Blocks of the branch that the node is on, by slot. */
  readonly blocks = new Map<number, ChainBlock>()
  /** Results of getBlock that are sent unchanged. */
  readonly recorded = new Map<number, string>()
  readonly asked: Ask[] = []
  readonly #times = new Map<string, number>()
  readonly #bySignature = new Map<string, readonly [slot: number, tx: SourceTransaction]>()
  /** Slot up to which all is confirmed; undefined: that of the newest block. */
  confirmed: number | undefined
  finalized = 0
  firstAvailable = 0
  /** Called for each request, returns its fault. `times`: number of earlier requests with the same method and first parameter. */
  fault: (ask: Ask, times: number) => RpcFault | undefined = () => undefined

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve))
    this.#sockets.on('connection', (socket) => {
      socket.on('message', (data) => {
        const { id, method } = JSON.parse(String(data)) as { id: unknown; method: string }
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'slotSubscribe' ? 7 : true }))
      })
    })
  }
  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/?key=${SECRET}`
  }
  get wsUrl(): string {
    return this.url.replace('http', 'ws')
  }
  get sockets(): ReadonlySet<WebSocket> {
    return this.#sockets.clients
  }
  add(...blocks: readonly ChainBlock[]): void {
    for (const block of blocks) {
      this.blocks.set(block.slot, block)
      for (const tx of block.transactions) this.#bySignature.set(toBase58(tx.signature), [block.slot, tx])
    }
  }
  /** Notifies all subscribers of the newest slot. */
  notify(): void {
    const slot = this.tip
    const params = { result: { parent: slot - 1, root: this.finalized, slot }, subscription: 7 }
    for (const socket of this.#sockets.clients) socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'slotNotification', params }))
  }
  get tip(): number {
    return this.confirmed ?? Math.max(0, ...this.blocks.keys(), ...this.recorded.keys())
  }
  async stop(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate()
    for (const response of this.#held) response.destroy()
    this.#sockets.close()
    this.#http.closeAllConnections()
    await new Promise((resolve) => this.#http.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as Ask & { id: number }
    const what = `${method} ${JSON.stringify(params[0])}`
    const times = this.#times.get(what) ?? 0
    this.#times.set(what, times + 1)
    this.asked.push({ method, params })
    const fault = this.fault({ method, params }, times)
    if (fault !== undefined && 'hang' in fault) {
      this.#held.add(response)
      return
    }
    if (fault !== undefined && 'status' in fault) {
      response.writeHead(fault.status, fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter }).end(fault.body ?? 'no')
      return
    }
    const text = this.#answer(id, method, params, fault)
    response.setHeader('content-type', 'application/json')
    if (fault !== undefined && 'cut' in fault) {
      response.setHeader('content-length', text.length)
      response.write(text.slice(0, text.length / 2))
      setTimeout(() => response.destroy(), 5)
    } else response.end(fault !== undefined && 'truncated' in fault ? text.slice(0, text.length / 2) : text)
  }
  #answer(id: number, method: string, params: readonly unknown[], fault: RpcFault | undefined): string {
    const error = (code: number): string => JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: `error ${code}` } })
    if (fault !== undefined && 'error' in fault) return error(fault.error)
    if (fault !== undefined && 'result' in fault) return JSON.stringify({ jsonrpc: '2.0', id, result: fault.result })
    if (method === 'getBlock') return this.#block(id, params[0] as number, params[1] as { transactionDetails: string }, error)
    const result = this.#result(method, params)
    return result === undefined ? error(-32_601) : JSON.stringify({ jsonrpc: '2.0', id, result })
  }
  #block(id: number, slot: number, { transactionDetails }: { transactionDetails: string }, error: (code: number) => string): string {
    if (slot < this.firstAvailable) return error(-32_001)
    if (slot > this.tip) return error(-32_004)
    const recorded = this.recorded.get(slot)
    if (recorded !== undefined) return `{"jsonrpc":"2.0","id":${id},"result":${recorded}}`
    const block = this.blocks.get(slot)
    if (block === undefined) return error(-32_007)
    const { hash, transactions } = block
    if (transactionDetails === 'signatures')
      return JSON.stringify({
        jsonrpc: '2.0',
        id,
        result: { blockhash: hash, signatures: transactions.map((tx) => toBase58(tx.signature)) },
      })
    const text = this.#texts.get(hash) ?? JSON.stringify(rpcBlock(block))
    this.#texts.set(hash, text)
    return `{"jsonrpc":"2.0","id":${id},"result":${text}}`
  }
  #result(method: string, params: readonly unknown[]): unknown {
    if (method === 'getSlot') return (params[0] as { commitment: string }).commitment === 'finalized' ? this.finalized : this.tip
    if (method === 'getFirstAvailableBlock') return this.firstAvailable
    if (method === 'getBlocks') {
      const [from, to] = params as [number, number]
      const slots = [...this.blocks.keys(), ...this.recorded.keys()]
      return slots.filter((slot) => slot >= Math.max(from, this.firstAvailable) && slot <= Math.min(to, this.tip)).sort((a, b) => a - b)
    }
    if (method !== 'getTransaction') return undefined
    const [slot = 0, tx] = this.#bySignature.get(String(params[0])) ?? []
    const block = this.blocks.get(slot)
    return tx !== undefined && block?.transactions.includes(tx) === true ? rpcTransactionOf(block, tx) : null
  }
}

/** Part of the address of every node; may appear in no log. */
export const SECRET = 'not-to-be-told'
