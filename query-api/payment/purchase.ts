// A purchase by payment, and its possible outcomes.
import { hash } from 'node:crypto'
import type { PaymentRequirements, SettleResponse } from '@x402/core/types'
import type { Answer } from '../questions/bodies.ts'
import type { ReceivedPayment } from './header.ts'
import type { Rail } from './rail.ts'
import type { StoredAnswer } from './stores/idempotency-store.ts'

export interface Purchase {
  readonly payment: ReceivedPayment
  /** Path template of the question. */
  readonly path: string
  /** Canonical transport, path and arguments: a payment is valid for one request only. */
  readonly request: string
  readonly callerAddress: string
  /** Whether a new payment matches the current terms. Called at most once, before verification. */
  readonly agree: () => Promise<Agreement>
  /** Makes the answer. Called at most once per payment, after verification. */
  readonly produce: () => Promise<Produced>
  /** See `Sale.settled`. */
  readonly settled?: (answer: StoredAnswer) => Promise<void>
}

/** A purchase as stored: `request` and `scope` as sha256 (hex). */
export interface PaymentRequest {
  readonly purchase: Purchase
  readonly request: string
  readonly scope: string
  /** Set if the claim is released after the outcome, once all records are written. */
  released?: Promise<void>
}

/**
 * `scope` authorizes access to the stored answer. A settled payment is public on the chain and so proves nothing: `scope` is the
 * payment-identifier or the nonce of our 402, else the caller address of the first copy.
 */
export const paymentRequestOf = (purchase: Purchase): PaymentRequest => {
  const { payment, callerAddress, request } = purchase
  return { purchase, request: hash('sha256', request), scope: hash('sha256', payment.proof ?? `address:${callerAddress}`) }
}

/** The terms that the payment was signed for; or nothing is sold: a free answer, a mismatch of terms, or no terms available. */
export type Agreement =
  | { readonly kind: 'agreed'; readonly requirements: PaymentRequirements; readonly rail: Rail }
  | { readonly kind: 'given'; readonly answer: Answer }
  | { readonly kind: 'mismatch' }
  | { readonly kind: 'unavailable'; readonly error: 'payment_unavailable' | 'payment_busy' }

/** A paid answer, or a free one. */
export type Produced = { readonly kind: 'sold'; readonly answer: StoredAnswer } | { readonly kind: 'given'; readonly answer: Answer }

/**
 * Money has moved only for `paid`. It may have moved for `unknown`, and earlier, by another copy of the payment, for `used` and `unread`; for
 * all others it has not.
 */
export type Outcome =
  | {
      readonly kind: 'paid'
      readonly answer: StoredAnswer
      readonly receipt: SettleResponse
      /** True for all copies except the settled one. */
      readonly isReplayed: boolean
      /** When the answer was made, wall ms. */
      readonly madeAtMs: number
    }
  | { readonly kind: 'given'; readonly answer: Answer }
  | { readonly kind: 'mismatch' }
  /** The payer may sign a new payment: no copy of this one can settle any more. */
  | { readonly kind: 'refused'; readonly reason: string; readonly atSettlement: boolean }
  | { readonly kind: 'used' }
  | { readonly kind: 'unknown' }
  /** The book could not be read: nothing was charged now; whether it was charged earlier is not known. */
  | { readonly kind: 'unread' }
  | {
      readonly kind: 'unavailable'
      readonly error: 'payment_unavailable' | 'payment_store_unavailable' | 'payment_busy' | 'answer_too_large'
    }
