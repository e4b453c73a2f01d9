// Parses a Solana payment's transaction: identity, fee payer and payer.
import { createPublicKey, hash, verify } from 'node:crypto'
import bs58 from 'bs58'
import { paymentLimits } from '../limits.ts'

/**
 * A payment's transaction. `identity` is sha256 (hex) of the message only: the fee payer's signature slot is not signed, so a hash of the
 * header or the full transaction would give one payment many identities.
 */
export interface SignedTransaction {
  readonly identity: string
  readonly wireBase64: string
  readonly message: Uint8Array
  /** Base58; account 0 of the message. */
  readonly feePayer: string
  /** Base58; the first signer after the fee payer, who owns the tokens. */
  readonly payer: string
}

const SIGNATURE_BYTES = 64
const KEY_BYTES = 32

/** Undefined if the bytes are not a payment transaction: no signer besides the fee payer, truncated, or larger than a packet. */
export const readTransaction = (wireBase64: string): SignedTransaction | undefined => {
  if (wireBase64.length > paymentLimits.transactionBytesMax * 2) return undefined
  const wire = Buffer.from(wireBase64, 'base64')
  const signatures = wire[0] ?? 0
  const start = 1 + SIGNATURE_BYTES * signatures
  if (wire.length > paymentLimits.transactionBytesMax || signatures < 2 || signatures > 12 || wire.length <= start) return undefined
  const message = wire.subarray(start)
  const header = ((message[0] ?? 0) & 0x80) === 0 ? 0 : 1
  const signers = message[header] ?? 0
  const keys = message[header + 3] ?? 0
  const firstKey = header + 4
  if (signers !== signatures || keys < signers || keys > 127 || message.length < firstKey + KEY_BYTES * keys) return undefined
  const key = (index: number): string => bs58.encode(message.subarray(firstKey + KEY_BYTES * index, firstKey + KEY_BYTES * (index + 1)))
  const identity = hash('sha256', message)
  return { identity, wireBase64, message, feePayer: key(0), payer: key(1) }
}

/**
 * Whether `signature` (base58) is this transaction's id, which is its fee payer's signature over the message: forged and foreign ones fail.
 * Does not prove that the transaction landed.
 */
export const isSignatureOf = (signature: string, transaction: SignedTransaction): boolean => {
  const bytes = decodeBase58(signature)
  const feePayer = decodeBase58(transaction.feePayer)
  if (bytes?.length !== SIGNATURE_BYTES || feePayer?.length !== KEY_BYTES) return false
  const x = Buffer.from(feePayer).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, transaction.message, key, bytes)
}

const decodeBase58 = (text: string): Uint8Array | undefined => {
  if (text.length > 2 * SIGNATURE_BYTES) return undefined
  return bs58.decodeUnsafe(text)
}
