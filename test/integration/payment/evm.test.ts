// Compact checks paid in USDC on a second network: the official client and facilitator of EVM chains, over a token in memory.
import { x402Client } from '@x402/core/client'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader, encodePaymentSignatureHeader } from '@x402/core/http'
import type { PaymentRequired } from '@x402/core/types'
import { authorizationTypes } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type SettlementLine, settlementsOf } from '../../../query-api/payment/stores/settlement-log.ts'
import { lookUpTrace } from '../../../query-api/payment/svm/look-up-trace.ts'
import { MINT, OTHER } from '../check-given.ts'
import { type EvmShop, NETWORK, PAY_TO, startEvmShop } from './evm-shop.ts'
import { decode, encode, send } from './world.ts'

const PRICE = 5_000n
const account = privateKeyToAccount(generatePrivateKey())

let shop: EvmShop
beforeAll(async () => {
  shop = await startEvmShop()
  shop.chain.mint(account.address, 1_000_000n)
})
afterAll(() => shop.close())
beforeEach(() => {
  shop.facilitator.fault = 'none'
  shop.chain.aheadS = 0
})

const check = (mint = MINT): string => `${shop.url}/v1/check/mint/${mint}`
const termsOf = async (path: string): Promise<PaymentRequired> =>
  decodePaymentRequiredHeader((await fetch(path)).headers.get('payment-required') ?? '')
/** Signs with the official client for the second network. */
const signed = async (path: string, edit?: (terms: PaymentRequired) => void): Promise<string> => {
  const terms = await termsOf(path)
  const ofNetwork = { ...terms, accepts: terms.accepts.filter(({ network }) => network === NETWORK) }
  edit?.(ofNetwork)
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(account)).setSpendControls(false)
  return encodePaymentSignatureHeader(await client.createPaymentPayload(ofNetwork))
}
const earned = () => shop.chain.balanceOf(PAY_TO)
const errorIn = async (response: Response) => ((await response.json()) as { readonly error?: string }).error
type AuthorizationField = 'from' | 'to' | 'value' | 'validAfter' | 'validBefore' | 'nonce'
const authorizationOf = (header: string) =>
  (decode(header).payload as { readonly authorization: Readonly<Record<AuthorizationField, Hex>> }).authorization

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

/** Signs the authorization of a payment again, after a change. */
const signedAgain = async (header: string, change: Partial<Record<'nonce' | 'validAfter' | 'validBefore', string>>): Promise<string> => {
  const payment = decode(header)
  const authorization = { ...authorizationOf(header), ...change }
  const { from, to, value, validAfter, validBefore, nonce } = authorization as Record<AuthorizationField, Hex>
  const signature = await account.signTypedData({
    domain: { ...(payment.accepted.extra as object), chainId: 84_532, verifyingContract: payment.accepted.asset as Hex },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: { from, to, nonce, value: BigInt(value), validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) },
  })
  return encode({ ...payment, payload: { signature, authorization } })
}

test('two authorizations with one nonce are one payment', async () => {
  const before = earned()
  const first = await signed(check())
  const twin = await signedAgain(await signed(check()), { nonce: authorizationOf(first).nonce })
  expect((await send(check(), first)).status).toBe(200)
  expect(await errorIn(await send(check(), twin))).toBe('payment_already_used')
  expect(earned() - before).toBe(PRICE)
})

describe('without a call of the facilitator', () => {
  let calls = 0
  beforeEach(() => {
    calls = shop.facilitator.verifies
  })
  afterEach(() => expect(shop.facilitator.verifies).toBe(calls))

  test('1,000 payments that the payer did not sign are refused, and the true payment is sold afterwards', async () => {
    const before = earned()
    const header = await signed(check())
    const payment = decode(header)
    const forged = (nth: number): string => {
      const signature = `0x${nth.toString(16).padStart(128, '1')}1b`
      const authorization = { ...authorizationOf(header), ...(nth % 2 === 0 && { nonce: `0x${nth.toString(16).padStart(64, '0')}` }) }
      return encode({ ...payment, payload: { authorization, signature } })
    }
    const refusals = new Set<string>()
    for (let nth = 0; nth < 1_000; nth++) {
      const answer = await send(check(), forged(nth))
      refusals.add(`${answer.status} ${await errorIn(answer)}`)
    }
    expect([...refusals]).toEqual(['402 invalid_exact_evm_signature'])
    expect(shop.facilitator.verifies).toBe(calls)
    expect((await send(check(), header)).status).toBe(200)
    expect(earned() - before).toBe(PRICE)
    calls++
  })

  test.each([
    ['is over', { validBefore: -1 }, 'invalid_exact_evm_payload_authorization_valid_before'],
    ['ends before it could land', { validBefore: 4 }, 'invalid_exact_evm_payload_authorization_valid_before'],
    ['has not begun', { validAfter: 60 }, 'invalid_exact_evm_payload_authorization_valid_after'],
  ])('an authorization that %s is refused', async (_what, fromNow, reason) => {
    const nowS = Math.floor(Date.now() / 1_000)
    const change = Object.fromEntries(Object.entries(fromNow).map(([name, seconds]) => [name, String(nowS + seconds)]))
    const answer = await send(check(), await signedAgain(await signed(check()), change))
    expect([answer.status, await errorIn(answer)]).toEqual([402, reason])
  })

  test('an authorization for another chain or token is refused', async () => {
    const payment = decode(await signed(check()))
    const { authorization } = payment.payload as { readonly authorization: object }
    const other = await account.signTypedData({
      domain: { ...(payment.accepted.extra as object), chainId: 1, verifyingContract: payment.accepted.asset as Hex },
      types: authorizationTypes,
      primaryType: 'TransferWithAuthorization',
      message: authorization as never,
    })
    const answer = await send(check(), encode({ ...payment, payload: { authorization, signature: other } }))
    expect([answer.status, await errorIn(answer)]).toEqual([402, 'invalid_exact_evm_signature'])
  })
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
