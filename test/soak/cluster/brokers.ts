// The brokers of a cluster, each behind a proxy that can cut its network. All are controllers, so that any of them may be killed.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DroppingProxy } from '../../fakes/dropping-proxy.ts'
import { type Broker, type Cluster, freshCluster, startBroker } from '../../services/broker.ts'
import { freePort } from '../../tools/free-port.ts'

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
