// Two `serve` of one shop behind a load balancer, with their payments in one Redis and the sandbox's chain.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { get, payable, type SignedPayment, sign, termsIn } from '../../topology/cli/commands/buy/buyer.ts'
import { type Sandbox, startSandbox } from '../../topology/sandbox/sandbox.ts'
import { readWallet } from '../../topology/sandbox/wallet.ts'
import { Balancer } from '../fakes/balancer.ts'
import { startRedis, type TestRedis } from '../services/redis.ts'
import type { SharedKafka } from '../services/shared.ts'
import { freePort } from '../tools/free-port.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { until } from '../tools/until.ts'
import { KafkaWorld } from './kafka-world.ts'
import type { Plan } from './streams.ts'
import type { UpProcess } from './up-process.ts'

const NAMES = ['one', 'two'] as const
/** A paid list, which needs no mint. */
export const LAUNCHES = '/v1/launches/recent'
const CHECK_EVERY_MS = 250
const SELLS_MS_MAX = 300_000
const POLL_MS = 100

interface Parts {
  readonly dir: string
  readonly redis: TestRedis
  readonly sandbox: Sandbox
  readonly world: KafkaWorld
  readonly balancer: Balancer
  readonly ports: readonly number[]
}

export class TwoServers {
  readonly servers: UpProcess[] = []
  readonly #running: UpProcess[] = []
  readonly #processes: UpProcess[] = []
  readonly #parts: Parts

  private constructor(parts: Parts) {
    this.#parts = parts
  }
  /** `processes`: number of `process`, which stand by for each other. */
  static async open(plan: Plan, speed: number | 'max', services: Promise<SharedKafka>, processes = 1): Promise<TwoServers> {
    const dir = mkdtempSync(join(tmpdir(), 'mintfold-serves-'))
    const ports = [await freePort(), await freePort()]
    const [redis, sandbox, world, balancer] = await Promise.all([
      startRedis(),
      startSandbox({ dataDir: dir }),
      services.then((kafka) => KafkaWorld.open(plan, kafka)),
      Balancer.listen({ ports, everyMs: CHECK_EVERY_MS }),
    ])
    const shop = new TwoServers({ dir, redis, sandbox, world, balancer, ports })
    for (let n = 0; n < processes; n++) shop.startProcess()
    shop.#running.push(world.capture(speed))
    await Promise.all(NAMES.map((_, at) => shop.start(at)))
    return shop
  }
  /** Of the balancer: the address that clients know. */
  get url(): string {
    return this.#parts.balancer.url
  }
  /** Connections for which the balancer found no server. */
  get refused(): number {
    return this.#parts.balancer.refused
  }
  get walletFile(): string {
    return this.#parts.sandbox.walletFile
  }
  /** The `process` that fold, oldest first. */
  get processes(): readonly UpProcess[] {
    return this.#processes
  }
  startProcess(): void {
    const process = this.#parts.world.process({ MINTFOLD_METRICS_PORT: '0' })
    this.#running.push(process)
    this.#processes.push(process)
  }
  /** `kill -9` of the oldest `process`. */
  async killProcess(): Promise<void> {
    await this.#processes.shift()?.kill()
  }
  /** Resolves once the server sells, and the balancer sends to it; until then it answers, but the folds may have nothing to sell. */
  async start(at: number): Promise<void> {
    const { redis, sandbox, world, balancer, ports } = this.#parts
    const port = ports[at] as number
    const server = await world.serve(
      NAMES[at] as string,
      {
        MINTFOLD_BASE_URL: balancer.url,
        // The default.
        MINTFOLD_DRAIN_S: '',
        MINTFOLD_PAYMENTS: 'facilitator',
        MINTFOLD_RATE_PAID_PER_MINUTE: '1000000',
        MINTFOLD_TRUSTED_PROXIES: '127.0.0.1',
        MINTFOLD_CURSOR_KEYS: 'a key of two servers in tests that is not secret',
        REDIS_URL: redis.url,
        X402_FACILITATOR_URL: sandbox.facilitatorUrl,
        X402_PAY_TO: sandbox.payTo,
        X402_NETWORK: sandbox.network,
        X402_RPC_URL: sandbox.rpcUrl,
        /** A tenth of the prices: the sandbox's wallet has 100 USDC. */
        X402_PRICE_FACTOR: '0.1',
      },
      port,
    )
    this.#running.push(server)
    this.servers[at] = server
    try {
      // The balancer may not have noticed yet that the former one on this port is gone.
      await server.printed('answers on', SELLS_MS_MAX)
      const sells = async (): Promise<boolean> => balancer.isIn(port) && (await fetch(`${server.url}/ready`)).status === 200
      await until(async () => !server.isAlive || (await sells()), { everyMs: POLL_MS, msMax: SELLS_MS_MAX })
      if (!server.isAlive) throw new Error('it ended')
    } catch (cause) {
      const ready = await get(`${server.url}/ready`, {}, AbortSignal.timeout(POLL_MS)).catch(String)
      throw new Error(`the server does not sell: ${JSON.stringify(ready)}\n${server.lines.join('\n')}`, { cause })
    }
  }
  /** SIGTERM and a new start. Resolves to the exit code. */
  async restart(at: number): Promise<number | null> {
    const code = await (this.servers[at] as UpProcess).stop()
    await this.start(at)
    return code
  }
  async signed(path = LAUNCHES): Promise<SignedPayment> {
    const wallet = await readWallet(this.walletFile)
    const terms = termsIn(await get(this.url + path, {}, AbortSignal.timeout(SELLS_MS_MAX)))
    const chosen = payable(terms, wallet)
    if (chosen === undefined) throw new Error('nothing that this wallet can pay')
    return sign(wallet, terms, chosen, this.url, path)
  }
  async earned(): Promise<number> {
    return (await this.#parts.sandbox.balances()).payToMicroUsdc
  }
  async close(): Promise<void> {
    const { dir, redis, sandbox, world, balancer } = this.#parts
    await Promise.all(this.#running.map((process) => process.kill()))
    await balancer.close()
    await world.close()
    await sandbox.close()
    await redis.stop()
    removeDirectory(dir)
  }
}
