// Receipts are signed with the key in the manifest, so a holder can prove who issued one.
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { extractReceiptFromResponse, verifyReceiptSignatureJWS } from '@x402/extensions/offer-receipt'
import { createGate } from '../../../query-api/payment/create-gate.ts'
import { receiptSigner } from '../../../query-api/payment/signed-receipts.ts'
import type { PaymentEntry } from '../../../query-api/payment/stores/idempotency-store.ts'
import type { SettlementLine } from '../../../query-api/payment/stores/settlement-log.ts'
import { TableLog } from '../../../query-api/payment/stores/table-log.ts'
import { TableIdempotencyStore } from '../../../query-api/payment/stores/table-store.ts'
import { createMemoryTable } from '../../../topology/data-dir/memory-table.ts'
import { startLocal } from '../../tools/local-server.ts'
import { given, MINT } from '../check-given.ts'
import { send, startWorld } from './world.ts'

interface Manifest {
  readonly receipt_keys?: { readonly keys: readonly { readonly kid: string }[] }
}
const keyPair = () => generateKeyPairSync('ed25519', { publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: PKCS8 })
const PKCS8 = { type: 'pkcs8', format: 'pem' } as const

test('the manifest has the key that verifies a sale’s receipt, and a foreign key does not', async () => {
  const world = await startWorld()
  const { payTo, network, rpcUrl } = world.sandbox
  const clock = { now: Date.now }
  const kept = {
    book: new TableIdempotencyStore(createMemoryTable<PaymentEntry>(), clock),
    log: new TableLog(createMemoryTable<SettlementLine>()),
  }
  const chain = { facilitatorUrl: world.facilitator.url, payTo, network, rpcUrl }
  const gate = createGate({ mode: 'sandbox', ...chain, priceFactor: 1, clock, ...kept, signer: receiptSigner(keyPair().privateKey) })
  const { url, close } = await startLocal(createServer(given({ till: gate, sandbox: true }).app.callback()))
  try {
    const manifest = (await (await fetch(`${url}/.well-known/x402`)).json()) as Manifest
    const [published] = manifest.receipt_keys?.keys ?? []
    const path = `${url}/v1/check/mint/${MINT}`
    const sold = await send(path, await world.signed(path))
    expect([sold.status, published]).toEqual([200, expect.objectContaining({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' })])
    const found = extractReceiptFromResponse(sold)
    if (found?.format !== 'jws') throw new Error('no receipt')
    expect(JSON.parse(Buffer.from(found.signature.split('.')[0] ?? '', 'base64url').toString())).toMatchObject({ kid: published?.kid })
    const resourceUrl = expect.stringMatching(/^http:\/\/127\.0\.0\.1:8402\/#sha-256-128;/)
    expect(await verifyReceiptSignatureJWS(found, published as never)).toMatchObject({ network, resourceUrl })
    const [foreign] = receiptSigner(keyPair().privateKey).keys.keys
    await expect(verifyReceiptSignatureJWS(found, foreign as never)).rejects.toThrow()
  } finally {
    await close()
    await gate.close(1_000)
    await world.close()
  }
})

test('without a signer of receipts the manifest has no key', async () => {
  expect((await given().get('/.well-known/x402')).body).not.toHaveProperty('receipt_keys')
})
