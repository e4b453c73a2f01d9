// The gate with payments on: turns a request into a purchase, and its outcome into the caller's answer.
import type { SettleResponse } from '@x402/core/types'
import { unreachable } from '../../schemas/errors.ts'
import { ShortLivedMap } from '../../schemas/short-lived-map.ts'
import type { Answer } from '../questions/bodies.ts'
import type { Checkout } from './checkout.ts'
import { type Inquiry, orUnsold, type PaymentGate, type Refusal, type Sale, type SaleOutcome, type TermsOffered } from './gate.ts'
import { type HeaderRefusal, type ReceivedPayment, readPayment } from './header.ts'
import { paymentLimits } from './limits.ts'
import type { Agreement, Outcome, Produced } from './purchase.ts'
import type { Rail } from './rail.ts'
import { hints, type RefusalCode } from './refusals.ts'
import type { ReceiptSigner } from './signed-receipts.ts'
import type { StoredAnswer } from './stores/idempotency-store.ts'
import { paymentRequired } from './terms.ts'

export interface PaidGateOptions {
  readonly mode: 'sandbox' | 'facilitator'
  /** The first is accepted for all offers, others for offers with `secondNetwork`. */
  readonly rails: readonly [Rail, ...Rail[]]
  readonly checkout: Checkout
  /** Absent: receipts are not signed. */
  readonly signer?: ReceiptSigner
  /** Rate limit per payer, checked between verification and settlement of a new payment: a refusal, or null. */
  readonly admit?: (payer: string) => Promise<Answer | null>
  /** Rate limit per caller of new payments that only the facilitator can verify: a refusal, or null. */
  readonly admitUnverifiable?: (callerAddress: string) => Promise<Answer | null>
}

/** Limit of parsed payments kept between `knows` and `sell`, some kilobytes each. */
const ASKED_MAX = 256

export class PaidGate implements PaymentGate {
  readonly mode: 'sandbox' | 'facilitator'
  readonly receiptKeys?: object
  readonly #options: PaidGateOptions
  /** Purchases in progress whose payment only the facilitator can verify. */
  readonly #unverifiable = new Set<object>()
  readonly #asked = new ShortLivedMap<string | object, ReceivedPayment | HeaderRefusal>()

