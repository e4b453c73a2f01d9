// Ports of loopback for the embedded ClickHouse.

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { claimPort } from '../../../topology/history/engine/port.ts'

/** The lowest port that Linux gives to outgoing connections and to servers on port 0. */
const EPHEMERAL_MIN = 32_768

test('given port 0, when it is claimed, then it is a port that the system gives to nobody by itself, each time another', async () => {
  const ports = await Promise.all(Array.from({ length: 8 }, () => claimPort(0)))
  for (const port of ports) {
    expect(port).toBeGreaterThanOrEqual(10_000)
    expect(port).toBeLessThan(EPHEMERAL_MIN)
  }
  expect(new Set(ports).size).toBeGreaterThan(1)
})

test('given a port in use, when it is claimed, then the error names it and what to do; once it is free, it is claimed', async () => {
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
