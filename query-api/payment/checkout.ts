// Sells one answer per payment: verification, answer, settlement, and every kind of retry. Independent of the transport.
import { setTimeout as pause } from 'node:timers/promises'
import { messageOf } from '../../schemas/errors.ts'
import { ShortLivedMap } from '../../schemas/short-lived-map.ts'
import { receiptOf } from './facilitator.ts'
import { paymentLimits } from './limits.ts'
import { type Agreement, type Outcome, type PaymentRequest, type Purchase, paymentRequestOf } from './purchase.ts'
import { type Rail, type Settlement, SPENT, traceOf } from './rail.ts'
import type { Claim, Claimed, IdempotencyStore, Kept, PaymentEntry } from './stores/idempotency-store.ts'
import { Records, type RecordsOptions } from './stores/records.ts'

export interface CheckoutOptions extends RecordsOptions {
  /** Rails by network. */
  readonly rails: ReadonlyMap<string, Rail>
  readonly book: IdempotencyStore
}

type Agreed = Extract<Agreement, { kind: 'agreed' }>
interface InFlight extends Pick<PaymentRequest, 'request' | 'scope'> {
  readonly outcome: Promise<Outcome>
  /** Resolves after the outcome, once all its records are written. Never rejects. */
  readonly ended: Promise<void>
}

const asCopy = (outcome: Outcome): Outcome => (outcome.kind === 'paid' ? { ...outcome, isReplayed: true } : outcome)

const NOT_BEGUN: Settlement = { kind: 'uncertain', reason: 'sold_not_begun' }

export class Checkout {
  readonly #options: CheckoutOptions
  readonly #records: Records
  readonly #inFlight = new ShortLivedMap<string, InFlight>()
  /** Writes that an outcome does not await, by claim. */
  readonly #behind = new WeakMap<Claim, Promise<unknown>>()
  #closed = false

  constructor(options: CheckoutOptions) {
    this.#options = options
    this.#records = new Records(options)
  }
  /**
   * A known payment gets its recorded outcome: neither a changed price nor an unavailable facilitator may turn a retry into a second sale.
   * Copies that arrive while the payment is in progress share its outcome. Rejects only if `agree` or `produce` rejects.
   */
  submit(purchase: Purchase): Promise<Outcome> {
    const { identity } = purchase.payment
    const order = paymentRequestOf(purchase)
    const joined = this.#join(identity, order)
    if (joined !== undefined) return joined.then((outcome) => outcome ?? this.submit(purchase))
    if (this.#closed || this.#inFlight.size >= paymentLimits.inFlightMax) return this.#turnedAway(purchase.payment)
    const outcome = this.#run(order)
    const ended = outcome
      .catch(() => {})
      .then(() => order.released)
      .then(() => void this.#inFlight.delete(identity))
    this.#inFlight.set(identity, { request: order.request, scope: order.scope, outcome, ended })
    return outcome
  }
  /** True for a payment in progress or in the book, and if the book cannot be read, because the payment may be settled. */
  async knows({ identity, identifier }: Purchase['payment']): Promise<boolean> {
    return this.#inFlight.has(identity) || (await this.#options.book.has(identity, identifier).catch(() => true))
  }

  /** Accepts no more payments, and awaits those in progress for at most `withinMs`. */
  async close(withinMs: number): Promise<void> {
    this.#closed = true
    await Promise.race([Promise.all([...this.#inFlight.values()].map(({ ended }) => ended)), pause(withinMs, undefined, { ref: false })])
  }

  /** The checkout is closed or full. A known payment is not reported as uncharged, because it may have been charged. */
  async #turnedAway(payment: Purchase['payment']): Promise<Outcome> {
    return (await this.knows(payment)) ? { kind: 'unknown' } : { kind: 'unavailable', error: 'payment_busy' }
  }

  /** Undefined: not in progress here. Resolves to undefined once its sale for another request has ended: the caller must retry. */
  #join(identity: string, { request, scope }: PaymentRequest): Promise<Outcome | undefined> | undefined {
    const running = this.#inFlight.get(identity)
    if (running === undefined) return undefined
    if (running.request !== request) return running.ended.then(() => undefined)
    return running.scope === scope ? running.outcome.then(asCopy) : Promise.resolve({ kind: 'unknown' })
  }

  /** Waits, within limits, for the process that has this payment. A payment with the same identifier decides instead, unless refused. */
  async #run(order: PaymentRequest): Promise<Outcome> {
    const { identity } = order.purchase.payment
    let wanted = identity
    for (let tries = 0; tries < paymentLimits.joinTriesMax; tries++) {
      const joined = wanted === identity ? undefined : this.#join(wanted, order)
      const claimed = joined === undefined ? await this.#claim(wanted, order) : undefined
      const outcome = await (joined ?? this.#outcomeOf(claimed, wanted, order))
      if (outcome !== undefined && (wanted === identity || outcome.kind !== 'refused')) return outcome
      wanted = claimed?.kind === 'bound' ? claimed.identity : claimed?.kind === 'busy' ? wanted : identity
      if (claimed?.kind === 'busy') await pause(paymentLimits.joinPollMs)
    }
    return { kind: 'unknown' }
  }

  /** Undefined if the caller must retry. */
  async #outcomeOf(claimed: Claimed | undefined, wanted: string, order: PaymentRequest): Promise<Outcome | undefined> {
    if (claimed === undefined) return { kind: 'unread' }
    if (claimed.kind === 'refused') return this.#again(claimed.reason, order)
    if (claimed.kind !== 'claimed') return undefined
    const { claim } = claimed
    try {
      const isOurs = wanted === order.purchase.payment.identity
      return isOurs || claim.entry !== undefined ? await this.#under(claim, wanted, order) : undefined
    } finally {
      const behind = this.#behind.get(claim)
      if (behind === undefined) await claim.release()
      else order.released = behind.then(() => claim.release())
    }
  }

  /** A free answer is also returned for a refused payment. */
  async #again(reason: string, { purchase }: PaymentRequest): Promise<Outcome> {
    const agreed = await purchase.agree()
    return agreed.kind === 'given' ? agreed : { kind: 'refused', reason, atSettlement: false }
  }

  async #claim(identity: string, { purchase }: PaymentRequest): Promise<Claimed | undefined> {
    const { identifier } = purchase.payment
    try {
      return await this.#options.book.claim(identity, identifier)
    } catch (error) {
      this.#options.notice('payment_store_failed', { identity, reason: messageOf(error) })
      return undefined
    }
  }

  async #under(claim: Claim, identity: string, order: PaymentRequest): Promise<Outcome> {
    const { entry } = claim
    if (entry === undefined) return this.#first(claim, order)
    if (entry.request !== order.request) return { kind: 'used' }
    if (entry.state !== 'done')
      return entry.scope === order.scope ? this.#resolve(claim, identity, entry, order.purchase) : { kind: 'unknown' }
    const isHeld = this.#options.clock.now() - entry.doneAt <= paymentLimits.replayMs
    if (entry.scope !== order.scope || !isHeld || entry.answer === null || entry.receipt === null) return { kind: 'used' }
    return { kind: 'paid', answer: entry.answer, receipt: entry.receipt, isReplayed: true, madeAtMs: entry.at }
  }

