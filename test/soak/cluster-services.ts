// What a cluster uses: brokers, each behind a proxy that can cut its network, and a shop of two servers with its Redis and buyers.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { usdcAccountOf } from '../../topology/sandbox/genesis.ts'
import { type Sandbox, startSandbox } from '../../topology/sandbox/sandbox.ts'
import { DroppingProxy } from '../fakes/dropping-proxy.ts'
import { type Broker, type Cluster, freshCluster, startBroker } from '../services/broker.ts'
import { type OwnRedis, startOwnRedis } from '../services/redis.ts'
import { freePort } from '../tools/free-port.ts'
import { buySteadily, type Purchases, resendAll } from './clients.ts'

/** Three copies of everything, of which two must be written. */
const COPIES = {
  'default.replication.factor': '3',
  'min.insync.replicas': '2',
  'offsets.topic.replication.factor': '3',
  'transaction.state.log.replication.factor': '3',
  'transaction.state.log.min.isr': '2',
}

interface Place {
  readonly port: number
  readonly advertisedPort: number
  readonly dir: string
  readonly proxy: DroppingProxy
  broker: Broker
}

/** All are controllers, so that any of them may be killed. */
export class Brokers {
  readonly #dir: string
  readonly #cluster: Cluster
  #places: readonly Place[] = []

  private constructor(dir: string, cluster: Cluster) {
    this.#dir = dir
    this.#cluster = cluster
  }
  /** One broker, or three with three copies of each topic. `dir` stays after `close`. */
  static async open(dir: string, count: 1 | 3): Promise<Brokers> {
    const brokers = new Brokers(dir, await freshCluster(count))
    const ports: (readonly [number, number])[] = []
    for (let n = 0; n < count; n++) ports.push([await freePort(), await freePort()])
    brokers.#places = await Promise.all(ports.map(([port, advertisedPort], n) => brokers.#start(n, port, advertisedPort)))
    return brokers
  }
  /** Addresses of the proxies. */
  get addresses(): string {
    return this.#places.map(({ advertisedPort }) => `127.0.0.1:${advertisedPort}`).join()
  }
  get count(): number {
    return this.#places.length
  }
  /** The active controller: the leader of the newest epoch that any broker has stored. */
  controller(): number {
    const states = this.#places.map(({ dir }) => {
      const text = readFileSync(join(dir, 'data/__cluster_metadata-0/quorum-state'), 'utf8')
      return JSON.parse(text) as { readonly leaderId: number; readonly leaderEpoch: number }
    })
    const [newest] = states.filter(({ leaderId }) => leaderId > 0).sort((a, b) => b.leaderEpoch - a.leaderEpoch)
    return (newest?.leaderId ?? 1) - 1
  }
  pid(n: number): number {
    return this.#at(n).broker.pid
  }
  /** Where a broker writes. */
  dataDir(n: number): string {
    return join(this.#at(n).dir, 'data')
  }
  /** SIGKILL; the result starts it again on its data. */
  async kill(n: number): Promise<() => Promise<void>> {
    const place = this.#at(n)
    await place.broker.kill()
    return async () => {
      place.broker = await startBroker(this.#options(n, place))
    }
  }
  cut(n: number): () => void {
    const { proxy } = this.#at(n)
    proxy.cut()
    return () => proxy.heal()
  }
  async close(): Promise<void> {
    await Promise.all(this.#places.map(({ broker }) => broker.kill()))
    await Promise.all(this.#places.map(({ proxy }) => proxy.close()))
  }

  #at(n: number): Place {
    return this.#places[n] as Place
  }
  #options(n: number, { port, advertisedPort, dir }: Omit<Place, 'broker' | 'proxy'>): Parameters<typeof startBroker>[0] {
    const settings = this.#cluster.controllerPorts.length > 1 ? COPIES : {}
    return { port, advertisedPort, dir, settings, cluster: this.#cluster, nodeId: n + 1 }
  }
  async #start(n: number, port: number, advertisedPort: number): Promise<Place> {
    const place = { port, advertisedPort, dir: join(this.#dir, `broker-${n}`) }
    const proxy = await DroppingProxy.listen(advertisedPort, port)
    return { ...place, proxy, broker: await startBroker(this.#options(n, place)) }
  }
}

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

/** Two `serve` of one shop share a Redis, and a sandbox settles the payments of clients that buy all the time. */
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
