// Callers counted by two processes in a real Redis, and by each alone while it is down.
import { createClient } from '@redis/client'
import { Rates } from '../../query-api/http/rates.ts'
import { describeOwnRedis, startOwnRedis } from '../services/redis.ts'

const clientOf = async (url: string) => {
  const client = createClient({ url, disableOfflineQueue: true })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

describeOwnRedis('two processes over one Redis', () => {
  test('count together, alone while it hangs, and together again', async () => {
    const redis = await startOwnRedis()
    const clients = await Promise.all([clientOf(redis.url), clientOf(redis.url)])
    const notices: string[] = []
    const prefix = `test-${process.pid}:`
    const [one, other] = clients.map(
      (client) => new Rates({ perMinute: 3, paidPerMinute: 3, redis: client, prefix, notice: (code) => void notices.push(code) }),
    ) as [Rates, Rates]
    try {
      expect([await one.caller('192.0.2.1'), await other.caller('192.0.2.1'), await one.caller('192.0.2.1')]).toEqual([0, 0, 0])
      expect(await other.caller('192.0.2.1')).toBeGreaterThan(0)
      redis.freeze()
      expect(await one.caller('192.0.2.2')).toBe(0)
      expect([notices.at(-1), one.isAlone]).toEqual(['limits_in_memory', true])
      redis.thaw()
      for (let waitedMs = 0; one.isAlone && waitedMs < 10_000; waitedMs += 100) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        await one.caller('192.0.2.9')
      }
      expect([notices.at(-1), one.isAlone]).toEqual(['limits_shared_again', false])
    } finally {
      for (const client of clients) client.destroy()
      await redis.stop()
    }
  }, 600_000)
})
