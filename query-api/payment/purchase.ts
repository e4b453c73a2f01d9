// What a caller wants for a payment, and how that can end.
import { hash } from 'node:crypto'
import type { PaymentRequirements, SettleResponse } from '@x402/core/types'
import type { Answer } from '../questions/bodies.ts'
import type { StoredAnswer } from './books/payment-book.ts'
import type { Payment } from './header.ts'
import type { Rail } from './rail.ts'

export interface Purchase {
  readonly payment: Payment
  /** Path template of the question. */
  readonly path: string
  /** Transport, path and arguments: the same payment buys the same thing only. */
  readonly request: string
  readonly callerAddress: string
  /** Whether a payment that nobody knows yet buys anything today. Called at most once, before verification. */
  readonly agree: () => Promise<Agreement>
  /** Makes the answer. Called at most once per payment, after verification. */
  readonly produce: () => Promise<Produced>
  /** See `Sale.settled`. */
  readonly settled?: (answer: StoredAnswer) => Promise<void>
}

/** A purchase as it is remembered: `request` and `scope` as sha256 (hex). */
export interface Order {
  readonly purchase: Purchase
  readonly request: string
  readonly scope: string
  /** Set where its claim is given back after its outcome, once all of it is written. */
  released?: Promise<void>
}

/**
 * `scope` is what entitles to the stored answer: everything in a settled payment is public on the chain, so it takes the
 * payment-identifier or the nonce of our 402, else the address the first copy came from.
 */
export const orderOf = (purchase: Purchase): Order => {
  const { payment, callerAddress, request } = purchase
  return { purchase, request: hash('sha256', request), scope: hash('sha256', payment.proof ?? `address:${callerAddress}`) }
}

/** Our terms, which the payment was signed for; or nothing is sold: an answer is given, the terms are others, or not to be had. */
export type Agreement =
  | { readonly kind: 'agreed'; readonly requirements: PaymentRequirements; readonly rail: Rail }
  | { readonly kind: 'given'; readonly answer: Answer }
  | { readonly kind: 'mismatch' }
  | { readonly kind: 'unavailable'; readonly error: 'payment_unavailable' }

/** An answer that money is taken for, or one that is given away. */
export type Produced = { readonly kind: 'sold'; readonly answer: StoredAnswer } | { readonly kind: 'given'; readonly answer: Answer }

/** How it ended. Money moved for `paid` only; it may have for `unknown`, and before for `unread`; for all others it did not. */
export type Outcome =
  | {
      readonly kind: 'paid'
      readonly answer: StoredAnswer
      readonly receipt: SettleResponse
      /** True for all copies but the one that was settled. */
      readonly isReplayed: boolean
      /** Wall ms at which the answer was made. */
      readonly madeAtMs: number
    }
  | { readonly kind: 'given'; readonly answer: Answer }
  | { readonly kind: 'mismatch' }
  /** The payer may sign anew: no copy of this payment is settled any more. */
  | { readonly kind: 'refused'; readonly reason: string; readonly atSettlement: boolean }
  | { readonly kind: 'used' }
  | { readonly kind: 'unknown' }
  /** The book could not be read: nothing was charged now, and nobody can say whether it was before. */
  | { readonly kind: 'unread' }
  | {
      readonly kind: 'unavailable'
      readonly error: 'payment_unavailable' | 'payment_store_unavailable' | 'payment_busy' | 'answer_too_large'
    }
