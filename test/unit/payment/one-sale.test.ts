// One payment, one sale: the response follows the settlement, and copies of the payment get the same response.
import type { SettleResponse } from '@x402/core/types'
import { Checkout } from '../../../query-api/payment/checkout.ts'
import type { Produced, Purchase } from '../../../query-api/payment/purchase.ts'
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
const charged: Settlement = { kind: 'charged', receipt }
const answer = { status: 200, type: 'application/json', bodyBase64: 'e30=' }

/** A shop whose facilitator settles as given; `counts` counts the calls of `produce` and `settle`. */
const shopOf = (settle: () => Promise<Settlement>) => {
  const counts = { settlements: 0, answers: 0 }
  const rail: Rail = {
    network: 'solana:x',
    proof: async () => ({ kind: 'signed' }),
    terms: async () => requirements,
    agreed: async () => requirements,
    verify: async () => ({ kind: 'valid' }),
    settle: () => {
      counts.settlements += 1
      return settle()
    },
    lookUp: async () => undefined,
  }
  const produce = async (): Promise<Produced> => {
    counts.answers += 1
    return { kind: 'sold', answer }
  }
  const purchase = (request = 'r'): Purchase => ({
    payment: { identity: 'i', identifier: null, payer: 'p', payload, accepted: payload.accepted, proof: undefined },
    path: '/v1/x',
    request,
    callerAddress: '192.0.2.1',
    agree: async () => ({ kind: 'agreed', requirements, rail }),
    produce,
  })
  const book = new TableIdempotencyStore(createMemoryTable<PaymentEntry>(), clock)
  const log = new TableLog(createMemoryTable<SettlementLine>())
  const checkout = new Checkout({ rails: new Map([[rail.network, rail]]), book, log, clock, notice: () => {} })
  return { counts, buy: (request?: string) => checkout.submit(purchase(request)) }
}

describe('a sale', () => {
  test('sends the response only after the payment has settled', async () => {
    let settle = (_: Settlement): void => {}
    const settled = new Promise<Settlement>((resolve) => {
      settle = resolve
    })
    const outcome = shopOf(() => settled).buy()
    const early = new Promise((resolve) => setTimeout(resolve, 50, 'nothing yet'))
    expect(await Promise.race([outcome, early])).toBe('nothing yet')
    settle(charged)
    expect(await outcome).toMatchObject({ kind: 'paid', answer, receipt })
    const without = (['refused', 'unreachable', 'uncertain'] as const).map((kind) => shopOf(async () => ({ kind, reason: 'x' })).buy())
    expect((await Promise.all(without)).map(({ kind }) => kind)).toEqual(['refused', 'unavailable', 'unknown'])
  })

  test('settles a payment once, however many copies arrive, answers each copy the same, and refuses it for another request', async () => {
    const { counts, buy } = shopOf(async () => charged)
    const copies = [...(await Promise.all([buy(), buy()])), await buy()]
    expect(copies).toMatchObject([false, true, true].map((isReplayed) => ({ kind: 'paid', answer, isReplayed })))
    expect(await buy('another')).toEqual({ kind: 'used' })
    expect(counts).toEqual({ settlements: 1, answers: 1 })
  })
})
