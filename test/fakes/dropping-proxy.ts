// A TCP proxy in front of a real service whose network can be cut: connections end at once, and new ones are refused, until it heals.
// Simulates no slow and no lossy network.
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export class DroppingProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #isCut = false

  private constructor(server: Server, targetPort: number) {
    this.#server = server
    server.on('connection', (client) => this.#serve(client, targetPort))
  }
  /** Listens on `port` of loopback. */
  static async listen(port: number, targetPort: number): Promise<DroppingProxy> {
    const server = createServer()
    const proxy = new DroppingProxy(server, targetPort)
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return proxy
  }
  cut(): void {
    this.#isCut = true
    for (const socket of this.#sockets) socket.destroy()
  }
  heal(): void {
    this.#isCut = false
  }
  async close(): Promise<void> {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #serve(client: Socket, targetPort: number): void {
    if (this.#isCut) {
      client.destroy()
      return
    }
    const target = connect(targetPort, '127.0.0.1')
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      this.#sockets.add(one)
      one.setNoDelay(true)
      one.on('error', () => {})
      one.on('close', () => {
        this.#sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  }
}
