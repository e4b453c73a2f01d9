// Parses a Solana payment's transaction: identity, fee payer, payer and transfer; verifies its signatures.
import { createPublicKey, hash, verify } from 'node:crypto'
import { type CompiledTransactionMessage, getCompiledTransactionMessageDecoder } from '@solana/kit'
import bs58 from 'bs58'
import { paymentLimits } from '../limits.ts'
import { type Transfer, transferIn } from './transfer.ts'

/**
 * A payment's transaction. `identity` is sha256 (hex) of the message only: the fee payer's signature slot is not signed, so a hash of the
 * header or the full transaction would give one payment many identities.
 */
export interface SignedTransaction {
  readonly identity: string
  readonly message: Uint8Array
  /** Base58; account 0 of the message. */
  readonly feePayer: string
  /** Base58; who owns the money: the transfer's authority. Without one transfer, which is never sold, the first signer. */
  readonly payer: string
  readonly blockhash: string
  /** All signers but the fee payer, who signs when the payment is settled. */
  readonly signers: readonly { readonly address: string; readonly signature: Uint8Array }[]
  readonly transfer: Transfer | undefined
}

const SIGNATURE_BYTES = 64
const KEY_BYTES = 32
const SIGNERS_MAX = 12
const messageDecoder = getCompiledTransactionMessageDecoder()

/** Undefined if the bytes are not a payment transaction: no signer besides the fee payer, truncated, or larger than a packet. */
export const readTransaction = (wireBase64: string): SignedTransaction | undefined => {
  if (wireBase64.length > paymentLimits.transactionBytesMax * 2) return undefined
  const wire = Buffer.from(wireBase64, 'base64')
  const signatures = wire[0] ?? 0
  const start = 1 + SIGNATURE_BYTES * signatures
  if (wire.length > paymentLimits.transactionBytesMax || signatures < 2 || signatures > SIGNERS_MAX || wire.length <= start)
    return undefined
  const message = wire.subarray(start)
  const compiled = decoded(message)
  if (compiled === undefined || compiled.header.numSignerAccounts !== signatures) return undefined
  const [feePayer, ...others] = compiled.staticAccounts.slice(0, signatures)
  const [first] = others
  if (feePayer === undefined || first === undefined) return undefined
  const signers = others.map((address, nth) => ({
    address,
    signature: wire.subarray(1 + SIGNATURE_BYTES * (nth + 1), 1 + SIGNATURE_BYTES * (nth + 2)),
  }))
  const transfer = transferIn(compiled)
  const payer = transfer?.authority ?? first
  return { identity: hash('sha256', message), message, feePayer, payer, blockhash: compiled.lifetimeToken, signers, transfer }
}

const read = new WeakMap<object, SignedTransaction>()

/** The transaction of a signed payload; read once for each payload object, which must not change. */
export const transactionIn = (signed: Readonly<Record<string, unknown>>): SignedTransaction | undefined => {
  const known = read.get(signed)
  if (known !== undefined) return known
  const transaction = typeof signed.transaction === 'string' ? readTransaction(signed.transaction) : undefined
  if (transaction !== undefined) read.set(signed, transaction)
  return transaction
}

/** Whether everybody but the fee payer has signed, the owner of the money among them. */
export const isSigned = ({ message, signers, payer }: SignedTransaction): boolean =>
  signers.some(({ address }) => address === payer) && signers.every(({ address, signature }) => isSignedBy(address, message, signature))

/**
 * Whether `signature` (base58) is this transaction's id, which is its fee payer's signature over the message: forged and foreign ones fail.
 * Does not prove that the transaction landed.
 */
export const isSignatureOf = (signature: string, { message, feePayer }: Pick<SignedTransaction, 'message' | 'feePayer'>): boolean => {
  const bytes = decodeBase58(signature)
  return bytes !== undefined && isSignedBy(feePayer, message, bytes)
}

/** By Ed25519 of RFC 8032: other encodings of a signature (S beyond the group order) are refused, as the chain refuses them. */
const isSignedBy = (address: string, message: Uint8Array, signature: Uint8Array): boolean => {
  const bytes = decodeBase58(address)
  if (signature.length !== SIGNATURE_BYTES || bytes?.length !== KEY_BYTES) return false
  const x = Buffer.from(bytes).toString('base64url')
  return verify(null, message, createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }), signature)
}

const decoded = (message: Uint8Array): (CompiledTransactionMessage & { readonly lifetimeToken: string }) | undefined => {
  try {
    return messageDecoder.decode(message)
  } catch {
    return undefined
  }
}

const decodeBase58 = (text: string): Uint8Array | undefined => {
  if (text.length > 2 * SIGNATURE_BYTES) return undefined
  return bs58.decodeUnsafe(text)
}
