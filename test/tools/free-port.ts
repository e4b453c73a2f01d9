import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ports that systems give to outgoing connections: nobody gets one of these by accident, not even after it was free. */
const OWN = { from: 10_000, to: 32_000 }
const TRIES_MAX = 20

/** A port of loopback that was free a moment ago, and that no outgoing connection takes. */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const port = randomInt(OWN.from, OWN.to)
    if (await isFree(port)) return port
  }
  throw new Error(`none of ${TRIES_MAX} ports from ${OWN.from} to ${OWN.to} is free`)
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
