// Answers of a checkout that does not sell: when it is full, for known payments and for others.

import { Checkout } from '../../../query-api/payment/checkout.ts'
import type { Purchase } from '../../../query-api/payment/purchase.ts'
import type { IdempotencyStore, PaymentEntry } from '../../../query-api/payment/stores/idempotency-store.ts'
import type { SettlementLine } from '../../../query-api/payment/stores/settlement-log.ts'
import { TableLog } from '../../../query-api/payment/stores/table-log.ts'
import { TableIdempotencyStore } from '../../../query-api/payment/stores/table-store.ts'
import { EngineError } from '../../../schemas/errors.ts'
import { createMemoryTable } from '../../../topology/data-dir/memory-table.ts'
import { claimOf, entryOf, identifierOf } from '../../contract/idempotency-store-contract.ts'

const clock = { now: Date.now }
const never = (): never => {
  throw new Error('must not produce an answer')
}
const { payload } = entryOf()
const purchaseOf = (identity: string, identifier: string | null = null): Purchase => ({
  payment: { identity, identifier: identifierOf(identifier), payer: 'p', payload, accepted: payload.accepted, proof: undefined },
  path: '/v1/x',
  request: 'r',
  callerAddress: '192.0.2.1',
  agree: never,
  produce: never,
})

test('when full, a known payment or a copy of its identifier gets an unknown outcome, any other gets charged: false', async () => {
  const book = new TableIdempotencyStore(createMemoryTable<PaymentEntry>(), clock)
  const claim = await claimOf(book, 'known', 'id')
  await claim.put(entryOf({ state: 'uncertain', identifier: 'id' }))
  await claim.release()
  const log = new TableLog(createMemoryTable<SettlementLine>())
  const checkout = new Checkout({ rails: new Map(), book, log, clock, notice: () => {} })
  await checkout.close(0)
  expect(await checkout.submit(purchaseOf('known'))).toEqual({ kind: 'unknown' })
  expect(await checkout.submit(purchaseOf('copy', 'id'))).toEqual({ kind: 'unknown' })
  expect(await checkout.submit(purchaseOf('new'))).toEqual({ kind: 'unavailable', error: 'payment_busy' })
})

test('closes when pending payments have ended, or at the timeout', async () => {
  const entries = new TableIdempotencyStore(createMemoryTable<PaymentEntry>(), clock)
  let letGo = (): void => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const claim = async (): Promise<never> => held.then(() => Promise.reject(new EngineError('table_io', 'injected failure')))
  const book: IdempotencyStore = { claim, has: (identity, identifier) => entries.has(identity, identifier), close: () => entries.close() }
  const log = new TableLog(createMemoryTable<SettlementLine>())
  const checkout = new Checkout({ rails: new Map(), book, log, clock, notice: () => {} })
  const [outcome, ended] = [checkout.submit(purchaseOf('a')), [] as string[]]
  const closing = checkout.close(60_000).then(() => ended.push('whole'))
  await checkout.close(20).then(() => ended.push('in time'))
  expect(ended).toEqual(['in time'])
  letGo()
  await closing
  expect([ended, (await outcome).kind]).toEqual([['in time', 'whole'], 'unread'])
})
