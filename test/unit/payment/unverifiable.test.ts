// Payments that only the facilitator can verify: anybody can make them without a key, so few are sent there.
import { Checkout } from '../../../query-api/payment/checkout.ts'
import { paymentLimits } from '../../../query-api/payment/limits.ts'
import { PaidGate } from '../../../query-api/payment/paid-gate.ts'
import type { Rail, Verdict } from '../../../query-api/payment/rail.ts'
import type { PaymentEntry } from '../../../query-api/payment/stores/idempotency-store.ts'
import type { SettlementLine } from '../../../query-api/payment/stores/settlement-log.ts'
import { TableLog } from '../../../query-api/payment/stores/table-log.ts'
import { TableIdempotencyStore } from '../../../query-api/payment/stores/table-store.ts'
import { createMemoryTable } from '../../../topology/data-dir/memory-table.ts'
import { entryOf } from '../../contract/idempotency-store-contract.ts'

const clock = { now: Date.now }
const { requirements } = entryOf()
const NETWORK = requirements.network
const FROM = `0x${'a'.repeat(40)}`

/** A payment of a contract wallet; the nth has the nth nonce. */
const payment = (nth: number): object => ({
  x402Version: 2,
  accepted: requirements,
  payload: {
    signature: `0x${'1'.repeat(600)}`,
    authorization: {
      from: FROM,
      to: FROM,
      value: '1',
      validAfter: '0',
      validBefore: '9',
      nonce: `0x${nth.toString(16).padStart(64, '0')}`,
    },
  },
})

/** A gate whose facilitator answers when `answer` is called. */
const given = (admitUnverifiable?: (address: string) => Promise<{ status: number; body: string } | null>) => {
  const waiting: ((verdict: Verdict) => void)[] = []
  const rail: Rail = {
    network: NETWORK,
    proof: async () => ({ kind: 'unverifiable' }),
    terms: async () => requirements,
    agreed: async () => requirements,
    verify: () => new Promise((resolve) => waiting.push(resolve)),
    settle: async () => ({ kind: 'uncertain', reason: 'never called' }),
    lookUp: async () => undefined,
  }
  const book = new TableIdempotencyStore(createMemoryTable<PaymentEntry>(), clock)
  const log = new TableLog(createMemoryTable<SettlementLine>())
  const checkout = new Checkout({ rails: new Map([[NETWORK, rail]]), book, log, clock, notice: () => {} })
  const gate = new PaidGate({ mode: 'facilitator', rails: [rail], checkout, ...(admitUnverifiable && { admitUnverifiable }) })
  const offer = { path: '/v1/x', priceMicroUsdc: 1, description: '' }
  const buy = (nth: number) =>
    gate.sell({
      ...{ offer, resourceUrl: 'http://shop.example', request: 'r', callerAddress: '192.0.2.1', payment: payment(nth) },
      precheck: () => null,
      produce: () => ({ status: 200, body: '{}' }),
    })
  const answer = (): void => {
    for (const resolve of waiting.splice(0)) resolve({ kind: 'refused', reason: 'no' })
  }
  return { buy, answer, waiting }
}

test('while as many as the limit are in progress, one more is refused unpaid, and is taken once they have ended', async () => {
  const { buy, answer, waiting } = given()
  const first = Array.from({ length: paymentLimits.unverifiableMax }, (_, nth) => buy(nth))
  expect(await buy(1_000)).toMatchObject({ kind: 'refused', status: 503, error: 'payment_busy', charged: false })
  expect(waiting).toHaveLength(paymentLimits.unverifiableMax)
  answer()
  expect(new Set((await Promise.all(first)).map(({ kind }) => kind))).toEqual(new Set(['asked']))
  const next = buy(1_000)
  while (waiting.length === 0) await new Promise(setImmediate)
  answer()
  expect(await next).toMatchObject({ kind: 'asked', body: { error: 'no' } })
})

test('beyond the rate of its caller, one is refused without the facilitator', async () => {
  const limited = { status: 429, body: 'later' }
  const { buy, waiting } = given(async (address) => (address === '192.0.2.1' ? limited : null))
  expect(await buy(1)).toEqual({ kind: 'given', answer: limited })
  expect(waiting).toHaveLength(0)
})
