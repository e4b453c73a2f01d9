import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@redis/client'
import type { IdempotencyStore, PaymentEntry } from '../../query-api/payment/stores/idempotency-store.ts'
import { RedisLog } from '../../query-api/payment/stores/redis-log.ts'
import { RedisIdempotencyStore } from '../../query-api/payment/stores/redis-store.ts'
import { lineOf, type SettlementLog, settlementsOf } from '../../query-api/payment/stores/settlement-log.ts'
import { TableLog } from '../../query-api/payment/stores/table-log.ts'
import { TableIdempotencyStore } from '../../query-api/payment/stores/table-store.ts'
import { createMemoryTable } from '../../topology/data-dir/memory-table.ts'
import { describeRedis, startRedis, type TestRedis } from '../services/redis.ts'
import { claimOf, entryOf, identifierOf, paymentBookContract } from './idempotency-store-contract.ts'

const clock = { now: Date.now }
const LEASE_MS = 1_200

paymentBookContract('table', async () => {
  const table = createMemoryTable<PaymentEntry>()
  return { open: async () => new TableIdempotencyStore(table, clock), close: async () => undefined }
})

const logContract = (name: string, open: () => Promise<SettlementLog>): void => {
  test(`${name} as a ledger: lines stay in order, and the last entry of a payment is valid`, async () => {
    const log = await open()
    const at = Date.now()
    await log.append(lineOf('a', entryOf({ at }), 'settling', at))
    await log.append({ ...lineOf('b', entryOf({ at }), 'uncertain', at + 1), reason: 'cut', signed: { transaction: 'x' } })
    await log.append({ ...lineOf('a', entryOf({ at }), 'settled', at + 2), transaction: 'T' })
    await log.append(lineOf('b', entryOf({ at }), 'refused', at + 3))
    const lines = []
    for await (const { identity, state } of log.lines()) lines.push(`${identity} ${state}`)
    expect(lines).toEqual(['a settling', 'b uncertain', 'a settled', 'b refused'])
    expect(await settlementsOf(log)).toEqual([
      expect.objectContaining({ identity: 'a', state: 'settled', transaction: 'T', amount: '1', path: '/v1/x' }),
      expect.objectContaining({ identity: 'b', state: 'refused', signed: { transaction: 'x' } }),
    ])
  })

  test(`${name} as a ledger: returns all of 2,001 lines, each once`, async () => {
    const log = await open()
    const at = Date.now()
    const identities = Array.from({ length: 2_001 }, (_, n) => `payment ${n}`)
    await Promise.all(identities.map((identity) => log.append(lineOf(identity, entryOf({ at }), 'settled', at))))
    const read = []
    for await (const { identity } of log.lines()) read.push(identity)
    expect(read).toEqual(identities)
  })
}

logContract('table', async () => new TableLog(createMemoryTable()))

