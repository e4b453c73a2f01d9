// Several serving processes on one Redis: one delivers, and another takes over where it ended or was killed.
import { randomUUID } from 'node:crypto'
import { createClient } from '@redis/client'
import { Alerts } from '../../query-api/alerts/alerts.ts'
import type { AlertRows } from '../../query-api/alerts/rows/alert-rows.ts'
import { RedisRows } from '../../query-api/alerts/rows/redis-rows.ts'
import type { Key } from '../../schemas/keys.ts'
import { describeRedis, startRedis, type TestRedis } from '../services/redis.ts'
import { eventually } from './alerts-checks.ts'
import { type GivenAlerts, givenAlerts } from './alerts-given.ts'

/** Longer than a busy machine's scheduling delay: if a lease lapses, another process may send again, by design. */
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

  test('one process delivers each alert; a subscription bought at any process counts', async () => {
    const [order, receipt] = [given.order(), other.receipt(given.order(), given.time.nowS)]
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

  test('another process takes over deliveries when the delivering one ends', async () => {
    await given.alerts.close()
    log(100)
    await arrived(40)
    expect(given.receiver.taken).toHaveLength(40)
  })
})
