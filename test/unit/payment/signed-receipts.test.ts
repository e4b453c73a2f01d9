// Verified with the reference implementation of the extension.
import { createHash, generateKeyPairSync } from 'node:crypto'
import { encodePaymentResponseHeader } from '@x402/core/http'
import type { SettleResponse } from '@x402/core/types'
import { extractReceiptFromResponse, verifyReceiptSignatureJWS } from '@x402/extensions/offer-receipt'
import { paymentLimits } from '../../../query-api/payment/limits.ts'
import { receiptSigner } from '../../../query-api/payment/signed-receipts.ts'

const pem = (): string =>
  generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey
const settled = { success: true, payer: 'Payer', transaction: 'T1', network: 'solana:x' } as const
const URL = 'http://shop.example/v1/card?x=1'

const receiptIn = (settlement: SettleResponse) => {
  const found = extractReceiptFromResponse(new Response('', { headers: { 'PAYMENT-RESPONSE': encodePaymentResponseHeader(settlement) } }))
  if (found?.format !== 'jws') throw new Error('no receipt')
  return found
}

test('the reference client finds the receipt of a settlement and verifies its signature', async () => {
  const { payer, ...settlement } = settled
  const receipt = receiptSigner(pem()).receipt(URL, settled, 1_700_000_000_900)
  expect(receipt).toEqual({ ...settlement, extensions: expect.anything() })
  const facts = { network: 'solana:x', payer, issuedAt: 1_700_000_000 }
  expect(await verifyReceiptSignatureJWS(receiptIn(receipt))).toEqual({ version: 1, resourceUrl: URL, ...facts })
})

test.each([10, 300, 2_000])('a receipt for a URL with %i characters after the origin is within the budget', async (chars) => {
  const origin = 'https://answers.seller-of-x402.example:8'
  const url = `${origin}${'/a'.repeat(chars / 2)}`
  const mainnet = { network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', payer: 'P'.repeat(44), transaction: 'T'.repeat(88) } as const
  const receipt = receiptSigner(pem()).receipt(url, { success: true, ...mainnet }, 1_700_000_000_000)
  expect(encodePaymentResponseHeader(receipt).length).toBeLessThanOrEqual(paymentLimits.responseHeaderBytesMax)
  const digest = createHash('sha256').update(url).digest().subarray(0, 16).toString('base64url')
  const resourceUrl = chars === 10 ? url : `${origin}/#sha-256-128;${digest}`
  expect(await verifyReceiptSignatureJWS(receiptIn(receipt))).toMatchObject({ resourceUrl, payer: mainnet.payer })
})

test('the same response has the same receipt, signed with the published key', async () => {
  const key = pem()
  const [one, other] = [receiptSigner(key), receiptSigner(key)]
  const receipt = one.receipt(URL, settled, 1)
  expect(other.receipt(URL, settled, 1)).toEqual(receipt)
  const found = receiptIn(receipt)
  const [published] = one.keys.keys
  expect(await verifyReceiptSignatureJWS(found, published as never)).toMatchObject({ payer: 'Payer' })
  await expect(verifyReceiptSignatureJWS(found, receiptSigner(pem()).keys.keys[0] as never)).rejects.toThrow()
})
