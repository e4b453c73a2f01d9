// Compact checks paid in USDC on a second network: the official client and facilitator of EVM chains, over a token in memory.
import { decodePaymentResponseHeader } from '@x402/core/http'
import { type SettlementLine, settlementsOf } from '../../../query-api/payment/stores/settlement-log.ts'
import { lookUpTrace } from '../../../query-api/payment/svm/look-up-trace.ts'
import { MINT, OTHER } from '../check-given.ts'
import { account, authorizationOf, check, earned, errorIn, PRICE, shop, signed, signedAgain, termsOf } from './evm-given.ts'
import { NETWORK, PAY_TO } from './evm-network.ts'
import { decode, encode, send } from './world.ts'

test('compact checks offer both networks, everything else the first alone', async () => {
  const [first, second] = (await termsOf(check())).accepts
  expect(first?.network).toBe(shop.firstNetwork)
  expect(second).toMatchObject({
    ...{ scheme: 'exact', network: NETWORK, amount: '5000', payTo: PAY_TO, maxTimeoutSeconds: 60 },
    extra: { name: 'USDC', version: '2' },
  })
  const card = await termsOf(`${shop.url}/v1/mint/${MINT}`)
  expect(card.accepts.map(({ network }) => network)).toEqual([shop.firstNetwork])
})

test('a check is sold once for exactly its price; the same payment gets the same answer again', async () => {
  const before = earned()
  const header = await signed(check())
  const first = await send(check(), header)
  expect(first.status).toBe(200)
  const receipt = decodePaymentResponseHeader(first.headers.get('payment-response') ?? '')
  expect(receipt).toMatchObject({ success: true, network: NETWORK, payer: account.address })
  expect(receipt.transaction).toMatch(/^0x[0-9a-f]{64}$/)
  const again = await send(check(), header)
  const [sold, replayed] = [(await first.json()) as { data: object }, (await again.json()) as { data: object; meta: object }]
  expect(replayed.data).toEqual(sold.data)
  expect(replayed.meta).toMatchObject({ replayed: true })
  expect(await errorIn(await send(check(OTHER), header))).toBe('payment_already_used')
  expect(earned() - before).toBe(PRICE)
})

test('settles nothing for a card, which is not sold on this network, or on other terms than the offered ones', async () => {
  const before = earned()
  const header = await signed(check())
  expect(await errorIn(await send(`${shop.url}/v1/mint/${MINT}`, header))).toBe('payment_terms_mismatch')
  const cheaper = await signed(check(), ({ accepts }) => {
    for (const terms of accepts) terms.amount = '1'
  })
  expect(await errorIn(await send(check(), cheaper))).toBe('payment_terms_mismatch')
  const longer = await signed(check(), ({ accepts }) => {
    for (const terms of accepts) terms.maxTimeoutSeconds = 3_600
  })
  expect(await errorIn(await send(check(), longer))).toBe('payment_terms_mismatch')
  expect(earned()).toBe(before)
  expect((await send(check(), header)).status).toBe(200)
  expect(earned() - before).toBe(PRICE)
})

test.each([
  'settle-then-drop',
  'settle-then-500',
  'settle-then-refuse',
  'lie-made-up-transaction',
  'lie-network',
  'lie-empty-transaction',
] as const)('%s: unknown, then the stored answer; charged once', async (fault) => {
  const before = earned()
  const header = await signed(check())
  shop.facilitator.fault = fault
  const first = await send(check(), header)
  shop.facilitator.fault = 'none'
  const answer = first.status === 200 ? first : await send(check(), header)
  expect([first.status, answer.status]).toEqual([expect.any(Number), 200])
  expect(decodePaymentResponseHeader(answer.headers.get('payment-response') ?? '')).toMatchObject({ success: true, network: NETWORK })
  expect(earned() - before).toBe(PRICE)
})

test('a payment that the facilitator rejects before it sends anything is refused permanently, and nothing moves', async () => {
  const before = earned()
  const header = await signed(check())
  shop.facilitator.fault = 'reject-verify'
  expect((await send(check(), header)).status).toBe(402)
  shop.facilitator.fault = 'none'
  expect((await send(check(), header)).status).toBe(402)
  expect(earned()).toBe(before)
})

test('a signature that is not the payer’s buys nothing', async () => {
  const before = earned()
  const payment = decode(await signed(check()))
  const forged = { ...payment, payload: { ...payment.payload, signature: `0x${'1'.repeat(128)}1b` } }
  const answer = await send(check(), encode(forged))
  expect([answer.status, await errorIn(answer)]).toEqual([402, 'invalid_exact_evm_signature'])
  expect(earned()).toBe(before)
})

test('two authorizations with one nonce are one payment', async () => {
  const before = earned()
  const first = await signed(check())
  const twin = await signedAgain(await signed(check()), { nonce: authorizationOf(first).nonce })
  expect((await send(check(), first)).status).toBe(200)
  expect(await errorIn(await send(check(), twin))).toBe('payment_already_used')
  expect(earned() - before).toBe(PRICE)
})

test('a contract wallet’s signature, which is longer than one by a key, goes to the facilitator', async () => {
  const { verifies } = shop.facilitator
  const payment = decode(await signed(check()))
  const answer = await send(check(), encode({ ...payment, payload: { ...payment.payload, signature: `0x${'1'.repeat(600)}` } }))
  expect([answer.status, shop.facilitator.verifies - verifies]).toEqual([402, 1])
})

describe('an uncertain settlement is resolved from the chain', () => {
  const uncertain = async (): Promise<string> => {
    const header = await signed(check())
    shop.facilitator.fault = 'refuse-500'
    expect(await errorIn(await send(check(), header))).toBe('payment_outcome_unknown')
    return header
  }

  test('its nonce was canceled: refused permanently', async () => {
    const header = await uncertain()
    const { from, nonce } = authorizationOf(header)
    shop.chain.cancel(from, nonce)
    expect(await errorIn(await send(check(), header))).toBe('transaction_failed_on_chain')
  })

  test('it expired without landing: refused permanently', async () => {
    const header = await uncertain()
    shop.chain.aheadS = 3_600
    expect(await errorIn(await send(check(), header))).toBe('transaction_never_landed')
  })

  test('it landed a day ago: found, and the ledger can be reconciled without a gate', async () => {
    const before = earned()
    const header = await uncertain()
    shop.facilitator.fault = 'settle-then-drop'
    await send(check(), header)
    shop.chain.pass(43_000)
    const [line] = (await settlementsOf(shop.log)).slice(-1)
    if (line === undefined) throw new Error('no settlement is in the ledger')
    expect(line).toMatchObject({ state: 'uncertain', network: NETWORK })
    expect(await lookUpTrace(shop.nodeUrl, line)).toMatchObject({ kind: 'landed' })
    expect(await lookUpTrace(undefined, line)).toBeUndefined()
    shop.facilitator.fault = 'error-everywhere'
    expect((await send(check(), header)).status).toBe(200)
    expect(earned() - before).toBe(PRICE)
  })

  test('its node is down: it stays unknown', async () => {
    const lines = await settlementsOf(shop.log)
    const line = lines.at(-1) as SettlementLine
    expect(await lookUpTrace('http://127.0.0.1:1', line)).toMatchObject({ kind: 'unreachable' })
  })
})
