// Three brokers, each behind a proxy that can cut its network, and the roles of a cluster.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DroppingProxy } from '../fakes/dropping-proxy.ts'
import { type Broker, startBroker } from '../services/broker.ts'
import { freePort } from '../tools/free-port.ts'
import { removeDirectory } from '../tools/remove-directory.ts'

const BROKERS = 3
const CLOCK = fileURLToPath(new URL('../fakes/stepped-clock.cjs', import.meta.url))
/** Three copies of everything, of which two must be written. */
const COPIES = {
  'default.replication.factor': '3',
  'min.insync.replicas': '2',
  'offsets.topic.replication.factor': '3',
  'transaction.state.log.replication.factor': '3',
  'transaction.state.log.min.isr': '2',
}

/** For roles: topics must be durable, and SIGUSR2 steps the clock. */
export const ROLE_ENV = { MINTFOLD_SINGLE_BROKER: 'false', MINTFOLD_STANDBYS: '1', NODE_OPTIONS: `--require=${CLOCK}` }

interface Place {
  readonly port: number
  readonly advertisedPort: number
  readonly dir: string
  readonly proxy: DroppingProxy
  broker: Broker
}

export class Brokers {
  readonly #dir: string
  readonly #places: Place[] = []

  private constructor(dir: string) {
    this.#dir = dir
  }
  static async open(): Promise<Brokers> {
    const brokers = new Brokers(mkdtempSync(join(tmpdir(), 'mintfold-cluster-')))
    for (let n = 0; n < BROKERS; n++) brokers.#places.push(await brokers.#start())
    return brokers
  }
  /** Addresses of the proxies. */
  get addresses(): string {
    return this.#places.map(({ advertisedPort }) => `127.0.0.1:${advertisedPort}`).join()
  }
  /** SIGKILL; `back` starts it again on its data. The first broker is the only controller: pause it instead. */
  async kill(n: number): Promise<() => Promise<void>> {
    const place = this.#at(n)
    await place.broker.kill()
    return async () => {
      place.broker = await startBroker(this.#options(n, place))
    }
  }
  pause(n: number): () => void {
    const { broker } = this.#at(n)
    broker.pause()
    return () => broker.resume()
  }
  cut(n: number): () => void {
    const { proxy } = this.#at(n)
    proxy.cut()
    return () => proxy.heal()
  }
  async close(): Promise<void> {
    for (const { broker } of [...this.#places].reverse()) await broker.kill()
    await Promise.all(this.#places.map(({ proxy }) => proxy.close()))
    removeDirectory(this.#dir)
  }

  #at(n: number): Place {
    return this.#places[n] as Place
  }
  #options(n: number, { port, advertisedPort, dir }: Omit<Place, 'broker' | 'proxy'>): Parameters<typeof startBroker>[0] {
    const first = this.#places[0]?.broker
    return { port, advertisedPort, dir, settings: COPIES, nodeId: n + 1, ...(first !== undefined && n > 0 && { joins: first }) }
  }
  async #start(): Promise<Place> {
    const n = this.#places.length
    const [port, advertisedPort] = [await freePort(), await freePort()]
    const place = { port, advertisedPort, dir: join(this.#dir, `broker-${n}`) }
    const proxy = await DroppingProxy.listen(advertisedPort, port)
    return { ...place, proxy, broker: await startBroker(this.#options(n, place)) }
  }
}
