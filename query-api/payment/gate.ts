// The payment gate's interface, independent of the transport. HTTP and MCP render its outcomes.
import type { PaymentRequired, SettleResponse } from '@x402/core/types'
import type { Answer } from '../questions/bodies.ts'
import type { RefusalCode } from './refusals.ts'
import type { StoredAnswer } from './stores/idempotency-store.ts'

/** What is sold, and its price. */
export interface Offer {
  /** Path template of the question, as in the contract: `/v1/mint/{mint}`. */
  readonly path: string
  readonly priceMicroUsdc: number
  readonly description: string
  /** Query parameters whose values are redacted in 402s and receipts. */
  readonly secretParams?: readonly string[]
  /** Whether payments on the second network, if configured, are accepted. */
  readonly secondNetwork?: boolean
}

/** A request for the payment terms. */
export interface Inquiry {
  readonly offer: Offer
  /** Full public URL of the request, with its query. Never from the Host header. */
  readonly resourceUrl: string
  /** Creates the 402's `extensions` (bazaar, coverage and lag of the answer); called only if a 402 is sent. */
  readonly extensions?: (() => Record<string, unknown>) | undefined
}

/** A validated request for a paid answer. */
export interface Sale extends Inquiry {
  /** Canonical transport, path and arguments: a payment is valid for one request only. */
  readonly request: string
  readonly callerAddress: string
  /** As sent: text is a PAYMENT-SIGNATURE header, an object is the payment itself. Undefined: none. */
  readonly payment: string | object | undefined
  /**
   * The precheck: a free answer instead of the paid one (a refusal, or `no_new_events`); null if the answer can be sold now. Called before
   * payment is required or verified, and again after verification. Not called for a payment that has bought an answer: it gets that answer.
   */
  readonly precheck: () => Answer | null | Promise<Answer | null>
  /** Makes the answer; called at most once, between verification and settlement. A status of 400 or more is not sold. */
  readonly produce: () => Answer | Promise<Answer>
  /**
   * Starts what was bought, such as a subscription. Called with the answer's body after the settlement, before the answer is sent. Must be
   * idempotent: it is called again if the process ended in between. If it rejects, the outcome is unknown and a retry calls it again.
   */
  readonly settled?: ((body: string) => Promise<void>) | undefined
}

/** Nothing is sold, for the reason `error`. `failed` takes the place of the receipt if the settlement was attempted. */
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
export interface TermsOffered {
  readonly kind: 'asked'
  readonly body: PaymentRequired
  readonly failed?: SettleResponse
}

/** Money has moved only for `sold`; it may have moved for a refusal whose `charged` is null. */
export type SaleOutcome =
  | {
      readonly kind: 'sold'
      readonly answer: StoredAnswer
      readonly receipt: SettleResponse
      /** False for the copy of the payment that was settled, true for all others. */
      readonly isReplayed: boolean
      /** When the answer was made, wall ms. */
      readonly madeAtMs: number
    }
  /** A free answer; no payment was used. */
  | { readonly kind: 'given'; readonly answer: Answer }
  | TermsOffered
  | Refusal

/** The answer could not be made. Nothing was charged: answers are made before the settlement. */
export class Unsold extends Error {
  override readonly name = 'Unsold'

  constructor(cause: unknown) {
    super('the answer could not be made', { cause })
  }
}

/** @throws Unsold with the error of `sell` as its cause. */
export const orUnsold = async <Outcome>(sell: () => Promise<Outcome>): Promise<Outcome> => {
  try {
    return await sell()
  } catch (cause) {
    throw new Unsold(cause)
  }
}

/** `sandbox` and `facilitator` share one implementation; with `off`, everything is free. */
export interface PaymentGate {
  readonly mode: 'sandbox' | 'facilitator' | 'off'
  /** The public JSON Web Key Set of signed receipts; absent if receipts are not signed. */
  readonly receiptKeys?: object
  /** The terms, for bare probes; makes no answer and settles nothing. Refuses only while there are no terms. */
  quote(inquiry: Inquiry): Promise<TermsOffered | Refusal>
  /**
   * Requires a payment. If there is one, verifies it, makes the answer, settles, and then returns the answer.
   * @throws Unsold if `precheck` or `produce` throws.
   */
  sell(sale: Sale): Promise<SaleOutcome>
  /** Whether a payment, as sent, is in progress or known: its retries have a separate rate limit. */
  knows(payment: string | object): boolean | Promise<boolean>
  /** Awaits settlements in progress, at most `withinMs`. */
  close(withinMs: number): Promise<void>
}
