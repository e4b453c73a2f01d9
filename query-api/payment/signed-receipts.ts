// Signed receipts: the receipt part of x402's offer-receipt extension (version 1, JWS). The signature's header has the key as did:jwk, so
// anybody can verify a receipt offline; `receipt_keys` in `/.well-known/x402` proves that the key is ours. Offers are not signed: 402s are
// sent to anybody, thousands per second, and signing would cost more than the rest of a 402.
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { SettleResponse } from '@x402/core/types'

const OFFER_RECEIPT = 'offer-receipt'

const VERSION = 1

/** An Ed25519 public key as JSON. */
interface PublicJwk {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
}

export interface ReceiptSigner {
  /** The key set to publish, with one key. */
  readonly keys: { readonly keys: readonly (PublicJwk & { readonly kid: string; readonly use: 'sig'; readonly alg: 'EdDSA' })[] }
  /** Adds the extension to a settlement's receipt, deterministically per answer. @param madeAtMs wall time of the answer. */
  receipt(resourceUrl: string, receipt: SettleResponse, madeAtMs: number): SettleResponse
}

/** @param pkcs8Pem an Ed25519 private key. */
export const receiptSigner = (pkcs8Pem: string): ReceiptSigner => {
  const key = createPrivateKey(pkcs8Pem)
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  const jwk: PublicJwk = { kty: 'OKP', crv: 'Ed25519', x }
  const did = `did:jwk:${base64url(JSON.stringify(jwk))}`
  const kid = `${did}#0`
  return {
    keys: { keys: [{ ...jwk, kid, use: 'sig', alg: 'EdDSA' }] },
    receipt: (resourceUrl, receipt, madeAtMs) => {
      const { network, payer, transaction } = receipt
      const issuedAt = Math.floor(madeAtMs / 1000)
      const signed = { version: VERSION, network, resourceUrl, payer, issuedAt, transaction }
      const info = { receipt: { format: 'jws', signature: jws(key, kid, signed) } }
      return { ...receipt, extensions: { [OFFER_RECEIPT]: { info, schema: SCHEMA } } }
    },
  }
}

const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    receipt: {
      type: 'object',
      properties: { format: { type: 'string' }, signature: { type: 'string' } },
      required: ['format', 'signature'],
    },
  },
  required: ['receipt'],
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url')

/** Compact JWS over the payload with sorted keys (RFC 8785, for flat objects of strings and integers). */
const jws = (key: KeyObject, kid: string, payload: Readonly<Record<string, string | number | undefined>>): string => {
  const sorted = Object.fromEntries(Object.entries(payload).sort(([a], [b]) => (a < b ? -1 : 1)))
  const signed = `${base64url(JSON.stringify({ alg: 'EdDSA', kid }))}.${base64url(JSON.stringify(sorted))}`
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
}
