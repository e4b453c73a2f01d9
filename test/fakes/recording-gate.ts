// A PaymentGate that records its calls. A sale counts as paid if its payment is the text `paid`, or in mode `off`. The text `known` is a
// payment that the gate accepted earlier. Not simulated: verification, settlement, retries, replay, receipts and the real terms of a 402.
import {
  type Inquiry,
  type Offer,
  orUnsold,
  type PaymentGate,
  type Sale,
  type SaleOutcome,
  type TermsOffered,
} from '../../query-api/payment/gate.ts'

export interface GateCall {
  /** `asked`: a sale got the 402. `let go`: the answer to a paid sale was free or an error, so the payment was not used. */
  readonly kind: 'quoted' | 'asked' | 'settled' | 'let go'
  readonly path: string
}

export class RecordingGate implements PaymentGate {
  readonly mode: 'sandbox' | 'off'
  readonly calls: GateCall[] = []
  readonly offers: Offer[] = []
  /** What a 402 would have in addition to the terms. */
  readonly extensions: Inquiry['extensions'][] = []

  constructor(mode: 'sandbox' | 'off' = 'sandbox') {
    this.mode = mode
  }
  sell(sale: Sale): Promise<SaleOutcome> {
    return orUnsold(() => this.#sell(sale))
  }
  async #sell({ offer, extensions, payment, precheck, produce, settled }: Sale): Promise<SaleOutcome> {
    const isPaid = this.mode === 'off' || payment === 'paid'
    const before = await precheck()
    if (before === null && !isPaid) return this.#asked('asked', { offer, extensions })
    const given = before ?? (await precheck())
    const answer = given ?? (await produce())
    if (isPaid && given === null && answer.status < 400) await settled?.(answer.body)
    if (isPaid) this.calls.push({ kind: given === null && answer.status < 400 ? 'settled' : 'let go', path: offer.path })
    return { kind: 'given', answer }
  }
  async quote(inquiry: Inquiry): Promise<TermsOffered> {
    return this.#asked('quoted', inquiry)
  }
  knows(payment: string | object): boolean {
    return payment === 'known'
  }
  async close(): Promise<void> {}

  #asked(kind: 'asked' | 'quoted', { offer, extensions }: Pick<Inquiry, 'offer' | 'extensions'>): TermsOffered {
    this.calls.push({ kind, path: offer.path })
    this.offers.push(offer)
    this.extensions.push(extensions)
    return { kind: 'asked', body: { x402Version: 2, error: '', resource: { url: '' }, accepts: [], extensions: {} } }
  }
}
