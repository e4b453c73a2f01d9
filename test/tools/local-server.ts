// Starts a test's own server on loopback, on any free port.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LocalServer {
  readonly url: string
  /** Stops the server and closes all connections. */
  close(): Promise<void>
}

export const startLocal = async (server: Server): Promise<LocalServer> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
