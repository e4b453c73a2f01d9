// A way that money takes: a network, its facilitator and where its chain is asked. One for each network that is taken.
import type { PaymentPayload, PaymentRequirements, SettleResponse } from '@x402/core/types'
import type { Payment } from './header.ts'

/** What verification says. `unreachable`: it said nothing that can be trusted; nothing is charged either way. */
export type Verdict =
  | { readonly kind: 'valid' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string }

/** What a settlement proves. `refused` and `unreachable`: no money moved. `uncertain`: only the chain knows. */
export type Settlement =
  | { readonly kind: 'charged'; readonly receipt: SettleResponse }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'uncertain'; readonly reason: string }

/** `absent`: not there yet. `never`: not there, and too late for it to land. */
export type Lookup =
  | { readonly kind: 'landed'; readonly transaction: string }
  | { readonly kind: 'failed'; readonly transaction: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'never' }
  | { readonly kind: 'unreachable'; readonly reason: string }

/** A charge to settle; `attempt` 0 is the very first: only then a refusal proves that nothing was sent before. */
export interface Charge {
  readonly payload: PaymentPayload
  readonly requirements: PaymentRequirements
  readonly attempt: number
}

/** What a look at the chain needs: what was signed (`payload` of the payment) and when it was first tried (wall ms). */
export interface Trace {
  readonly signed: Readonly<Record<string, unknown>>
  readonly requirements: Pick<PaymentRequirements, 'asset' | 'network' | 'payTo' | 'amount'>
  readonly triedAtMs: number
  /** False for what was never verified: anybody can have made it up, and it is worth one question. */
  readonly isVerified: boolean
}

/** What verification says, among others, of a payment that has landed. */
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
  /** Today's terms; undefined while its facilitator was never reached. */
  terms(priceMicroUsdc: number): Promise<PaymentRequirements | undefined>
  /** Our terms as the payment was signed for them; `others` when it was signed for others, undefined while there are none of ours. */
  agreed(payment: Payment, priceMicroUsdc: number): Promise<PaymentRequirements | 'others' | undefined>
  verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<Verdict>
  settle(charge: Charge): Promise<Settlement>
  /** Undefined where no chain can be asked. */
  lookUp(trace: Trace, nowMs: number): Promise<Lookup | undefined>
}
