// Several processes that serve on one Redis: one delivers, and another goes on where it ended or died.
import { randomUUID } from 'node:crypto'
import { createClient } from '@redis/client'
import { Alerts } from '../../query-api/alerts/alerts.ts'
import type { AlertRows } from '../../query-api/alerts/rows/alert-rows.ts'
import { RedisRows } from '../../query-api/alerts/rows/redis-rows.ts'
import type { Key } from '../../schemas/keys.ts'
import { describeRedis, startRedis, type TestRedis } from '../services/redis.ts'
import { eventually } from './alerts-checks.ts'
import { type GivenAlerts, givenAlerts } from './alerts-given.ts'

/** Longer than a turn of a machine with other jobs: a lease that lapses meanwhile lets the other send again, as it should. */
const LEASE_MS = 20_000
const mintOf = (n: number): Key => Buffer.from(String(n).padStart(32, '0')).toString('latin1') as Key

describeRedis('alerts of several processes', () => {
  let redis: TestRedis
  let given: GivenAlerts
  let other: Alerts
  const clients: ReturnType<typeof createClient>[] = []
  const rowsOn = async (prefix: string): Promise<AlertRows> => {
    const client = createClient({ url: redis.url, disableOfflineQueue: true })
    client.on('error', () => undefined)
    await client.connect()
    clients.push(client as never)
    return new RedisRows({ client, prefix, leaseMs: LEASE_MS })
  }
  beforeAll(async () => {
    redis = await startRedis()
    const prefix = `test-${randomUUID()}:`
    given = await givenAlerts({ rows: await rowsOn(prefix) })
    other = new Alerts({ ...given.ground, rows: await rowsOn(prefix) })
    other.start()
  })
  afterAll(async () => {
    await given.close()
    await other.close()
    for (const client of clients) client.destroy()
    await redis.stop()
  })
  const log = (from: number): void => {
    for (let n = from; n < from + 20; n++)
      given.odds.append({ mint: mintOf(n), head: 'true_graduation', ppm: 900_000, at: given.time.nowS }, n % 2)
  }
  const arrived = (count: number): Promise<void> =>
    eventually(
      () => ({ alerts: other }),
      () => new Set(given.receiver.taken).size === count,
    )

  test('each alert is delivered by one of them; a subscription bought at either counts', async () => {
    const [order, receipt] = [given.order(), other.receipt(given.order())]
    await other.begin(order, receipt)
    await given.alerts.begin(order, receipt)
    await eventually(
      () => given,
      async () => (await given.rows.all('joined')).size === 1,
    )
    log(0)
    await arrived(20)
    expect(given.receiver.taken).toHaveLength(20)
  })

  test('given the one that delivers ends, then the other delivers what comes after it', async () => {
    await given.alerts.close()
    log(100)
    await arrived(40)
    expect(given.receiver.taken).toHaveLength(40)
  })
})
