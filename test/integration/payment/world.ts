// A seller, a buyer and the sandbox between them: everything real but the money. The shop is the smallest Koa app behind the gate.
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { x402Client } from '@x402/core/client'
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http'
import type { PaymentPayload, PaymentRequired } from '@x402/core/types'
import { wrapFetchWithPayment } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import Koa, { type Context } from 'koa'
import { HttpPayments } from '../../../query-api/http/http-payments.ts'
import { outcomeResult } from '../../../query-api/mcp/results.ts'
import { createGate, type GateOptions } from '../../../query-api/payment/create-gate.ts'
import type { PaymentGate } from '../../../query-api/payment/gate.ts'
import type { PaymentEntry } from '../../../query-api/payment/stores/idempotency-store.ts'
import type { SettlementLine } from '../../../query-api/payment/stores/settlement-log.ts'
import { TableLog } from '../../../query-api/payment/stores/table-log.ts'
import { TableIdempotencyStore } from '../../../query-api/payment/stores/table-store.ts'
import type { Answer } from '../../../query-api/questions/bodies.ts'
import { createMemoryTable } from '../../../topology/data-dir/memory-table.ts'
import type { DurableTable } from '../../../topology/ports/ledger.ts'
import { signerOf } from '../../../topology/sandbox/keys.ts'
import { type Sandbox, startSandbox } from '../../../topology/sandbox/sandbox.ts'
import { readWallet } from '../../../topology/sandbox/wallet.ts'
import { startLocal } from '../../tools/local-server.ts'
import { type FaultyFacilitator, startFaultyFacilitator } from './faulty-facilitator.ts'

export const PRICE_MICRO_USDC = 25_000

export interface Shop {
  readonly url: string
  /** Answers made, by path. */
  readonly runs: Map<string, number>
  readonly notices: string[]
  close(): Promise<void>
  /** Ends as a kill would: connections are cut, nothing is awaited. */
  cut(): Promise<void>
}

/** `table`: the store of its book. */
type ShopOptions = Partial<GateOptions> & { readonly table?: DurableTable<PaymentEntry> }

export interface World {
  readonly sandbox: Sandbox
  readonly facilitator: FaultyFacilitator
  readonly shop: Shop
  /** Wall ms; drives blockhashes and the book of payments. */
  time: { offsetMs: number }
  /** A shop over the same sandbox, with its own options; `blind` has no chain node. */
  open(options?: ShopOptions, view?: 'blind'): Promise<Shop>
  /** Terms of a 402. */
  terms(url: string): Promise<PaymentRequired>
  /** Signs with the official client; `edit` may change the terms before, `after` the payload after. */
  signed(url: string, edit?: (terms: PaymentRequired) => void, after?: (payload: PaymentPayload) => void): Promise<string>
  /** The official fetch, and the header that it sent last. */
  buyer(): Promise<{ readonly pay: typeof fetch; readonly sent: { header: string } }>
  spentMicroUsdc(): Promise<number>
  close(): Promise<void>
}

export const send = (url: string, header: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { headers: { 'PAYMENT-SIGNATURE': header, ...headers } })

export const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
export const decode = (header: string): PaymentPayload => JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as PaymentPayload

/** Where the shop sells the same over a second transport. */
export const TOOLS_PATH = '/mcp'

const OFFER = { path: '/v1/{any}', priceMicroUsdc: PRICE_MICRO_USDC, description: 'a test answer' }

/** Sells like MCP: the payment is an object in the message, and the request differs from that of the path. Returns a tool's result. */
const callTool = async (ctx: Context, gate: PaymentGate, url: string, produce: (tool: string) => Answer): Promise<void> => {
  const { tool, payment } = (await json(ctx.req)) as { readonly tool: string; readonly payment: object }
  const sale = { offer: OFFER, precheck: () => null, produce: () => produce(tool) }
  const context = { resourceUrl: `${url}${TOOLS_PATH}#${tool}`, request: JSON.stringify(['mcp', tool]), callerAddress: ctx.ip }
  ctx.body = outcomeResult(await gate.sell({ ...sale, ...context, payment }), (body) => body)
}

