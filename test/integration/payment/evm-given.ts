// Given of the tests of payments on the second network: a shop, and a buyer with money who signs with the official client.
import { x402Client } from '@x402/core/client'
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http'
import type { PaymentRequired } from '@x402/core/types'
import { authorizationTypes } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { MINT } from '../check-given.ts'
import { NETWORK, PAY_TO } from './evm-network.ts'
import { type EvmShop, startEvmShop } from './evm-shop.ts'
import { decode, encode } from './world.ts'

export const PRICE = 5_000n
export const account = privateKeyToAccount(generatePrivateKey())

export let shop: EvmShop
beforeAll(async () => {
  shop = await startEvmShop()
  shop.chain.mint(account.address, 1_000_000n)
})
afterAll(() => shop.close())
beforeEach(() => {
  shop.facilitator.fault = 'none'
  shop.chain.aheadS = 0
})

export const check = (mint = MINT): string => `${shop.url}/v1/check/mint/${mint}`
export const termsOf = async (path: string): Promise<PaymentRequired> =>
  decodePaymentRequiredHeader((await fetch(path)).headers.get('payment-required') ?? '')
/** Signs with the official client for the second network. */
export const signed = async (path: string, edit?: (terms: PaymentRequired) => void): Promise<string> => {
  const terms = await termsOf(path)
  const ofNetwork = { ...terms, accepts: terms.accepts.filter(({ network }) => network === NETWORK) }
  edit?.(ofNetwork)
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(account)).setSpendControls(false)
  return encodePaymentSignatureHeader(await client.createPaymentPayload(ofNetwork))
}
export const earned = () => shop.chain.balanceOf(PAY_TO)
export const errorIn = async (response: Response) => ((await response.json()) as { readonly error?: string }).error
type AuthorizationField = 'from' | 'to' | 'value' | 'validAfter' | 'validBefore' | 'nonce'
export const authorizationOf = (header: string) =>
  (decode(header).payload as { readonly authorization: Readonly<Record<AuthorizationField, Hex>> }).authorization

/** Signs the authorization of a payment again, after a change. */
export const signedAgain = async (
  header: string,
  change: Partial<Record<'nonce' | 'validAfter' | 'validBefore', string>>,
): Promise<string> => {
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
