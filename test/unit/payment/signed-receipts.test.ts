// Verified with the reference implementation of the extension.
import { generateKeyPairSync } from 'node:crypto'
import { encodePaymentResponseHeader } from '@x402/core/http'
import { extractReceiptFromResponse, verifyReceiptSignatureJWS } from '@x402/extensions/offer-receipt'
import { receiptSigner } from '../../../query-api/payment/signed-receipts.ts'

const pem = (): string =>
  generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey
const settled = { success: true, payer: 'Payer', transaction: 'T1', network: 'solana:x' } as const
const URL = 'http://shop.example/v1/card?x=1'

test('the reference client finds the receipt of a settlement and verifies its signature', async () => {
  const receipt = receiptSigner(pem()).receipt(URL, settled, 1_700_000_000_900)
  expect(receipt).toMatchObject(settled)
  const found = extractReceiptFromResponse(new Response('', { headers: { 'PAYMENT-RESPONSE': encodePaymentResponseHeader(receipt) } }))
  if (found?.format !== 'jws') throw new Error('no receipt')
  const facts = { network: 'solana:x', payer: 'Payer', transaction: 'T1' }
  expect(await verifyReceiptSignatureJWS(found)).toEqual({ version: 1, resourceUrl: URL, issuedAt: 1_700_000_000, ...facts })
})

test('the same response has the same receipt, signed with the published key', async () => {
  const key = pem()
  const [one, other] = [receiptSigner(key), receiptSigner(key)]
  const receipt = one.receipt(URL, settled, 1)
  expect(other.receipt(URL, settled, 1)).toEqual(receipt)
  const found = extractReceiptFromResponse(new Response('', { headers: { 'PAYMENT-RESPONSE': encodePaymentResponseHeader(receipt) } }))
  if (found?.format !== 'jws') throw new Error('no receipt')
  const [published] = one.keys.keys
  expect(await verifyReceiptSignatureJWS(found, published as never)).toMatchObject({ payer: 'Payer' })
  await expect(verifyReceiptSignatureJWS(found, receiptSigner(pem()).keys.keys[0] as never)).rejects.toThrow()
})
