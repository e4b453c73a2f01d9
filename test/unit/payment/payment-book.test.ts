import { paymentLimits } from '../../../query-api/payment/limits.ts'
import { PaymentBook, type PaymentEntry } from '../../../query-api/payment/payment-book.ts'
import { createMemoryTable } from '../../../topology/stores/memory-table.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const requirements = {
  scheme: 'exact',
  network: 'solana:x',
  asset: 'a',
  amount: '1',
  payTo: 'p',
  maxTimeoutSeconds: 60,
  extra: {},
} as const
const answer = { status: 200, type: 'application/json', bodyBase64: 'e30=' }
const entryAt = (at: number, state: PaymentEntry['state'] = 'done'): PaymentEntry => ({
  state,
  at,
  doneAt: at,
  request: 'r',
  scope: 's',
  wireBase64: '',
  requirements,
  answer,
  receipt: null,
})

const given = () => {
  const clock = { ms: 1_000_000, now: () => clock.ms }
  const table = createMemoryTable<PaymentEntry>()
  return { clock, table, book: new PaymentBook(table, clock) }
}

test('given 10 minutes, a settled answer is dropped and the payment is remembered', async () => {
  const { clock, book } = given()
  await book.put('a', entryAt(clock.ms))
  clock.ms += 10 * MINUTE_MS
  await book.sweep()
  const kept = book.find('a')
  expect(kept && book.isReplayable(kept)).toBe(true)
  clock.ms += 2000
  expect(kept && book.isReplayable(kept)).toBe(false)
  await book.sweep()
  expect(book.find('a')).toMatchObject({ state: 'done', answer: null })
})

test('given 24 hours, the payment is forgotten', async () => {
  const { clock, book, table } = given()
  await book.put('a', entryAt(clock.ms))
  clock.ms += 24 * HOUR_MS
  await book.sweep()
  expect(book.find('a')).toBeDefined()
  clock.ms += 2000
  await book.sweep()
  expect(book.find('a')).toBeUndefined()
  expect([...table.entries()]).toEqual([])
})

test('an uncertain payment keeps its answer until it is forgotten', async () => {
  const { clock, book } = given()
  await book.put('a', entryAt(clock.ms, 'uncertain'))
  clock.ms += 23 * HOUR_MS
  await book.sweep()
  expect(book.find('a')).toMatchObject({ state: 'uncertain', answer })
})

test('given a restart, a new book knows ages and sizes of the old one', async () => {
  const { clock, table, book } = given()
  await book.put('b', entryAt(clock.ms))
  await book.put('a', entryAt(clock.ms + 5 * MINUTE_MS, 'running'))
  const after = new PaymentBook(table, clock)
  clock.ms += 10 * MINUTE_MS + 1
  await after.sweep()
  expect(after.find('b')).toMatchObject({ answer: null })
  expect(after.find('a')).toMatchObject({ state: 'running', answer })
})

test('there is room for so many bytes of answers and no more; dropped answers make room', async () => {
  const { clock, book } = given()
  expect(book.hasRoom(paymentLimits.answersBytesMax)).toBe(true)
  await book.put('a', entryAt(clock.ms))
  expect(book.hasRoom(paymentLimits.answersBytesMax - answer.bodyBase64.length)).toBe(true)
  expect(book.hasRoom(paymentLimits.answersBytesMax - answer.bodyBase64.length + 1)).toBe(false)
  await book.put('a', { ...entryAt(clock.ms), answer: null })
  expect(book.hasRoom(paymentLimits.answersBytesMax)).toBe(true)
  await book.put('b', entryAt(clock.ms))
  await book.remove('b')
  expect(book.hasRoom(paymentLimits.answersBytesMax)).toBe(true)
})
