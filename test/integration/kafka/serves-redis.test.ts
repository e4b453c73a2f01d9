// Two `serve` processes of one shop with their payments in one Redis: a payment is one sale, wherever it and its copies arrive.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { get, payable, receiptIn, sign, termsIn } from '../../../topology/cli/commands/buy/buyer.ts'
import { type Sandbox, startSandbox } from '../../../topology/sandbox/sandbox.ts'
import { readWallet } from '../../../topology/sandbox/wallet.ts'
import { describeRedis, startRedis, type TestRedis } from '../../services/redis.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { KafkaWorld } from '../../soak/kafka-world.ts'
import type { UpProcess } from '../../soak/up-process.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'
import { describeEngine } from '../history-server-given.ts'

const PLAN = { seed: 5, rate: 6, frames: 60, partitions: 2 }
const PATH = '/v1/launches/recent'
const PRICE_MICRO_USDC = 10_000
const COPIES = 10
const SELLS_MS_MAX = 60_000

/** A shop of two servers over Redis and the sandbox's chain. */
class TwoServers {
  servers: UpProcess[] = []
  readonly #running: UpProcess[] = []
  readonly #dir: string
  readonly #redis: TestRedis
  readonly #sandbox: Sandbox
  readonly #world: KafkaWorld

  private constructor(dir: string, redis: TestRedis, sandbox: Sandbox, world: KafkaWorld) {
    this.#dir = dir
    this.#redis = redis
    this.#sandbox = sandbox
    this.#world = world
  }
  static async open(): Promise<TwoServers> {
    const dir = mkdtempSync(join(tmpdir(), 'mintfold-serves-'))
    const world = sharedKafka().then((services) => KafkaWorld.open(PLAN, services))
    const shop = new TwoServers(dir, ...(await Promise.all([startRedis(), startSandbox({ dataDir: dir }), world])))
    shop.#running.push(shop.#world.process(), shop.#world.capture('max'))
    shop.servers = await Promise.all([shop.serve('one'), shop.serve('two')])
    return shop
  }
  async serve(name: string): Promise<UpProcess> {
    const server = await this.#world.serve(name, {
      MINTFOLD_PAYMENTS: 'facilitator',
      REDIS_URL: this.#redis.url,
      X402_FACILITATOR_URL: this.#sandbox.facilitatorUrl,
      X402_PAY_TO: this.#sandbox.payTo,
      X402_NETWORK: this.#sandbox.network,
      X402_RPC_URL: this.#sandbox.rpcUrl,
    })
    this.#running.push(server)
    await server.printed('answers on', 60_000)
    await this.#sells(server)
    return server
  }
  /** Waits until the server sells: it answers already before the folds have anything to sell. */
  async #sells({ url }: UpProcess): Promise<void> {
    for (const endMs = performance.now() + SELLS_MS_MAX; performance.now() < endMs; await pause(100))
      if ((await get(`${url}${PATH}`, {}, AbortSignal.timeout(SELLS_MS_MAX))).status === 402) return
    throw new Error(`${url} sold nothing within ${SELLS_MS_MAX} ms`)
  }
  async signed(): Promise<string> {
    const wallet = await readWallet(this.#sandbox.walletFile)
    const url = this.servers[0]?.url ?? ''
    const terms = termsIn(await get(`${url}${PATH}`, {}, AbortSignal.timeout(SELLS_MS_MAX)))
    const chosen = payable(terms, wallet)
    if (chosen === undefined) throw new Error('nothing that this wallet can pay')
    return (await sign(wallet, terms, chosen, url, PATH)).header
  }
  async earned(): Promise<number> {
    return (await this.#sandbox.balances()).payToMicroUsdc
  }
  async close(): Promise<void> {
    await Promise.all(this.#running.map((process) => process.kill()))
    await this.#world.close()
    await this.#sandbox.close()
    await this.#redis.stop()
    removeDirectory(this.#dir)
  }
}

const send = async (server: UpProcess, header: string) => {
  const answer = await get(`${server.url}${PATH}`, { 'payment-signature': header }, AbortSignal.timeout(SELLS_MS_MAX))
  // Of the receipt only the transaction is compared: each server signs its receipts with its own key.
  return { status: answer.status, transaction: receiptIn(answer)?.transaction }
}

describeEngine('ClickHouse and', () => {
  describeRedis('Redis and', () => {
    describeKafka('two servers of one shop', () => {
      let shop: TwoServers
      beforeAll(async () => {
        shop = await TwoServers.open()
      }, START_MS_MAX)
      afterAll(() => shop.close(), 30_000)

      test('one payment sent many times at once to both servers is one sale, and each request gets its answer', async () => {
        const [header, before] = [await shop.signed(), await shop.earned()]
        const answers = await Promise.all(Array.from({ length: COPIES }, (_, n) => send(shop.servers[n % 2] as UpProcess, header)))
        expect(answers.map(({ status }) => status)).toEqual(Array(COPIES).fill(200))
        expect(new Set(answers.map(({ transaction }) => transaction)).size).toBe(1)
        expect(await shop.earned()).toBe(before + PRICE_MICRO_USDC)
      })
      test('when the seller is killed after a sale, the other server returns its answer, and so does the seller after a restart', async () => {
        const [header, before] = [await shop.signed(), await shop.earned()]
        const [one, two] = shop.servers as [UpProcess, UpProcess]
        const first = await send(one, header)
        expect(first.status).toBe(200)
        await one.kill()
        expect(await send(two, header)).toEqual(first)
        shop.servers = [await shop.serve('one'), two]
        expect(await send(shop.servers[0] as UpProcess, header)).toEqual(first)
        expect(await shop.earned()).toBe(before + PRICE_MICRO_USDC)
      })
      test('after a kill during a sale the other server answers the payment, which is settled once', async () => {
        const [header, before] = [await shop.signed(), await shop.earned()]
        const [one, two] = shop.servers as [UpProcess, UpProcess]
        const lost = send(one, header).catch(() => null)
        await new Promise((resolve) => setTimeout(resolve, 15))
        await one.kill()
        await lost
        const settled = await send(two, header)
        expect(settled.status).toBe(200)
        expect(await shop.earned()).toBe(before + PRICE_MICRO_USDC)
      })
    })
  })
})
