// A load balancer of connections: each new one goes to the next server whose /ready was 200 at the last check, and stays there until one of
// its ends closes it. Servers that are taken out keep their open connections.
import { once } from 'node:events'
import { get } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface BalancerOptions {
  /** Of the servers, on loopback. */
  readonly ports: readonly number[]
  readonly everyMs: number
}

/** A busy machine answers late: only an answer, or none for this long, takes a server out. */
const CHECK_MS_MAX = 10_000

interface Target {
  readonly port: number
  isIn: boolean
}

export class Balancer {
  /** Connections that no server took. */
  refused = 0
  readonly #server: Server = createServer((client) => this.#serve(client))
  readonly #sockets = new Set<Socket>()
  readonly #targets: readonly Target[]
  #isClosed = false
  #next = 0

  private constructor({ ports, everyMs }: BalancerOptions) {
    this.#targets = ports.map((port) => ({ port, isIn: false }))
    for (const target of this.#targets) void this.#check(target, everyMs)
  }
  static async listen(options: BalancerOptions): Promise<Balancer> {
    const balancer = new Balancer(options)
    balancer.#server.listen(0, '127.0.0.1')
    await once(balancer.#server, 'listening')
    return balancer
  }
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }
  /** Whether the server on this port gets new connections. */
  isIn(port: number): boolean {
    return this.#targets.some((target) => target.port === port && target.isIn)
  }
  async close(): Promise<void> {
    this.#isClosed = true
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #check(target: Target, everyMs: number): Promise<void> {
    for (; !this.#isClosed; await pause(everyMs)) target.isIn = await isReadyAt(target.port)
  }
  #serve(client: Socket): void {
    const inside = this.#targets.filter(({ isIn }) => isIn)
    const target = inside[this.#next++ % Math.max(1, inside.length)]
    if (target === undefined) {
      this.refused += 1
      client.destroy()
      return
    }
    const server = connect(target.port, '127.0.0.1')
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED') this.refused += 1
    })
    join(client, server, this.#sockets)
  }
}

/** Passes each half-close on, so that the last bytes of an answer arrive before the end. */
const join = (client: Socket, server: Socket, sockets: Set<Socket>): void => {
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const) {
    sockets.add(one)
    one.setNoDelay(true)
    one.on('error', () => other.destroy())
    one.on('close', () => {
      sockets.delete(one)
      if (!other.writableEnded) other.end()
    })
    one.pipe(other)
  }
}

const isReadyAt = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get(`http://127.0.0.1:${port}/ready`, { agent: false, timeout: CHECK_MS_MAX }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('timeout', () => request.destroy(new Error('no answer'))).on('error', () => resolve(false))
  })
