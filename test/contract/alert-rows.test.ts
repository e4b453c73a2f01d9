// The store of alerts: the same contract for every adapter.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@redis/client'
import type { Subscription } from '../../query-api/alerts/alert.ts'
import type { AlertRows } from '../../query-api/alerts/rows/alert-rows.ts'
import { RedisRows } from '../../query-api/alerts/rows/redis-rows.ts'
import { type AlertStore, TableRows } from '../../query-api/alerts/rows/table-rows.ts'
import { openLmdbTables } from '../../topology/data-dir/lmdb-tables.ts'
import { ALERT_TABLES } from '../../topology/operations/backup/data-dir.ts'
import { memoryRows } from '../integration/alerts-given.ts'
import { describeRedis, startRedis, type TestRedis } from '../services/redis.ts'
import { until } from '../tools/until.ts'

const LEASE_MS = 800
const subscription = (id: string): Subscription => ({
  ...{ id, secret: 's', kinds: ['rug_flags'], minPpm: 1, target: { kind: 'generic', url: 'https://example.com' } },
  ...{ startedAt: 1, expiresAt: 2, begins: {} },
})

const contract = (name: string, openRows: () => Promise<{ readonly rows: AlertRows; close(): Promise<void> }>): void => {
  describe(name, () => {
    let opened: Awaited<ReturnType<typeof openRows>>
    beforeEach(async () => {
      opened = await openRows()
    })
    afterEach(() => opened.close())

    test('keeps the first row of a key, and changes the version with each new row', async () => {
      const { rows } = opened
      const versions = [await rows.version()]
      expect(await rows.add('subscriptions', 'a', subscription('a'))).toBe(true)
      versions.push(await rows.version())
      expect(await rows.add('subscriptions', 'a', subscription('other'))).toBe(false)
      expect(await rows.version()).toBe(versions[1])
      expect(await rows.add('cancelled', 'a', { at: 3 })).toBe(true)
      versions.push(await rows.version())
      expect(new Set(versions).size).toBe(3)
      expect([...(await rows.all('subscriptions'))]).toEqual([['a', subscription('a')]])
      expect([...(await rows.all('cancelled'))]).toEqual([['a', { at: 3 }]])
    })

    test('the leading process writes and removes rows of every table, more than one step takes', async () => {
      const { rows } = opened
      const lease = await rows.acquireLease()
      const done = Array.from({ length: 2_500 }, (_, n) => ['done', `id ${n}`, { t: n }] as const)
      expect(await lease?.write([...done, ['progress', 'rug_flags', [1, 2]], ['joined', 'a', { withdrawnS: 4 }]])).toBe(true)
      expect((await rows.all('done')).size).toBe(2_500)
      expect([...(await rows.all('progress'))]).toEqual([['rug_flags', [1, 2]]])
      const gone = done.slice(1).map(([table, id]) => [table, id, null] as const)
      expect(await lease?.write([...gone, ['joined', 'a', null]])).toBe(true)
      expect([[...(await rows.all('done'))], [...(await rows.all('joined'))]]).toEqual([[['id 0', { t: 0 }]], []])
      expect(await lease?.renew()).toBe(true)
      await lease?.release()
      expect(await rows.acquireLease()).not.toBeNull()
    })
  })
}

contract('in memory', async () => ({ rows: memoryRows(), close: async () => undefined }))

contract('in the data directory', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'mintfold-alerts-'))
  const { tables, close } = openLmdbTables<Record<string, never>>(dir, ALERT_TABLES)
  return {
    rows: new TableRows(tables as unknown as AlertStore),
    close: async () => {
      await close()
      await rm(dir, { recursive: true, force: true })
    },
  }
})

describeRedis('alerts on Redis', () => {
  let redis: TestRedis
  const clients: ReturnType<typeof createClient>[] = []
  const connected = async () => {
    const client = createClient({ url: redis.url, disableOfflineQueue: true })
    client.on('error', () => undefined)
    await client.connect()
    clients.push(client as never)
    return client
  }
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(async () => {
    for (const client of clients) client.destroy()
    await redis.stop()
  })

  contract('one process', async () => {
    const rows = new RedisRows({ client: await connected(), prefix: `test-${randomUUID()}:`, leaseMs: LEASE_MS })
    return { rows, close: async () => undefined }
  })

  test('one process has the lease at a time; one that stopped renewing its lease writes nothing any more', async () => {
    const prefix = `test-${randomUUID()}:`
    const [one, other] = [
      new RedisRows({ client: await connected(), prefix, leaseMs: LEASE_MS }),
      new RedisRows({ client: await connected(), prefix, leaseMs: LEASE_MS }),
    ]
    const first = await one.acquireLease()
    expect(await other.acquireLease()).toBeNull()
    let second = await other.acquireLease()
    await until(async () => {
      second ??= await other.acquireLease()
      return second !== null
    })
    expect(await first?.write([['done', 'late', { t: 1 }]])).toBe(false)
    expect(await first?.renew()).toBe(false)
    await first?.release()
    expect(await second?.write([['done', 'in time', { t: 1 }]])).toBe(true)
    expect([...(await one.all('done')).keys()]).toEqual(['in time'])
  })
})
