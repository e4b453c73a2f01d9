// What a paid route asks of payments: one middleware that stands between a valid request and its answer.
import type { Middleware } from 'koa'

/** What is sold. */
export interface Offer {
  /** Path template of the question, as in the contract: `/v1/mint/{mint}`. */
  readonly path: string
  readonly priceMicroUsdc: number
  readonly description: string
  /** Extra `extensions` of the 402 for this request (bazaar, coverage and lag of what is sold). */
  readonly extensions?: (ctx: Parameters<Middleware>[0]) => Record<string, unknown>
}

/** How answers are paid for: `sandbox` and `facilitator` share one implementation, `off` lets everything pass. */
export interface PaymentGate {
  readonly mode: 'sandbox' | 'facilitator' | 'off'
  /**
   * Middleware for a request that is already valid and eligible. No payment: 402 with header and body. Else verifies, runs the rest
   * of the chain (which sets status and body, never a stream), settles when its status is below 400, and sends only then.
   */
  protect(offer: Offer): Middleware
  /** Middleware that answers 402 and never runs or settles anything: for bare probes. */
  quote(offer: Offer): Middleware
  /** Lets settlements under way finish, at most `withinMs`. */
  close(withinMs: number): Promise<void>
}