  async #first(claim: Claim, { purchase, request, scope }: PaymentRequest): Promise<Outcome> {
    const { payment, path } = purchase
    const { identity, identifier, payer, payload } = payment
    const agreed = await purchase.agree()
    if (agreed.kind !== 'agreed') return agreed
    const { rail, requirements } = agreed
    const verdict = await rail.verify(payload, requirements)
    if (verdict.kind === 'unreachable') return { kind: 'unavailable', error: 'payment_unavailable' }
    if (verdict.kind === 'refused') return this.#unverified(claim, verdict.reason, purchase, agreed)
    const produced = await purchase.produce()
    if (produced.kind === 'given') return produced
    const { answer } = produced
    if (answer.bodyBase64.length > (paymentLimits.answerBytesMax * 4) / 3) return { kind: 'unavailable', error: 'answer_too_large' }
    const at = this.#options.clock.now()
    const who = { request, scope, identifier: identifier?.id ?? null, path, payer }
    const entry: PaymentEntry = { state: 'running', at, doneAt: at, ...who, payload, requirements, answer, receipt: null }
    const logged = this.#records.line(identity, entry, 'settling')
    const [kept] = await Promise.all([this.#records.kept(identity, () => claim.put(entry)), logged])
    if (kept !== 'kept') return this.#unsettled(claim, identity, entry, kept)
    const settlement = await rail.settle({ payload, requirements, attempt: 0 })
    const known = settlement.kind === 'refused' ? await this.#proven(settlement, rail, entry) : settlement
    return this.#conclude(claim, identity, entry, known, purchase)
  }

  /** Checks on the chain, if it can be queried, that a refused payment has not landed. */
  async #proven(
    refusal: Extract<Settlement, { kind: 'refused' }>,
    rail: Rail,
    { payload, requirements, at, payer }: PaymentEntry,
  ): Promise<Settlement> {
    const found = await rail.lookUp(traceOf(payload, requirements, at), this.#options.clock.now())
    if (found?.kind === 'unreachable') return { kind: 'uncertain', reason: refusal.reason }
    if (found?.kind !== 'landed') return refusal
    return { kind: 'charged', receipt: receiptOf(found.transaction, requirements.network, payer) }
  }

  /** The simulation of an already settled payment fails. Refusing it would make an automatic client pay twice, so this checks the chain. */
  async #unverified(claim: Claim, reason: string, { payment }: Purchase, { rail, requirements }: Agreed): Promise<Outcome> {
    const now = this.#options.clock.now()
    const found = SPENT.test(reason) ? await rail.lookUp(traceOf(payment.payload, requirements, now, false), now) : undefined
    if (found?.kind === 'unreachable') return { kind: 'unknown' }
    return found?.kind === 'landed' ? { kind: 'used' } : this.#refused(claim, payment.identity, reason, false)
  }

