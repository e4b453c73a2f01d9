// The whole API over a synthetic market, sold by the real gate over the sandbox: what real clients buy from.
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { x402Client } from '@x402/core/client'
import { x402Client as OldestClient } from '@x402/fetch-oldest'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { ExactSvmScheme as OldestSvmScheme } from '@x402/svm-oldest/exact/client'
import { serverOptions } from '../../../query-api/http/server.ts'
import { createGate, type GateOptions } from '../../../query-api/payment/create-gate.ts'
import type { PaymentEntry } from '../../../query-api/payment/stores/idempotency-store.ts'
import type { SettlementLine } from '../../../query-api/payment/stores/settlement-log.ts'
import { TableLog } from '../../../query-api/payment/stores/table-log.ts'
import { TableIdempotencyStore } from '../../../query-api/payment/stores/table-store.ts'
import { createMemoryTable } from '../../../topology/data-dir/memory-table.ts'
import { signerOf } from '../../../topology/sandbox/keys.ts'
import { startSandbox } from '../../../topology/sandbox/sandbox.ts'
import { readWallet } from '../../../topology/sandbox/wallet.ts'
import { SetHistory } from '../../fakes/set-history.ts'
import { fillMarket } from '../../fixtures/page-market.ts'
import { harness } from '../../integration/api-harness.ts'
import { startLocal } from '../../tools/local-server.ts'
import { base58, key, liveState } from '../../unit/query-api/given-mint.ts'

export interface Shop {
  readonly url: string
  readonly walletFile: string
  /** A mint with full coverage, and one never observed. */
  readonly mint: string
  readonly unseen: string
  /** Five with full coverage, as many as one check may name. */
  readonly mints: readonly string[]
  /** Responses so far, oldest first. */
  readonly exchanges: Exchange[]
  /** The official client with the sandbox's wallet. */
  payer(): Promise<x402Client>
  /** That of the protocol's first release, 2.0.0. */
  oldestPayer(): OldestClient
  /** What the buyer has spent since the start, micro-USDC. */
  spentMicroUsdc(): Promise<number>
  close(): Promise<void>
}

/** Bytes of the headers of payments; 0 if absent. */
export interface Exchange {
  readonly path: string
  readonly status: number
  readonly signatureBytes: number
  readonly responseBytes: number
}

interface ShopOptions extends Pick<GateOptions, 'second' | 'signer'> {
  /** Public address; default: its own. */
  readonly baseUrl?: string
}

/** Of `pythonWith`, for buyer.py. */
export const PYTHON_CLIENTS = ['x402[svm,httpx]==2.25.0', 'mcp==2.3.0']

const MINT_BYTES = [77, 79, 80, 81, 82]

export const openShop = async ({ baseUrl, ...rails }: ShopOptions = {}): Promise<Shop> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mintfold-clients-'))
  const sandbox = await startSandbox({ dataDir, now: Date.now })
  let listener: RequestListener = (_request, response) => void response.writeHead(503).end()
  const server = createServer(serverOptions, (request, response) => listener(request, response))
  const { url, close } = await startLocal(server)
  const clock = { now: Date.now }
  const { payTo, network, rpcUrl, facilitatorUrl } = sandbox
  const book = new TableIdempotencyStore(createMemoryTable<PaymentEntry>(), clock)
  const log = new TableLog(createMemoryTable<SettlementLine>())
  const gate = createGate({ mode: 'sandbox', facilitatorUrl, payTo, network, rpcUrl, priceFactor: 1, book, log, clock, ...rails })
  const api = harness({ history: new SetHistory(), sandbox: true, till: gate, baseUrl: baseUrl ?? url, contact: 'ops@cards.example' })
  fillMarket(api.view)
  for (const byte of MINT_BYTES) api.view.put(key(byte), liveState())
  const exchanges: Exchange[] = []
  api.app.middleware.unshift(async (ctx, next) => {
    await next()
    const responseBytes = String(ctx.res.getHeader('PAYMENT-RESPONSE') ?? '').length
    exchanges.push({ path: ctx.path, status: ctx.status, signatureBytes: ctx.get('PAYMENT-SIGNATURE').length, responseBytes })
  })
  listener = api.app.callback()
  const wallet = await readWallet(sandbox.walletFile)
  const signer = await signerOf(Uint8Array.from(wallet.secretKey))
  const start = (await sandbox.balances()).buyerMicroUsdc
  return {
    url,
    walletFile: sandbox.walletFile,
    mint: base58(77),
    unseen: base58(78),
    mints: MINT_BYTES.map(base58),
    exchanges,
    payer: async () => new x402Client().register('solana:*', new ExactSvmScheme(signer, { rpcUrl: wallet.rpcUrl })).setSpendControls(false),
    oldestPayer: () => new OldestClient().register('solana:*', new OldestSvmScheme(signer as never, { rpcUrl: wallet.rpcUrl })),
    spentMicroUsdc: async () => start - (await sandbox.balances()).buyerMicroUsdc,
    close: async () => {
      await gate.close(2_000)
      await close()
      await sandbox.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
