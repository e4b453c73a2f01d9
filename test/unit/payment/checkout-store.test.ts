// An entry that cannot be written: nothing is settled, the ledger has the reason, and the client gets the possible outcome.

import { Checkout } from '../../../query-api/payment/checkout.ts'
import type { Purchase } from '../../../query-api/payment/purchase.ts'
import type { Rail } from '../../../query-api/payment/rail.ts'
import type { Claim, IdempotencyStore, Kept, PayerIdentifier, PaymentEntry } from '../../../query-api/payment/stores/idempotency-store.ts'
import type { SettlementLine } from '../../../query-api/payment/stores/settlement-log.ts'
import { TableLog } from '../../../query-api/payment/stores/table-log.ts'
import { TableIdempotencyStore } from '../../../query-api/payment/stores/table-store.ts'
import { createMemoryTable } from '../../../topology/data-dir/memory-table.ts'
import { entryOf } from '../../contract/idempotency-store-contract.ts'

const clock = { now: Date.now }
const { payload, requirements } = entryOf()

/** An in-memory idempotency store with the given `put`; claims are released as in the real one. */
const bookThat = (put: () => Promise<Kept>): IdempotencyStore => {
  const book = new TableIdempotencyStore(createMemoryTable<PaymentEntry>(), clock)
  const withPut = (claim: Claim): Claim => ({ ...claim, put })
  return new Proxy(book, {
    get: (target, name) => {
      if (name !== 'claim') {
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      }
      return async (identity: string, identifier: PayerIdentifier | null) => {
        const claimed = await target.claim(identity, identifier)
        return claimed.kind === 'claimed' ? { ...claimed, claim: withPut(claimed.claim) } : claimed
      }
    },
  })
}

test.each<[string, () => Promise<Kept>, object, string]>([
  ['fails', () => Promise.reject(new Error('disk')), { kind: 'unavailable', error: 'payment_store_unavailable' }, 'store_failed'],
  ['loses the claim to another process', async () => 'lost', { kind: 'unknown' }, 'store_lost'],
  ['is full', async () => 'full', { kind: 'unavailable', error: 'payment_busy' }, 'store_full'],
])('a store that %s: nothing is settled and the ledger has the reason', async (_name, put, outcome, reason) => {
  let settled = 0
  const rail = {
    network: requirements.network,
    verify: async () => ({ kind: 'valid' }),
    settle: async () => {
      settled++
      return { kind: 'uncertain', reason: 'asked' }
    },
    lookUp: async () => undefined,
  } as never as Rail
  const log = new TableLog(createMemoryTable<SettlementLine>())
  const checkout = new Checkout({ rails: new Map([[rail.network, rail]]), book: bookThat(put), log, clock, notice: () => {} })
  const purchase: Purchase = {
    payment: { identity: 'i', identifier: null, payer: 'p', payload, accepted: payload.accepted, proof: undefined },
    ...{ path: '/v1/x', request: 'r', callerAddress: '192.0.2.1' },
    agree: async () => ({ kind: 'agreed', requirements, rail }),
    produce: async () => ({ kind: 'sold', answer: { status: 200, type: 'application/json', bodyBase64: 'e30=' } }),
  }
  expect(await checkout.submit(purchase)).toEqual(outcome)
  await checkout.close(1_000)
  const lines: SettlementLine[] = []
  for await (const line of log.lines()) lines.push(line)
  expect([settled, lines.find(({ state }) => state === 'unreached')?.reason]).toEqual([0, reason])
})
