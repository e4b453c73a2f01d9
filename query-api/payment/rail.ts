// A payment rail: one accepted network with its facilitator and chain lookup.
import type { PaymentPayload, PaymentRequirements, SettleResponse } from '@x402/core/types'
import type { ReceivedPayment } from './header.ts'

/**
 * What a payment's signature proves without the facilitator. `unverifiable`: only the chain can verify it, because the payer is a contract.
 */
export type Proof = { readonly kind: 'signed' } | { readonly kind: 'unverifiable' } | { readonly kind: 'forged'; readonly reason: string }

/** The result of verification. `unreachable`: no valid answer. Nothing is charged in any case. */
export type Verdict =
  | { readonly kind: 'valid' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string }

/** The result of a settlement. `refused` and `unreachable`: no money moved. `uncertain`: only the chain can tell. */
export type Settlement =
  | { readonly kind: 'charged'; readonly receipt: SettleResponse }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'uncertain'; readonly reason: string }

/**
 * `failed`: on the chain, but it did not pay us. `absent`: not on the chain yet. `never`: not on the chain, and too late to land.
 */
export type Lookup =
  | { readonly kind: 'landed'; readonly transaction: string }
  | { readonly kind: 'failed'; readonly transaction: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'never' }
  | { readonly kind: 'unreachable'; readonly reason: string }

/** A charge to settle. Only for the first `attempt` (0) does a refusal prove that nothing was sent. */
export interface Charge {
  readonly payload: PaymentPayload
  readonly requirements: PaymentRequirements
  readonly attempt: number
}

/** Input of a chain lookup: the signed payload, and the time of the first settlement attempt (wall ms). */
export interface Trace {
  readonly signed: Readonly<Record<string, unknown>>
  readonly requirements: Pick<PaymentRequirements, 'asset' | 'network' | 'payTo' | 'amount'>
  readonly triedAtMs: number
  /** False for a payment that was never verified: it may be forged, so the lookup reads one page only. */
  readonly isVerified: boolean
}

/** Reasons for which verification refuses a payment that has already landed. They can have other causes too. */
export const SPENT = /simulation_failed|already_used/

type Signed = Pick<PaymentPayload, 'payload'>

export const traceOf = ({ payload: signed }: Signed, requirements: PaymentRequirements, triedAtMs: number, isVerified = true): Trace => ({
  signed,
  requirements,
  triedAtMs,
  isVerified,
})

export interface Rail {
  /** CAIP-2. */
  readonly network: `${string}:${string}`
  /** The current terms; undefined until the network's facilitator has responded once. */
  terms(priceMicroUsdc: number): Promise<PaymentRequirements | undefined>
  /**
   * Checks nothing that changes with time or price, so a payment that was sold stays `signed`. A payload of another kind of network counts
   * as signed: `agreed` refuses it.
   */
  proof(payment: ReceivedPayment): Promise<Proof>
  /** Our terms if the payment was signed for them; `others` if it was signed for other terms; undefined while we have none. */
  agreed(payment: ReceivedPayment, priceMicroUsdc: number): Promise<PaymentRequirements | 'others' | undefined>
  /** Asks the facilitator only about a payment that is still valid. */
  verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<Verdict>
  settle(charge: Charge): Promise<Settlement>
  /** Undefined if no chain can be queried. */
  lookUp(trace: Trace, nowMs: number): Promise<Lookup | undefined>
}
