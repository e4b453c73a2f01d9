// Loopback ports for the embedded ClickHouse.

import { mkdtempSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { claimPort } from '../../../topology/history/engine/port.ts'
import { ClickHouseHistory } from '../../../topology/history/history.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'

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

test('a port that stays in use is reported once, not at each retry', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-port-'))
  const codes: string[] = []
  const at = { dir, port: (server.address() as AddressInfo).port, database: 'mintfold' }
  const history = new ClickHouseHistory({ at, sink: () => null, notice: (code) => void codes.push(code) })
  const started = history.start()
  await new Promise((resolve) => setTimeout(resolve, 3_500))
  await history.stop()
  expect([await started, codes]).toEqual([null, ['history_not_connected']])
  await new Promise((resolve) => server.close(resolve))
  removeDirectory(dir)
})