describeRedis('on Redis', () => {
  let redis: TestRedis
  const clients: ReturnType<typeof createClient>[] = []
  const connect = async () => {
    const client = createClient({ url: redis.url, disableOfflineQueue: true })
    client.on('error', () => undefined)
    await client.connect()
    clients.push(client as never)
    return client
  }
  const booksOf = async () => {
    const prefix = `test-${randomUUID()}:`
    const opened: IdempotencyStore[] = []
    return {
      open: async () => {
        const book = new RedisIdempotencyStore({ client: await connect(), prefix, clock, leaseMs: LEASE_MS })
        opened.push(book)
        return book
      },
      close: async () => {
        for (const book of opened) await book.close()
      },
    }
  }
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(async () => {
    for (const client of clients) client.destroy()
    await redis.stop()
  })

  paymentBookContract('redis', booksOf)
  logContract('redis', async () => new RedisLog(await connect(), `test-${randomUUID()}:`))

  test('a claim lives while its process renews it; a silent one is taken over, and its later writes are refused', async () => {
    const books = await booksOf()
    const [one, other] = [await books.open(), await books.open()]
    const claim = await claimOf(one, 'a')
    await claim.put(entryOf())
    await pause(1.3 * LEASE_MS)
    expect(await other.claim('a', null)).toEqual({ kind: 'busy' })
    await one.close()
    await pause(1.3 * LEASE_MS)
    const taken = await claimOf(other, 'a')
    expect(taken.entry?.state).toBe('running')
    await taken.put(entryOf({ state: 'done' }))
    expect([await claim.put(entryOf({ state: 'uncertain' })), await claim.remove()]).toEqual(['lost', 'lost'])
    expect(await claim.refuse('no money')).toBe('lost')
    await claim.release()
    expect(await one.claim('a', null)).toEqual({ kind: 'busy' })
    await taken.release()
    expect((await claimOf(one, 'a')).entry?.state).toBe('done')
    await books.close()
  })

  describe('an identifier that an older version has bound', () => {
    /** As such a version stores it: the identifier alone, and the entry, once there is one. */
    const given = async (entry: PaymentEntry | undefined) => {
      const [client, prefix] = [await connect(), `test-${randomUUID()}:`]
      const key = (name: string): string => `${prefix}{payments}:${name}`
      await client.set(key('identifier:i'), 'a')
      if (entry !== undefined) {
        const { answer, ...rest } = entry
        await client.set(key('entry:a'), JSON.stringify(rest))
        await client.set(key('answer:a'), JSON.stringify(answer))
      }
      const claim = () => client.set(key('claim:a'), 'a process of that version', { expiration: { type: 'PX', value: LEASE_MS } })
      return { client, key, claim, book: new RedisIdempotencyStore({ client, prefix, clock, leaseMs: LEASE_MS }) }
    }
    const entry = entryOf({ state: 'done', identifier: 'i' })

    test('still finds the payment for its payer, and is in nobody else’s way', async () => {
      const { book } = await given(entry)
      expect(await book.claim('b', identifierOf('i'))).toEqual({ kind: 'bound', identity: 'a' })
      expect([await book.has('b', identifierOf('i')), await book.has('b', identifierOf('i', 'stranger'))]).toEqual([true, false])
      await claimOf(book, 'b', 'i', 'stranger')
      expect((await claimOf(book, 'a', 'i')).entry).toEqual(entry)
      await book.close()
    })

    test('counts as the payer’s while its payment is in progress there, and is free once that process has died', async () => {
      const { book, claim } = await given(undefined)
      await claim()
      expect(await book.claim('b', identifierOf('i'))).toEqual({ kind: 'bound', identity: 'a' })
      await pause(1.3 * LEASE_MS)
      await claimOf(book, 'b', 'i')
      await book.close()
    })

    test('is bound for such a version, too, by a payment that this one sells', async () => {
      const { book, client, key } = await given(undefined)
      await client.del(key('identifier:i'))
      const sold = await claimOf(book, 'b', 'i')
      await sold.put(entryOf({ identifier: 'i' }))
      expect(await client.get(key('identifier:i'))).toBe('b')
      await sold.remove()
      await sold.release()
      expect(await client.get(key('identifier:i'))).toBeNull()
      await book.close()
    })
  })

  test('of 50 processes at once one gets the claim', async () => {
    const books = await booksOf()
    const all = await Promise.all(Array.from({ length: 5 }, () => books.open()))
    const kinds = await Promise.all(Array.from({ length: 50 }, async (_, nth) => (await all[nth % 5]?.claim('a', null))?.kind))
    expect(kinds.filter((kind) => kind === 'claimed')).toHaveLength(1)
    await books.close()
  })

  test('counts the bytes of answers as they come and go', async () => {
    const prefix = `test-${randomUUID()}:`
    const client = await connect()
    const book = new RedisIdempotencyStore({ client, prefix, clock, leaseMs: LEASE_MS })
    const total = async (): Promise<number> => Number(await client.get(`${prefix}{payments}:total`))
    const claim = await claimOf(book, 'a')
    await claim.put(entryOf())
    const bytes = await total()
    await claim.put(entryOf({ state: 'done' }))
    expect([bytes > 0, await total()]).toEqual([true, bytes])
    await claim.remove()
    expect(await total()).toBe(0)
    await claim.release()
    await book.close()
  })

  test('remembers a refusal for as long as the payment could land', async () => {
    const prefix = `test-${randomUUID()}:`
    const client = await connect()
    const book = new RedisIdempotencyStore({ client, prefix, clock, leaseMs: LEASE_MS })
    const claim = await claimOf(book, 'a')
    await claim.refuse('no money')
    await claim.release()
    expect(Math.round((await client.ttl(`${prefix}{payments}:refusal:a`)) / 60)).toBe(10)
    expect(await client.zCard(`${prefix}{payments}:refusals`)).toBe(1)
    await book.close()
  })

  test('an answer expires after its ten minutes and the entry after its day, without a cleanup', async () => {
    const prefix = `test-${randomUUID()}:`
    const client = await connect()
    const book = new RedisIdempotencyStore({ client, prefix, clock, leaseMs: LEASE_MS })
    const claim = await claimOf(book, 'a')
    await claim.put(entryOf({ state: 'done' }))
    await claim.release()
    const [entryS, answerS] = await Promise.all(['entry', 'answer'].map((kind) => client.ttl(`${prefix}{payments}:${kind}:a`)))
    expect([Math.round(Number(entryS) / 3_600), Math.round(Number(answerS) / 60)]).toEqual([24, 11])
    await book.close()
  })
})
