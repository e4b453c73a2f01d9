// Payments on the second network that are refused without a call of the facilitator.
import { authorizationTypes } from '@x402/evm'
import type { Hex } from 'viem'
import { account, authorizationOf, check, earned, errorIn, PRICE, shop, signed, signedAgain } from './evm-given.ts'
import { decode, encode, send } from './world.ts'

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
