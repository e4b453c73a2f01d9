// The whole API over a synthetic market, sold by the real gate over the sandbox: what real clients buy from.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { x402Client } from '@x402/core/client'
import { x402Client as OldestClient } from '@x402/fetch-oldest'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { ExactSvmScheme as OldestSvmScheme } from '@x402/svm-oldest/exact/client'
import type { TrustedProxies } from '../../../query-api/http/caller-address.ts'
import { serve } from '../../../query-api/http/server.ts'
import { createGate, type GateOptions } from '../../../query-api/payment/create-gate.ts'
import type { PaymentEntry } from '../../../query-api/payment/stores/idempotency-store.ts'
import type { SettlementLine } from '../../../query-api/payment/stores/settlement-log.ts'
import { TableLog } from '../../../query-api/payment/stores/table-log.ts'
import { TableIdempotencyStore } from '../../../query-api/payment/stores/table-store.ts'
import { createMemoryTable } from '../../../topology/data-dir/memory-table.ts'
import { usdcAccountOf } from '../../../topology/sandbox/genesis.ts'
import { signerOf } from '../../../topology/sandbox/keys.ts'
import { startSandbox } from '../../../topology/sandbox/sandbox.ts'
import { readWallet } from '../../../topology/sandbox/wallet.ts'
import { SetHistory } from '../../fakes/set-history.ts'
import { fillMarket } from '../../fixtures/page-market.ts'
import { harness } from '../../integration/api-harness.ts'
import { freePort } from '../../tools/free-port.ts'
import { base58, key, liveState } from '../../unit/query-api/given-mint.ts'

export interface Shop {
  readonly url: string
  readonly walletFile: string
  /** A mint with full coverage, and one never observed. */
  readonly mint: string
  readonly unseen: string
  /** Five with full coverage, as many as one check may name. */
  readonly mints: readonly string[]
  /** Fields of the access log's lines. */
  readonly requests: readonly object[]
  /** Responses so far, oldest first. */
  readonly exchanges: Exchange[]
  /** The official client with the sandbox's wallet. */
  payer(): Promise<x402Client>
  /** That of the protocol's first release, 2.0.0. */
  oldestPayer(): OldestClient
  /** What the buyer has spent since the start, micro-USDC. */
  spentMicroUsdc(): Promise<number>
  /** Signatures of the buyer's landed transactions, by the ledger: the newest 1,000. */
  charges(): Promise<readonly string[]>
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
  readonly proxies?: TrustedProxies
}

/** Of `pythonWith`, for buyer.py. */
export const PYTHON_CLIENTS = ['x402[svm,httpx]==2.25.0', 'mcp==2.3.0']

const MINT_BYTES = [77, 79, 80, 81, 82]
const CLOSE_MS_MAX = 2_000

export const openShop = async ({ baseUrl, proxies, ...rails }: ShopOptions = {}): Promise<Shop> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mintfold-clients-'))
  const sandbox = await startSandbox({ dataDir, now: Date.now })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const clock = { now: Date.now }
  const { payTo, network, rpcUrl, facilitatorUrl } = sandbox
  const book = new TableIdempotencyStore(createMemoryTable<PaymentEntry>(), clock)
  const log = new TableLog(createMemoryTable<SettlementLine>())
  const gate = createGate({ mode: 'sandbox', facilitatorUrl, payTo, network, rpcUrl, priceFactor: 1, book, log, clock, ...rails })
  const around = proxies && { proxies }
  const shown = { baseUrl: baseUrl ?? url, contact: 'ops@cards.example' }
  const api = harness({ history: new SetHistory(), sandbox: true, till: gate, ...shown, ...(around && { around }) })
  fillMarket(api.view)
  for (const byte of MINT_BYTES) api.view.put(key(byte), liveState())
  const exchanges: Exchange[] = []
  api.app.middleware.unshift(async (ctx, next) => {
    await next()
    const responseBytes = String(ctx.res.getHeader('PAYMENT-RESPONSE') ?? '').length
    exchanges.push({ path: ctx.path, status: ctx.status, signatureBytes: ctx.get('PAYMENT-SIGNATURE').length, responseBytes })
  })
  const serving = await serve(api.app, { host: '127.0.0.1', port, ...around })
  const wallet = await readWallet(sandbox.walletFile)
  const signer = await signerOf(Uint8Array.from(wallet.secretKey))
  const start = (await sandbox.balances()).buyerMicroUsdc
  return {
    url,
    walletFile: sandbox.walletFile,
    mint: base58(77),
    unseen: base58(78),
    mints: MINT_BYTES.map(base58),
    requests: api.requests,
    exchanges,
    payer: async () => new x402Client().register('solana:*', new ExactSvmScheme(signer, { rpcUrl: wallet.rpcUrl })).setSpendControls(false),
    oldestPayer: () => new OldestClient().register('solana:*', new OldestSvmScheme(signer as never, { rpcUrl: wallet.rpcUrl })),
    spentMicroUsdc: async () => start - (await sandbox.balances()).buyerMicroUsdc,
    charges: async () => {
      const params = [await usdcAccountOf(wallet.address)]
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSignaturesForAddress', params })
      const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      const { result } = (await response.json()) as { readonly result: readonly { readonly signature: string; readonly err: unknown }[] }
      return result.filter(({ err }) => err === null).map(({ signature }) => signature)
    },
    close: async () => {
      await gate.close(CLOSE_MS_MAX)
      await serving.close(CLOSE_MS_MAX)
      await sandbox.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