  /** Clients re-sign after a refusal, so this refuses only after the book blocks every other copy of this payment. */
  async #refused(claim: Claim, identity: string, reason: string, atSettlement: boolean): Promise<Outcome> {
    const kept = await this.#records.kept(identity, () => claim.refuse(reason))
    if (kept === 'full') return { kind: 'unavailable', error: 'payment_busy' }
    return kept === 'kept' ? { kind: 'refused', reason, atSettlement } : { kind: 'unknown' }
  }

  /** Nothing is settled, because the entry could not be written. If the claim is lost, its new owner may be settling the payment. */
  async #unsettled(claim: Claim, identity: string, entry: PaymentEntry, kept: Kept | undefined): Promise<Outcome> {
    await this.#records.line(identity, entry, 'unreached', { reason: kept === undefined ? 'store_failed' : `store_${kept}` })
    if (kept === 'lost') return { kind: 'unknown' }
    if (kept === 'full') return { kind: 'unavailable', error: 'payment_busy' }
    await this.#records.kept(identity, () => claim.remove())
    return { kind: 'unavailable', error: 'payment_store_unavailable' }
  }

  /** Resolves an uncertain payment from the chain. If it has not landed, settles it again, which is safe: a payment lands at most once. */
  async #resolve(claim: Claim, identity: string, entry: PaymentEntry, purchase: Purchase): Promise<Outcome> {
    const { rails, clock, notice } = this.#options
    const { payload, requirements, payer } = entry
    const rail = rails.get(requirements.network)
    if (rail === undefined) return { kind: 'unknown' }
    const found = await rail.lookUp(traceOf(payload, requirements, entry.at), clock.now())
    const settled = (settlement: Settlement): Promise<Outcome> => this.#conclude(claim, identity, entry, settlement, purchase)
    switch (found?.kind) {
      case 'landed':
        return settled({ kind: 'charged', receipt: receiptOf(found.transaction, requirements.network, payer) })
      case 'failed':
        return settled({ kind: 'refused', reason: 'transaction_failed_on_chain' })
      case 'never':
        return settled({ kind: 'refused', reason: 'transaction_never_landed' })
      case 'unreachable':
        notice('lookup_unreachable', { reason: found.reason })
    }
    return settled(await rail.settle({ payload, requirements, attempt: 1 }))
  }

  async #conclude(claim: Claim, identity: string, entry: PaymentEntry, settlement: Settlement, purchase: Purchase): Promise<Outcome> {
    const { clock, notice } = this.#options
    switch (settlement.kind) {
      case 'charged': {
        const isBegun = await this.#records.begun(identity, entry, purchase)
        if (!isBegun) return this.#conclude(claim, identity, entry, NOT_BEGUN, purchase)
        const { receipt } = settlement
        const done: PaymentEntry = { ...entry, state: 'done', doneAt: clock.now(), receipt }
        const logged = this.#records.line(identity, entry, 'settled', { transaction: receipt.transaction })
        // Not awaited: after a crash, a retry finds the entry from before the settlement, looks the payment up and returns this answer.
        this.#behind.set(claim, Promise.all([this.#records.kept(identity, () => claim.put(done)), logged]))
        if (entry.answer === null) return { kind: 'used' }
        return { kind: 'paid', answer: entry.answer, receipt, isReplayed: entry.state !== 'running', madeAtMs: entry.at }
      }
      case 'refused': {
        await this.#records.line(identity, entry, 'refused', { reason: settlement.reason })
        return this.#refused(claim, identity, settlement.reason, true)
      }
      case 'unreachable': {
        await this.#records.line(identity, entry, 'unreached', { reason: settlement.reason })
        const kept = await this.#records.kept(identity, () => claim.remove())
        return kept === 'kept' ? { kind: 'unavailable', error: 'payment_unavailable' } : { kind: 'unknown' }
      }
      case 'uncertain': {
        notice('settlement_uncertain', { identity, reason: settlement.reason })
        const logged = this.#records.line(identity, entry, 'uncertain', { reason: settlement.reason, signed: entry.payload.payload })
        await Promise.all([this.#records.kept(identity, () => claim.put({ ...entry, state: 'uncertain' })), logged])
        return { kind: 'unknown' }
      }
    }
  }
}
