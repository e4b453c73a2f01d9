// Signed receipts: the receipt part of x402's offer-receipt extension (version 1, JWS). The signature's header has the key as did:key, so
// anybody can verify a receipt offline; `receipt_keys` in `/.well-known/x402` proves that the key is ours. Offers are not signed: 402s are
// sent to anybody, thousands per second, and signing would cost more than the rest of a 402.
import { createPrivateKey, createPublicKey, hash, type KeyObject, sign } from 'node:crypto'
import type { SettleResponse } from '@x402/core/types'
import { encodeBase58 } from '../../schemas/base58.ts'
import { paymentLimits } from './limits.ts'

const OFFER_RECEIPT = 'offer-receipt'

const VERSION = 1
/** Multicodec of Ed25519 public keys, as latin1. */
const ED25519_PUB = '\xed\x01'
const DIGEST_BYTES = 16

/** An Ed25519 public key as JSON. */
interface PublicJwk {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
}

export interface ReceiptSigner {
  /** The key set to publish, with one key. */
  readonly keys: { readonly keys: readonly (PublicJwk & { readonly kid: string; readonly use: 'sig'; readonly alg: 'EdDSA' })[] }
  /**
   * Adds the extension to a settlement, deterministically per answer. To keep PAYMENT-RESPONSE within its budget although the JWS is in
   * base64 twice, the payer is only in the JWS, and a long `resourceUrl` becomes its origin and digest. @param madeAtMs wall time.
   */
  receipt(resourceUrl: string, settlement: SettleResponse, madeAtMs: number): SettleResponse
}

/** @param pkcs8Pem an Ed25519 private key. */
export const receiptSigner = (pkcs8Pem: string): ReceiptSigner => {
  const key = createPrivateKey(pkcs8Pem)
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  const jwk: PublicJwk = { kty: 'OKP', crv: 'Ed25519', x }
  const kid = `did:key:z${encodeBase58(ED25519_PUB + Buffer.from(x, 'base64url').toString('latin1'))}`
  return {
    keys: { keys: [{ ...jwk, kid, use: 'sig', alg: 'EdDSA' }] },
    receipt: (resourceUrl, { payer, ...settlement }, madeAtMs) => {
      const signedFor = (url: string): SettleResponse => {
        const { network } = settlement
        const signed = { version: VERSION, network, resourceUrl: url, payer, issuedAt: Math.floor(madeAtMs / 1000) }
        const info = { receipt: { format: 'jws', signature: jws(key, kid, signed) } }
        return { ...settlement, extensions: { [OFFER_RECEIPT]: { info } } }
      }
      const receipt = signedFor(resourceUrl)
      return base64Bytes(receipt) > paymentLimits.responseHeaderBytesMax ? signedFor(digestOf(resourceUrl)) : receipt
    },
  }
}

const base64Bytes = (receipt: SettleResponse): number => 4 * Math.ceil(Buffer.byteLength(JSON.stringify(receipt)) / 3)

/** `{origin}/#sha-256-128;{digest}`, with the name and the digest as in RFC 6920. */
const digestOf = (url: string): string =>
  `${new URL(url).origin}/#sha-256-128;${hash('sha256', url, 'buffer').toString('base64url', 0, DIGEST_BYTES)}`

const base64url = (text: string): string => Buffer.from(text).toString('base64url')

/** Compact JWS over the payload with sorted keys (RFC 8785, for flat objects of strings and integers). */
const jws = (key: KeyObject, kid: string, payload: Readonly<Record<string, string | number | undefined>>): string => {
  const sorted = Object.fromEntries(Object.entries(payload).sort(([a], [b]) => (a < b ? -1 : 1)))
  const signed = `${base64url(JSON.stringify({ alg: 'EdDSA', kid }))}.${base64url(JSON.stringify(sorted))}`
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
}
