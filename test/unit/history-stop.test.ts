import { createServer } from 'node:http'
import { ClickHouseHistory } from '../../topology/history/history.ts'
import { startLocal } from '../tools/local-server.ts'

/** Below the client's response timeout. */
const STOP_MS_MAX = 15_000

describe('the history', () => {
  test('a stop does not wait for a server that never responds', async () => {
    const asked: string[] = []
    const silent = await startLocal(createServer((request) => void asked.push(request.url ?? '')))
    const history = new ClickHouseHistory({
      at: { url: silent.url, username: 'default', password: '', database: 'mintfold' },
      sink: () => null,
      notice: () => {},
    })
    const connected = history.start()
    connected.catch(() => {})
    while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const startedMs = performance.now()
    await history.stop()
    expect(performance.now() - startedMs).toBeLessThan(STOP_MS_MAX)
    await silent.close()
    expect(await connected).toBeNull()
  })
})
