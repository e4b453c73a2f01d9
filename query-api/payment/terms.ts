// The terms of a sale: the 402 body, and the comparison with the terms of a payment.
import { randomUUID } from 'node:crypto'
import type { PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { assert } from '../../schemas/errors.ts'
import { paymentLimits } from './limits.ts'

/**
 * Our 402 extension. v2 clients echo its nonce; a retry with the nonce gets the stored answer again. Only the payer knows the nonce: it is
 * never on chain.
 */
export const NONCE_EXTENSION = 'replay-nonce'
/** x402 extension with an id that the client chooses; the id serves the same purpose as the nonce. */
export const IDENTIFIER_EXTENSION = 'payment-identifier'

export interface Seller {
  readonly payTo: string
  /** CAIP-2. */
  readonly network: `${string}:${string}`
  /** Mint of the currency. */
  readonly asset: string
  /** Multiplies every price; the amount is rounded to whole micro-USDC, at least 1. */
  readonly priceFactor: number
}

export interface Resource {
  /** Full public URL of the request, with its query. */
  readonly url: string
  readonly description: string
}

/** USDC by network, from Circle's list of contract addresses. */
const USDC: Readonly<Record<string, string>> = {
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
}
/** Address of USDC's mint on a CAIP-2 network; undefined if not known. */
export const usdcOf = (network: string): string | undefined => USDC[network]

export const requirementsOf = (seller: Seller, priceMicroUsdc: number, extra: Record<string, unknown>): PaymentRequirements => {
  const amountMicroUsdc = Math.max(1, Math.round(priceMicroUsdc * seller.priceFactor))
  assert(Number.isSafeInteger(amountMicroUsdc), `no whole price: ${priceMicroUsdc} x ${seller.priceFactor}`)
  return {
    scheme: 'exact',
    network: seller.network,
    asset: seller.asset,
    amount: String(amountMicroUsdc),
    payTo: seller.payTo,
    maxTimeoutSeconds: paymentLimits.payWithinS,
    extra,
  }
}

/** Body of a 402, with a fresh nonce; its base64 is the PAYMENT-REQUIRED header. */
export const paymentRequired = (
  requirements: readonly PaymentRequirements[],
  resource: Resource,
  error: string,
  otherExtensions: Record<string, unknown>,
): PaymentRequired => {
  const { url, description } = resource
  const extensions = { ...otherExtensions }
  extensions[IDENTIFIER_EXTENSION] = PAYMENT_IDENTIFIER
  // 122 random bits. Cheaper than randomBytes, because Node generates UUIDs in batches.
  extensions[NONCE_EXTENSION] = { info: { nonce: randomUUID() } }
  return { x402Version: 2, error, resource: { url, description, mimeType: 'application/json' }, accepts: [...requirements], extensions }
}

/** Whether the payment was signed for these terms. Does not compare `extra`, because a facilitator may have several fee payers. */
export const isSameTerms = (accepted: PaymentRequirements, ours: PaymentRequirements): boolean =>
  accepted.scheme === ours.scheme &&
  accepted.network === ours.network &&
  accepted.asset === ours.asset &&
  accepted.amount === ours.amount &&
  accepted.payTo === ours.payTo

/** The declaration of x402's payment-identifier extension: clients that support it send their own id. */
const PAYMENT_IDENTIFIER = Object.freeze({
  info: { required: false },
  schema: {
    type: 'object',
    properties: { required: { type: 'boolean' }, id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' } },
    required: ['required'],
  },
})
