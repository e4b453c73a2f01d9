// Loopback ports for the embedded ClickHouse.

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { claimPort } from '../../../topology/history/engine/port.ts'

/** The lowest port that Linux assigns to outgoing connections and to servers on port 0. */
const EPHEMERAL_MIN = 32_768

test('port 0 claims a port outside the ephemeral range, a different one each time', async () => {
  const ports = await Promise.all(Array.from({ length: 8 }, () => claimPort(0)))
  for (const port of ports) {
    expect(port).toBeGreaterThanOrEqual(10_000)
    expect(port).toBeLessThan(EPHEMERAL_MIN)
  }
  expect(new Set(ports).size).toBeGreaterThan(1)
})

test('a port in use is an error that names it and what to do; once free, it is claimed', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await expect(claimPort(port)).rejects.toMatchObject({
    code: 'port_in_use',
    retriable: true,
    message: expect.stringContaining(`port ${port} on 127.0.0.1 cannot be used for ClickHouse (EADDRINUSE). Free it, or set`),
  })
  await new Promise((resolve) => server.close(resolve))
  expect(await claimPort(port)).toBe(port)
})
