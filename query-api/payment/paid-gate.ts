// The gate that is paid: from what a caller sent to a purchase, and from its outcome to what the caller is told.
import type { PaymentRequirements, SettleResponse } from '@x402/core/types'
import { unreachable } from '../../schemas/errors.ts'
import type { Answer } from '../bodies.ts'
import type { Checkout, Outcome, Produced } from './checkout.ts'
import type { Facilitator } from './facilitator.ts'
import type { Asked, Inquiry, PaymentGate, Refusal, Sale, SaleOutcome } from './gate.ts'
import { type Payment, readPayment } from './header.ts'
import { paymentLimits } from './limits.ts'
import type { StoredAnswer } from './payment-book.ts'
import { hints, type RefusalCode } from './refusals.ts'
import { isSameTerms, paymentRequired, requirementsOf, type Seller } from './terms.ts'

export interface PaidGateOptions {
  readonly mode: 'sandbox' | 'facilitator'
  readonly seller: Seller
  readonly facilitator: Facilitator
  readonly checkout: Checkout
}

export class PaidGate implements PaymentGate {
  readonly mode: 'sandbox' | 'facilitator'
  readonly #options: PaidGateOptions

  constructor(options: PaidGateOptions) {
    this.mode = options.mode
    this.#options = options
  }
  quote(inquiry: Inquiry): Promise<Asked | Refusal> {
    return this.#ask(inquiry, 'Payment required')
  }
  async sell(sale: Sale): Promise<SaleOutcome> {
    const payment = sale.payment === undefined ? undefined : readPayment(sale.payment)
    if (typeof payment === 'string') return refused(400, payment)
    if (payment !== undefined && this.#options.checkout.knows(payment.transaction.identity)) return this.#submit(sale, payment)
    const instead = await sale.instead()
    if (instead !== null) return { kind: 'given', answer: instead }
    if (payment === undefined) return this.quote(sale)
    const agreed = await this.#agreedTerms(sale, payment)
    return agreed === undefined ? this.#ask(sale, 'payment_terms_mismatch') : this.#submit(sale, payment, agreed)
  }
  close(withinMs: number): Promise<void> {
    return this.#options.checkout.close(withinMs)
  }

  async #submit(sale: Sale, payment: Payment, requirements?: PaymentRequirements): Promise<SaleOutcome> {
    const { request, callerAddress } = sale
    const produce = async (): Promise<Produced> => {
      const instead = await sale.instead()
      const answer = instead ?? (await sale.produce())
      return instead === null && answer.status < 400 ? { kind: 'sold', answer: stored(answer) } : { kind: 'given', answer }
    }
    return this.#told(sale, await this.#options.checkout.submit({ payment, requirements, request, callerAddress, produce }))
  }
  /** Undefined while the facilitator was never reached: without it nobody knows who pays the fees, and no payment could be made. */
  async #terms({ offer }: Inquiry): Promise<PaymentRequirements | undefined> {
    const { facilitator, seller } = this.#options
    const feePayers = await facilitator.feePayers()
    return feePayers && requirementsOf(seller, offer.priceMicroUsdc, feePayers.offered)
  }
  /** Our terms with the fee payer the caller signed for, when the facilitator signs for it and it really is the transaction's. */
  async #agreedTerms(inquiry: Inquiry, payment: Payment): Promise<PaymentRequirements | undefined> {
    const ours = await this.#terms(inquiry)
    const known = (await this.#options.facilitator.feePayers())?.known
    const feePayer = payment.accepted.extra.feePayer
    if (ours === undefined || typeof feePayer !== 'string' || !known?.has(feePayer) || payment.transaction.feePayer !== feePayer)
      return undefined
    return isSameTerms(payment.accepted, ours) ? { ...ours, extra: { feePayer } } : undefined
  }
  /** Today's terms; a refusal while there are none. */
  async #ask(inquiry: Inquiry, error: string, failed?: SettleResponse): Promise<Asked | Refusal> {
    const requirements = await this.#terms(inquiry)
    if (requirements === undefined) return refused(503, 'payment_unavailable')
    const resource = { url: inquiry.resourceUrl, description: inquiry.offer.description }
    const body = paymentRequired([requirements], resource, error, inquiry.extensions?.() ?? {})
    return { kind: 'asked', body, ...(failed && { failed }) }
  }
  async #told(sale: Sale, outcome: Outcome): Promise<SaleOutcome> {
    switch (outcome.kind) {
      case 'paid': {
        const { answer, receipt, isReplayed, madeAtMs } = outcome
        return { kind: 'sold', answer, receipt, isReplayed, madeAtMs }
      }
      case 'given':
        return outcome
      case 'refused':
        return this.#ask(sale, outcome.reason, outcome.atSettlement ? this.#failed(outcome.reason) : undefined)
      case 'used':
        return refused(409, 'payment_already_used')
      case 'unknown':
        return { ...refused(409, 'payment_outcome_unknown'), charged: null, failed: this.#failed('payment_outcome_unknown') }
      case 'unavailable':
        return refused(503, outcome.error)
      default:
        return unreachable(outcome)
    }
  }
  #failed(errorReason: string): SettleResponse {
    return { success: false, errorReason, transaction: '', network: this.#options.seller.network }
  }
}

const stored = ({ status, body }: Answer): StoredAnswer => ({
  status,
  type: 'application/json; charset=utf-8',
  bodyBase64: Buffer.from(body).toString('base64'),
})

const refused = (status: Refusal['status'], error: RefusalCode): Refusal => ({
  kind: 'refused',
  status,
  error,
  hint: hints[error],
  charged: false,
  ...((status === 503 || error === 'payment_outcome_unknown') && { retryAfterS: paymentLimits.retryAfterS }),
})
