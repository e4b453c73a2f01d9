// What a caller wants for a payment, and how that can end.
import type { PaymentRequirements, SettleResponse } from '@x402/core/types'
import type { Answer } from '../bodies.ts'
import type { Payment } from './header.ts'
import type { StoredAnswer } from './payment-book.ts'
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
}

/** Our terms, which the payment was signed for; or nothing is sold: an answer is given, or the terms are others. */
export type Agreement =
  | { readonly kind: 'agreed'; readonly requirements: PaymentRequirements; readonly rail: Rail }
  | { readonly kind: 'given'; readonly answer: Answer }
  | { readonly kind: 'mismatch' }

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
  | { readonly kind: 'refused'; readonly reason: string; readonly atSettlement: boolean }
  | { readonly kind: 'used' }
  | { readonly kind: 'unknown' }
  /** The book could not be read: nothing was charged now, and nobody can say whether it was before. */
  | { readonly kind: 'unread' }
  | {
      readonly kind: 'unavailable'
      readonly error: 'payment_unavailable' | 'payment_store_unavailable' | 'payment_busy' | 'answer_too_large'
    }
