// When a sale begins: after the settlement and before the response is sent. If beginning fails, a retry of the payment begins the sale.
import type { SettleResponse } from '@x402/core/types'
import { Checkout } from '../../../query-api/payment/checkout.ts'
import { offGate } from '../../../query-api/payment/off-gate.ts'
import type { Rail, Settlement } from '../../../query-api/payment/rail.ts'
import type { PaymentEntry } from '../../../query-api/payment/stores/idempotency-store.ts'
import type { SettlementLine } from '../../../query-api/payment/stores/settlement-log.ts'
import { TableLog } from '../../../query-api/payment/stores/table-log.ts'
import { TableIdempotencyStore } from '../../../query-api/payment/stores/table-store.ts'
import { createMemoryTable } from '../../../topology/data-dir/memory-table.ts'
import { entryOf } from '../../contract/idempotency-store-contract.ts'

const clock = { now: Date.now }
const { payload, requirements } = entryOf()
const receipt: SettleResponse = { success: true, transaction: 't', network: requirements.network }
const answerOf = (n: number) => ({ status: 200, type: 'application/json', bodyBase64: Buffer.from(`{"n":${n}}`).toString('base64') })

/** `begun` lists the begun sales in order; a reopened shop has the same idempotency store and no other state. */
const shopOf = (settlement: Settlement) => {
  const table = createMemoryTable<PaymentEntry>()
  const begun: string[] = []
  const shop = { fails: 0, made: 0 }
  const open = () => {
    const rail: Rail = {
      network: requirements.network,
      proof: async () => ({ kind: 'signed' }),
      terms: async () => requirements,
      agreed: async () => requirements,
      verify: async () => ({ kind: 'valid' }),
      settle: async () => settlement,
      lookUp: async () => (settlement.kind === 'charged' ? { kind: 'landed', transaction: 't' } : undefined),
    }
    const log = new TableLog(createMemoryTable<SettlementLine>())
    const checkout = new Checkout({
      rails: new Map([[rail.network, rail]]),
      book: new TableIdempotencyStore(table, clock),
      log,
      clock,
      notice: () => {},
    })
    return (request = 'r') =>
      checkout.submit({
        payment: { identity: 'i', identifier: null, payer: 'p', payload, accepted: payload.accepted, proof: undefined },
        ...{ path: '/v1/x', request, callerAddress: '192.0.2.1', agree: async () => ({ kind: 'agreed', requirements, rail }) },
        produce: async () => ({ kind: 'sold', answer: answerOf(++shop.made) }),
        settled: async ({ bodyBase64 }) => {
          if (shop.fails-- > 0) throw new Error('the store is away')
          begun.push(Buffer.from(bodyBase64, 'base64').toString())
        },
      })
  }
  return { open, begun, shop }
}

const charged: Settlement = { kind: 'charged', receipt }

test('a sale begins once, however often its payment arrives, and every copy gets the same response', async () => {
  const { open, begun } = shopOf(charged)
  const buy = open()
  const copies = [...(await Promise.all([buy(), buy()])), await buy(), await open()()]
  expect(copies.map((outcome) => outcome.kind === 'paid' && outcome.answer)).toEqual(copies.map(() => answerOf(1)))
  expect(await buy('another')).toEqual({ kind: 'used' })
  expect(begun).toEqual(['{"n":1}'])
})

test.each(['refused', 'unreachable', 'uncertain'] as const)('a settlement that is %s begins nothing', async (kind) => {
  const { open, begun } = shopOf({ kind, reason: 'x' })
  expect(['refused', 'unavailable', 'unknown']).toContain((await open()()).kind)
  expect(begun).toEqual([])
})

test('if beginning fails after the settlement, the outcome is unknown, and a retry begins the sale with the same response', async () => {
  const { open, begun, shop } = shopOf(charged)
  shop.fails = 2
  expect(await open()()).toEqual({ kind: 'unknown' })
  expect(await open()()).toEqual({ kind: 'unknown' })
  expect(begun).toEqual([])
  expect(await open()()).toMatchObject({ kind: 'paid', answer: answerOf(1), isReplayed: true })
  expect([begun, shop.made]).toEqual([['{"n":1}'], 1])
})

test('with payments off, a successful response begins a sale, and a refusal does not', async () => {
  const begun: string[] = []
  const ask = {
    offer: { path: '/v1/x', priceMicroUsdc: 1, description: '' },
    resourceUrl: '',
    request: '',
    callerAddress: '',
    payment: undefined,
  }
  const settled = async (body: string): Promise<void> => void begun.push(body)
  const given = { status: 200, body: '{}' }
  await offGate().sell({ ...ask, precheck: () => null, produce: () => given, settled })
  await offGate().sell({ ...ask, precheck: () => ({ status: 503, body: 'no' }), produce: () => given, settled })
  await offGate().sell({ ...ask, precheck: () => null, produce: () => ({ status: 503, body: 'no' }), settled })
  expect(begun).toEqual(['{}'])
})
