// Two `serve` of one shop: they share a Redis, and a sandbox settles the payments of clients that buy all the time.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { usdcAccountOf } from '../../../topology/sandbox/genesis.ts'
import { type Sandbox, startSandbox } from '../../../topology/sandbox/sandbox.ts'
import { type OwnRedis, startOwnRedis } from '../../services/redis.ts'
import { buySteadily, type Purchases, resendAll } from '../clients.ts'

const PATH = '/v1/launches/recent'
const PRICE_MICRO_USDC = 10_000
const BUYERS = 2
/** The sandbox remembers 5,000 payments: the two make at most 4,000 in 20 minutes. */
const REST_MS = 600
/** A buyer asks the other server after this, while the first may still work on the payment. */
const ANSWER_MS_MAX = 2_000
/** Time for the payments in progress to end once nothing is disturbed; a claim of a killed server is held for 15 s. */
const ENDED_MS_MAX = 120_000
const RESENT = 20
const PAGE = 1_000

export interface ShopReport {
  readonly purchases: number
  /** Payments refused by a definite answer: nothing was paid. */
  readonly refused: number
  readonly paidMicroUsdc: number
  /** Must be empty. */
  readonly paymentFaults: readonly string[]
}

export class Shop {
  readonly #dir: string
  readonly #sandbox: Sandbox
  readonly #stop = new AbortController()
  #redis: OwnRedis
  #buying: readonly Promise<Purchases>[] = []

  private constructor(dir: string, sandbox: Sandbox, redis: OwnRedis) {
    this.#dir = dir
    this.#sandbox = sandbox
    this.#redis = redis
  }
  /** The files in `dir` stay after `close`. */
  static async open(dir: string): Promise<Shop> {
    const redisDir = join(dir, 'redis')
    mkdirSync(redisDir, { recursive: true })
    return new Shop(redisDir, ...(await Promise.all([startSandbox({ dataDir: dir }), startOwnRedis({ dir: redisDir })])))
  }
  /** Settings of its servers. */
  get env(): Readonly<Record<string, string>> {
    const { facilitatorUrl, payTo, network, rpcUrl } = this.#sandbox
    const x402 = { X402_FACILITATOR_URL: facilitatorUrl, X402_PAY_TO: payTo, X402_NETWORK: network, X402_RPC_URL: rpcUrl }
    return { MINTFOLD_PAYMENTS: 'facilitator', REDIS_URL: this.#redis.url, ...x402, MINTFOLD_RATE_PAID_PER_MINUTE: '1000000' }
  }
  get redisPid(): number {
    return this.#redis.pid
  }
  /** Where Redis writes. */
  get redisDir(): string {
    return this.#dir
  }
  /** Lets the clients buy, each request at the server that `url` returns. */
  open(url: () => string): void {
    const errand = { url, path: PATH, walletFile: this.#sandbox.walletFile, stop: this.#stop.signal }
    const patience = { answerMsMax: ANSWER_MS_MAX, restMs: REST_MS }
    this.#buying = Array.from({ length: BUYERS }, () => buySteadily({ ...errand, ...patience }))
  }
  /** SIGKILL; the result starts it again on its append-only file. */
  async killRedis(): Promise<() => Promise<void>> {
    const { port } = this.#redis
    await this.#redis.stop()
    return async () => {
      this.#redis = await startOwnRedis({ port, dir: this.#dir })
    }
  }
  /** Waits until every payment has ended, and compares the clients' answers with the ledger. */
  async judge(urls: readonly string[]): Promise<ShopReport> {
    this.#stop.abort()
    const all = await Promise.race([Promise.all(this.#buying), pause(ENDED_MS_MAX)])
    if (all === undefined) return { purchases: 0, refused: 0, paidMicroUsdc: 0, paymentFaults: ['a payment never ended'] }
    const answered = new Map(all.flatMap((one) => [...one.answered]))
    const settled = await this.#settled()
    const { payToMicroUsdc: paidMicroUsdc } = await this.#sandbox.balances()
    const resent = await Promise.all(urls.flatMap((url) => all.map((one) => resendAll(url, one, RESENT))))
    const paymentFaults = [
      ...all.flatMap(({ broken }) => broken),
      ...[...settled].filter((transaction) => !answered.has(transaction)).map((transaction) => `paid, but not answered: ${transaction}`),
      ...[...answered.keys()].filter((transaction) => !settled.has(transaction)).map((transaction) => `answered, not paid: ${transaction}`),
      ...(paidMicroUsdc === answered.size * PRICE_MICRO_USDC ? [] : [`${paidMicroUsdc} micro-USDC paid for ${answered.size} answers`]),
      ...resent.flat().map((line) => `another answer when sent again: ${line}`),
    ]
    return { purchases: answered.size, refused: all.reduce((sum, { refused }) => sum + refused, 0), paidMicroUsdc, paymentFaults }
  }
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#redis.stop()
    await this.#sandbox.close()
  }

  /** Transactions of the ledger that paid the shop. */
  async #settled(): Promise<ReadonlySet<string>> {
    const account = await usdcAccountOf(this.#sandbox.payTo)
    const settled = new Set<string>()
    for (let before: string | undefined; ; ) {
      const params = [account, { limit: PAGE, ...(before !== undefined && { before }) }]
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSignaturesForAddress', params })
      const response = await fetch(this.#sandbox.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      const { result } = (await response.json()) as { readonly result: readonly { readonly signature: string; readonly err: unknown }[] }
      for (const { signature, err } of result) if (err === null) settled.add(signature)
      before = result.at(-1)?.signature
      if (result.length < PAGE) return settled
    }
  }
}