export const openShop = async (gateOptions: Omit<GateOptions, 'notice'>): Promise<Shop> => {
  let listener: RequestListener = (_request, response) => void response.writeHead(503).end()
  const server = createServer((request, response) => listener(request, response))
  const { url, close: cut } = await startLocal(server)
  const runs = new Map<string, number>()
  const notices: string[] = []
  const gate = createGate({ ...gateOptions, notice: (code) => void notices.push(code) })
  const till = new HttpPayments(gate, url)
  const app = new Koa({ proxy: true })
  app.silent = true
  const answer = (path: string): Answer => {
    const run = (runs.get(path) ?? 0) + 1
    runs.set(path, run)
    if (path === '/v1/throws') throw new Error('boom')
    const statuses: Record<string, number> = { '/v1/missing': 404, '/v1/broken': 503 }
    return { status: statuses[path] ?? 200, body: path === '/v1/huge' ? 'x'.repeat(1024 * 1024 + 1) : JSON.stringify({ path, run }) }
  }
  app.use((ctx) => {
    if (ctx.path === TOOLS_PATH) return callTool(ctx, gate, url, answer)
    if (ctx.path === '/v1/bare') return till.quote(ctx, { offer: OFFER })
    return till.sell(ctx, { offer: OFFER, precheck: async () => null, produce: () => answer(ctx.path) })
  })
  listener = app.callback()
  return {
    url,
    runs,
    notices,
    cut,
    close: async () => {
      await gate.close(2000)
      await cut()
    },
  }
}

export const startWorld = async (options: Partial<GateOptions> = {}): Promise<World> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mintfold-payment-'))
  const time = { offsetMs: 0 }
  const now = (): number => Date.now() + time.offsetMs
  const sandbox = await startSandbox({ dataDir, now })
  const facilitator = await startFaultyFacilitator(sandbox.facilitatorUrl)
  const wallet = await readWallet(sandbox.walletFile)
  const signer = await signerOf(Uint8Array.from(wallet.secretKey))
  const client = (): x402Client =>
    new x402Client().register('solana:*', new ExactSvmScheme(signer, { rpcUrl: wallet.rpcUrl })).setSpendControls(false)
  const shops: Shop[] = []
  const open = async ({ table = createMemoryTable<PaymentEntry>(), ...more }: ShopOptions = {}, view?: 'blind'): Promise<Shop> => {
    const { payTo, network, rpcUrl } = sandbox
    const chain = view === 'blind' ? {} : { rpcUrl }
    const base = { mode: 'sandbox' as const, facilitatorUrl: facilitator.url, payTo, network, ...chain, priceFactor: 1, clock: { now } }
    const kept = { book: new TableIdempotencyStore(table, { now }), log: new TableLog(createMemoryTable<SettlementLine>()) }
    const shop = await openShop({ ...base, ...kept, facilitatorTimeoutMs: 2000, ...options, ...more })
    shops.push(shop)
    return shop
  }
  const terms = async (url: string): Promise<PaymentRequired> => {
    const response = await fetch(url)
    return decodePaymentRequiredHeader(response.headers.get('payment-required') ?? '')
  }
  const start = (await sandbox.balances()).buyerMicroUsdc
  return {
    sandbox,
    facilitator,
    shop: await open(),
    time,
    open,
    terms,
    signed: async (url, edit, after) => {
      const asked = await terms(url)
      edit?.(asked)
      const payload = await client().createPaymentPayload(asked)
      after?.(payload)
      return encodePaymentSignatureHeader(payload)
    },
    buyer: async () => {
      const sent = { header: '' }
      const recording: typeof fetch = (input, init) => {
        const request = new Request(input, init)
        sent.header = request.headers.get('payment-signature') ?? sent.header
        return fetch(request)
      }
      return { pay: wrapFetchWithPayment(recording, client()), sent }
    },
    spentMicroUsdc: async () => start - (await sandbox.balances()).buyerMicroUsdc,
    close: async () => {
      facilitator.fault = 'none'
      await Promise.all(shops.map((shop) => shop.close()))
      await facilitator.close()
      await sandbox.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