  constructor(options: PaidGateOptions) {
    this.mode = options.mode
    this.#options = options
    if (options.signer !== undefined) this.receiptKeys = options.signer.keys
  }
  quote(inquiry: Inquiry): Promise<TermsOffered | Refusal> {
    return this.#ask(inquiry, 'Payment required')
  }
  sell(sale: Sale): Promise<SaleOutcome> {
    return orUnsold(() => this.#sell(sale))
  }
  async #sell(sale: Sale): Promise<SaleOutcome> {
    const payment = sale.payment === undefined ? undefined : this.#read(sale.payment)
    if (typeof payment === 'string') return refused(400, payment)
    if (payment !== undefined) return this.#submit(sale, payment)
    const precheck = await sale.precheck()
    return precheck === null ? this.quote(sale) : { kind: 'given', answer: precheck }
  }
  knows(sent: string | object): boolean | Promise<boolean> {
    const payment = readPayment(sent)
    if (this.#asked.size >= ASKED_MAX) this.#asked.clear()
    this.#asked.set(sent, payment)
    return typeof payment !== 'string' && this.#options.checkout.knows(payment)
  }
  close(withinMs: number): Promise<void> {
    return this.#options.checkout.close(withinMs)
  }

  /** `knows` has parsed a new payment already: it is not parsed twice. */
  #read(sent: string | object): ReceivedPayment | HeaderRefusal {
    const known = this.#asked.get(sent)
    this.#asked.delete(sent)
    return known ?? readPayment(sent)
  }
  /** A forged payment ends here: it reaches neither the book, where the true one may be, nor the facilitator. */
  async #submit(sale: Sale, payment: ReceivedPayment): Promise<SaleOutcome> {
    const rail = this.#rails(sale).find(({ network }) => network === payment.accepted.network)
    const proof = await rail?.proof(payment)
    if (proof?.kind !== 'forged') return this.#buy(sale, payment, rail, proof?.kind === 'unverifiable')
    const precheck = await sale.precheck()
    return precheck === null ? this.#ask(sale, proof.reason) : { kind: 'given', answer: precheck }
  }
  async #buy(sale: Sale, payment: ReceivedPayment, rail: Rail | undefined, isUnverifiable: boolean): Promise<SaleOutcome> {
    const { request, callerAddress, offer, settled } = sale
    const agree = async (): Promise<Agreement> => {
      const precheck = await sale.precheck()
      if (precheck !== null) return { kind: 'given', answer: precheck }
      if (rail === undefined) return { kind: 'mismatch' }
      const requirements = await rail.agreed(payment, offer.priceMicroUsdc)
      if (requirements === undefined) return { kind: 'unavailable', error: 'payment_unavailable' }
      if (requirements === 'others') return { kind: 'mismatch' }
      return (isUnverifiable && (await this.#limited(sale))) || { kind: 'agreed', requirements, rail }
    }
    const produce = async (): Promise<Produced> => {
      const precheck = (await this.#options.admit?.(payment.payer)) ?? (await sale.precheck())
      const answer = precheck ?? (await sale.produce())
      return precheck === null && answer.status < 400 ? { kind: 'sold', answer: stored(answer) } : { kind: 'given', answer }
    }
    const begin = settled && ((answer: StoredAnswer) => settled(Buffer.from(answer.bodyBase64, 'base64').toString('utf8')))
    const purchase = { payment, path: offer.path, request, callerAddress, agree, produce, ...(begin && { settled: begin }) }
    const outcome = await this.#options.checkout.submit(purchase).finally(() => this.#unverifiable.delete(sale))
    return this.#outcomeOf(sale, outcome, payment.accepted.network)
  }
  /** Why a payment that only the facilitator can verify is not sent there now: anybody can make such payments without a key. */
  async #limited(sale: Sale): Promise<Agreement | undefined> {
    if (this.#unverifiable.size >= paymentLimits.unverifiableMax) return { kind: 'unavailable', error: 'payment_busy' }
    this.#unverifiable.add(sale)
    const answer = await this.#options.admitUnverifiable?.(sale.callerAddress)
    return answer ? { kind: 'given', answer } : undefined
  }
  #rails({ offer }: Inquiry): readonly Rail[] {
    const { rails } = this.#options
    return offer.secondNetwork === true ? rails : rails.slice(0, 1)
  }
  /** The current terms; a refusal while there are none. */
  async #ask(inquiry: Inquiry, error: string, failed?: SettleResponse): Promise<TermsOffered | Refusal> {
    const { offer } = inquiry
    const offered = await Promise.all(this.#rails(inquiry).map((rail) => rail.terms(offer.priceMicroUsdc)))
    const accepts = offered.filter((terms) => terms !== undefined)
    if (accepts.length === 0) return refused(503, 'payment_unavailable')
    const resource = { url: inquiry.resourceUrl, description: offer.description }
    const body = paymentRequired(accepts, resource, error, inquiry.extensions?.() ?? {})
    return { kind: 'asked', body, ...(failed && { failed }) }
  }
  async #outcomeOf(sale: Sale, outcome: Outcome, network: Rail['network']): Promise<SaleOutcome> {
    switch (outcome.kind) {
      case 'paid': {
        const { answer, isReplayed, madeAtMs } = outcome
        const receipt = this.#options.signer?.receipt(sale.resourceUrl, outcome.receipt, madeAtMs) ?? outcome.receipt
        return { kind: 'sold', answer, receipt, isReplayed, madeAtMs }
      }
      case 'given':
        return outcome
      case 'mismatch':
        return this.#ask(sale, 'payment_terms_mismatch')
      case 'refused':
        return this.#ask(sale, outcome.reason, outcome.atSettlement ? failedOn(network, outcome.reason) : undefined)
      case 'used':
        return refused(409, 'payment_already_used')
      case 'unknown':
        return { ...refused(409, 'payment_outcome_unknown'), charged: null, failed: failedOn(network, 'payment_outcome_unknown') }
      case 'unread':
        return { ...refused(503, 'payment_store_unavailable'), charged: null }
      case 'unavailable':
        return refused(503, outcome.error)
      default:
        return unreachable(outcome)
    }
  }
}

const failedOn = (network: Rail['network'], errorReason: string): SettleResponse => ({
  success: false,
  errorReason,
  transaction: '',
  network,
})

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
