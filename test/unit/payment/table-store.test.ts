import { paymentLimits } from '../../../query-api/payment/limits.ts'
import type { Kept, PaymentEntry } from '../../../query-api/payment/stores/idempotency-store.ts'
import { TableIdempotencyStore } from '../../../query-api/payment/stores/table-store.ts'
import { createMemoryTable } from '../../../topology/data-dir/memory-table.ts'
import { entryOf, identifierOf } from '../../contract/idempotency-store-contract.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const answer = { status: 200, type: 'application/json', bodyBase64: 'e30=' }
const entryAt = (at: number, state: PaymentEntry['state'] = 'done'): PaymentEntry => entryOf({ at, doneAt: at, state, answer })

const given = () => {
  const clock = { ms: 1_000_000, now: () => clock.ms }
  const table = createMemoryTable<PaymentEntry>()
  return { clock, table, book: new TableIdempotencyStore(table, clock) }
}
const put = async (book: TableIdempotencyStore, identity: string, entry: PaymentEntry): Promise<Kept> => {
  const claimed = await book.claim(identity, identifierOf(entry.identifier))
  if (claimed.kind !== 'claimed') throw new Error(claimed.kind)
  const kept = await claimed.claim.put(entry)
  await claimed.claim.release()
  return kept
}

test('drops a settled response after 10 minutes and remembers the payment', async () => {
  const { clock, book, table } = given()
  await put(book, 'a', entryAt(clock.ms))
  clock.ms += 10 * MINUTE_MS
  await book.sweep()
  expect(table.get('a')).toMatchObject({ answer })
  clock.ms += 2000
  await book.sweep()
  expect(table.get('a')).toMatchObject({ state: 'done', answer: null })
})

test('forgets the payment after 24 hours', async () => {
  const { clock, book, table } = given()
  await put(book, 'a', entryAt(clock.ms))
  clock.ms += 24 * HOUR_MS
  await book.sweep()
  expect(await book.has('a', null)).toBe(true)
  clock.ms += 2000
  await book.sweep()
  expect(await book.has('a', null)).toBe(false)
  expect([...table.entries()]).toEqual([])
})

test("keeps an identifier with its new payment if the first one's refusal ends later", async () => {
  const { book } = given()
  const first = await book.claim('a', identifierOf('id'))
  if (first.kind !== 'claimed') throw new Error(first.kind)
  await first.claim.put(entryOf({ identifier: 'id' }))
  const refusing = first.claim.refuse('no')
  const second = await book.claim('b', identifierOf('id'))
  expect(second.kind).toBe('claimed')
  await refusing
  await first.claim.release()
  expect(await book.claim('c', identifierOf('id'))).toEqual({ kind: 'bound', identity: 'b' })
})

test('finds the payer’s payment by its identifier in a table that was written by an older version', async () => {
  const { clock, table } = given()
  await table.put('a', entryOf({ at: clock.ms, state: 'done', identifier: 'i', payer: 'payer' }))
  const book = new TableIdempotencyStore(table, clock)
  expect(await book.claim('b', identifierOf('i', 'payer'))).toEqual({ kind: 'bound', identity: 'a' })
  expect(await book.claim('b', identifierOf('i', 'stranger'))).toMatchObject({ kind: 'claimed' })
})

test('keeps the response of an uncertain payment until the payment expires', async () => {
  const { clock, book, table } = given()
  await put(book, 'a', entryAt(clock.ms, 'uncertain'))
  clock.ms += 23 * HOUR_MS
  await book.sweep()
  expect(table.get('a')).toMatchObject({ state: 'uncertain', answer })
})

test('restores ages and sizes after a restart', async () => {
  const { clock, table, book } = given()
  await put(book, 'b', entryAt(clock.ms))
  await put(book, 'a', entryAt(clock.ms + 5 * MINUTE_MS, 'running'))
  const after = new TableIdempotencyStore(table, clock)
  clock.ms += 10 * MINUTE_MS + 1
  await after.sweep()
  expect(table.get('b')).toMatchObject({ answer: null })
  expect(table.get('a')).toMatchObject({ state: 'running', answer })
})

test('limits the bytes of responses; dropped responses free space', async () => {
  const { clock, book } = given()
  const large = (bytes: number): PaymentEntry => ({ ...entryAt(clock.ms), answer: { ...answer, bodyBase64: 'x'.repeat(bytes) } })
  const rest = paymentLimits.answersBytesMax - answer.bodyBase64.length
  await put(book, 'a', entryAt(clock.ms))
  expect(await put(book, 'b', large(rest + 1))).toBe('full')
  expect(await book.has('b', null)).toBe(false)
  await put(book, 'a', { ...entryAt(clock.ms), answer: null })
  expect(await put(book, 'b', large(rest + 1))).toBe('kept')
})

describe('a refusal', () => {
  const refuse = async (book: TableIdempotencyStore, identity: string): Promise<Kept> => {
    const claimed = await book.claim(identity, null)
    if (claimed.kind !== 'claimed') throw new Error(claimed.kind)
    const kept = await claimed.claim.refuse('no money')
    await claimed.claim.release()
    return kept
  }

  test('is valid for as long as the payment could land', async () => {
    const { clock, book } = given()
    expect(await refuse(book, 'a')).toBe('kept')
    clock.ms += paymentLimits.landWithinMs
    expect(await book.claim('a', null)).toEqual({ kind: 'refused', reason: 'no money' })
    clock.ms += 1
    expect(await book.claim('a', null)).toMatchObject({ kind: 'claimed' })
  })

  test('is stored up to a limit: expired ones free space, and one that does not fit is not reported as permanent', async () => {
    const { clock, book } = given()
    for (let nth = 0; nth < paymentLimits.refusalsMax; nth++) await refuse(book, `a${nth}`)
    expect(await refuse(book, 'b')).toBe('full')
    expect(await book.claim('b', null)).toMatchObject({ kind: 'claimed' })
    clock.ms += paymentLimits.landWithinMs + 1
    expect(await refuse(book, 'c')).toBe('kept')
  })
})

test('payments refused before anything was stored free no space for responses', async () => {
  const room = jest.replaceProperty(paymentLimits, 'answersBytesMax', 100 as never)
  try {
    const { clock, book } = given()
    for (let n = 0; n < 300; n++) {
      const claimed = await book.claim(`refused ${n}`, null)
      if (claimed.kind === 'claimed') await claimed.claim.refuse('no')
    }
    const large = { ...answer, bodyBase64: 'e'.repeat(200) }
    expect(await put(book, 'large', entryOf({ at: clock.ms, doneAt: clock.ms, state: 'done', answer: large }))).toBe('full')
    expect(await put(book, 'small', entryAt(clock.ms))).toBe('kept')
  } finally {
    room.restore()
  }
})
