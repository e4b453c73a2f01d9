// What a paid question asks of payments: a till that knows no transport. HTTP and MCP show its outcomes in their own ways.
import type { PaymentRequired, SettleResponse } from '@x402/core/types'
import type { Answer } from '../questions/bodies.ts'
import type { StoredAnswer } from './books/payment-book.ts'
import type { RefusalCode } from './refusals.ts'

/** What is sold. */
export interface Offer {
  /** Path template of the question, as in the contract: `/v1/mint/{mint}`. */
  readonly path: string
  readonly priceMicroUsdc: number
  readonly description: string
  /** Query parameters whose values no 402 and no receipt shows. */
  readonly secretParams?: readonly string[]
  /** Whether it may be paid on the second network too, where one is set. */
  readonly secondNetwork?: boolean
}

/** Somebody who asks what a request costs. */
export interface Inquiry {
  readonly offer: Offer
  /** Full public address of what is asked for, with its query. The Host header is never believed. */
  readonly resourceUrl: string
  /** What the 402 says beside the terms (`extensions`: bazaar, coverage and lag of what is sold); made only when it is asked. */
  readonly extensions?: (() => Record<string, unknown>) | undefined
}

/** A request that is valid and eligible. */
export interface Sale extends Inquiry {
  /** Transport, path and arguments: the same for the same request, so that a payment buys one thing only. */
  readonly request: string
  readonly callerAddress: string
  /** As sent: text is a PAYMENT-SIGNATURE header, an object is the payment itself. Undefined: none. */
  readonly payment: string | object | undefined
  /**
   * What is given instead, and nothing charged: a refusal, or the news that there is none. Null: the answer can be sold now. Judged before
   * payment is asked for or verified, and again after; a payment known from before gets what it bought.
   */
  readonly instead: () => Answer | null | Promise<Answer | null>
  /** Makes the answer; called at most once, after the payment was verified, before it is settled. A status of 400 or more is not sold. */
  readonly produce: () => Answer | Promise<Answer>
  /**
   * What the answer promises begins. Called with its body once money has moved, before the answer leaves; again where a process ended in
   * between, so that it must do nothing the second time. Where it rejects, the outcome is unknown and a retry calls it again.
   */
  readonly settled?: ((body: string) => Promise<void>) | undefined
}

/** Nothing is sold, and why. `failed` stands in the receipt's place when the payment had reached its settlement. */
export interface Refusal {
  readonly kind: 'refused'
  readonly status: 400 | 409 | 503
  readonly error: RefusalCode
  readonly hint: string
  /** Null: not known yet. */
  readonly charged: false | null
  readonly retryAfterS?: number
  readonly failed?: SettleResponse
}
/** Payment is required, on these terms. */
export interface Asked {
  readonly kind: 'asked'
  readonly body: PaymentRequired
  readonly failed?: SettleResponse
}

/** How a sale ended. Money moved for `sold` only; it may have for a refusal whose `charged` is null. */
export type SaleOutcome =
  | {
      readonly kind: 'sold'
      readonly answer: StoredAnswer
      readonly receipt: SettleResponse
      /** True for all copies of a payment but the one that was settled. */
      readonly isReplayed: boolean
      /** Wall ms at which the answer was made. */
      readonly madeAtMs: number
    }
  /** An answer for which nothing was charged, and no payment was touched. */
  | { readonly kind: 'given'; readonly answer: Answer }
  | Asked
  | Refusal

/** What was to be sold could not be made, for this cause. Nothing was charged: answers are made before they are settled. */
export class Unsold extends Error {
  override readonly name = 'Unsold'

  constructor(cause: unknown) {
    super('an answer could not be made', { cause })
  }
}

/** @throws Unsold with what `sell` throws. */
export const orUnsold = async <Outcome>(sell: () => Promise<Outcome>): Promise<Outcome> => {
  try {
    return await sell()
  } catch (cause) {
    throw new Unsold(cause)
  }
}

/** How answers are paid for: `sandbox` and `facilitator` share one implementation, `off` gives everything away. */
export interface PaymentGate {
  readonly mode: 'sandbox' | 'facilitator' | 'off'
  /** Keys that receipts are signed with, as a set of JSON Web Keys to publish; absent where none is signed. */
  readonly receiptKeys?: object
  /** The terms, for bare probes: never runs or settles anything. Refused only while there are none. */
  quote(inquiry: Inquiry): Promise<Asked | Refusal>
  /** No payment: asks for it. Else verifies, makes the answer, settles, and only then gives it. @throws Unsold when `instead` or `produce` throw. */
  sell(sale: Sale): Promise<SaleOutcome>
  /** Whether a payment, as sent, is under way or was taken before: its retries are counted apart. */
  knows(payment: string | object): boolean | Promise<boolean>
  /** Lets settlements under way finish, at most `withinMs`. */
  close(withinMs: number): Promise<void>
}
