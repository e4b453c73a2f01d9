// One payment, one sale: identity, verification, the answer, the settlement and every way to ask again. Knows no transport.
import { setTimeout as pause } from 'node:timers/promises'
import { BriefMap } from '../../schemas/brief-map.ts'
import { messageOf } from '../../schemas/errors.ts'
import type { Claim, Claimed, Kept, PaymentBook, PaymentEntry } from './books/payment-book.ts'
import { Records, type RecordsOptions } from './books/records.ts'
import { receiptOf } from './facilitator.ts'
import { paymentLimits } from './limits.ts'
import { type Agreement, type Order, type Outcome, orderOf, type Purchase } from './purchase.ts'
import { type Rail, type Settlement, SPENT, traceOf } from './rail.ts'

export interface CheckoutOptions extends RecordsOptions {
  /** By network. */
  readonly rails: ReadonlyMap<string, Rail>
  readonly book: PaymentBook
}

type Agreed = Extract<Agreement, { kind: 'agreed' }>
interface InFlight extends Pick<Order, 'request' | 'scope'> {
  readonly outcome: Promise<Outcome>
  /** After the outcome, once all of it is written. Never rejects. */
  readonly ended: Promise<void>
}

const asCopy = (outcome: Outcome): Outcome => (outcome.kind === 'paid' ? { ...outcome, isReplayed: true } : outcome)

const NOT_BEGUN: Settlement = { kind: 'uncertain', reason: 'sold_not_begun' }

export class Checkout {
  readonly #options: CheckoutOptions
  readonly #records: Records
  readonly #inFlight = new BriefMap<string, InFlight>()
  /** Writes that an outcome does not wait for. */
  readonly #behind = new WeakMap<Claim, Promise<unknown>>()
  #closed = false

  constructor(options: CheckoutOptions) {
    this.#options = options
    this.#records = new Records(options)
  }
  /**
   * A payment that is known is answered by what is known of it: today's price, or a facilitator that is down, must not turn a retry into a
   * second sale. Copies that arrive while it is under way share its outcome. Rejects only when `agree` or `produce` does.
   */
  submit(purchase: Purchase): Promise<Outcome> {
    const { identity } = purchase.payment
    const order = orderOf(purchase)
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
  /** True for a payment under way or in the book, and where the book cannot be read: such a one may have been paid. */
  async knows({ identity, identifier }: Purchase['payment']): Promise<boolean> {
    return this.#inFlight.has(identity) || (await this.#options.book.has(identity, identifier).catch(() => true))
  }

  /** Takes no more payments and waits for those under way, at most `withinMs`. */
  async close(withinMs: number): Promise<void> {
    this.#closed = true
    await Promise.race([Promise.all([...this.#inFlight.values()].map(({ ended }) => ended)), pause(withinMs, undefined, { ref: false })])
  }

  /** There is no room for another sale. Of one that is known nobody is told that it was not charged: it may have been. */
  async #turnedAway(payment: Purchase['payment']): Promise<Outcome> {
    return (await this.knows(payment)) ? { kind: 'unknown' } : { kind: 'unavailable', error: 'payment_busy' }
  }

  /** Undefined, at once or in the end, where another look is to be taken: who runs for something else may have been sold nothing. */
  #join(identity: string, { request, scope }: Order): Promise<Outcome | undefined> | undefined {
    const running = this.#inFlight.get(identity)
    if (running === undefined) return undefined
    if (running.request !== request) return running.ended.then(() => undefined)
    return running.scope === scope ? running.outcome.then(asCopy) : Promise.resolve({ kind: 'unknown' })
  }

  /** Waits, within limits, for another process that is at it. A payment with another's identifier is its copy, unless that is refused. */
  async #run(order: Order): Promise<Outcome> {
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

  /** Undefined where another look is to be taken. */
  async #outcomeOf(claimed: Claimed | undefined, wanted: string, order: Order): Promise<Outcome | undefined> {
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

  /** What is given away is given to a refused payment too. */
  async #again(reason: string, { purchase }: Order): Promise<Outcome> {
    const agreed = await purchase.agree()
    return agreed.kind === 'given' ? agreed : { kind: 'refused', reason, atSettlement: false }
  }

  async #claim(identity: string, { purchase }: Order): Promise<Claimed | undefined> {
    const { identifier } = purchase.payment
    try {
      return await this.#options.book.claim(identity, identifier)
    } catch (error) {
      this.#options.notice('payment_store_failed', { identity, reason: messageOf(error) })
      return undefined
    }
  }

  async #under(claim: Claim, identity: string, order: Order): Promise<Outcome> {
    const { entry } = claim
    if (entry === undefined) return this.#first(claim, order)
    if (entry.request !== order.request) return { kind: 'used' }
    if (entry.state !== 'done')
      return entry.scope === order.scope ? this.#resolve(claim, identity, entry, order.purchase) : { kind: 'unknown' }
    const isHeld = this.#options.clock.now() - entry.doneAt <= paymentLimits.replayMs
    if (entry.scope !== order.scope || !isHeld || entry.answer === null || entry.receipt === null) return { kind: 'used' }
    return { kind: 'paid', answer: entry.answer, receipt: entry.receipt, isReplayed: true, madeAtMs: entry.at }
  }

  async #first(claim: Claim, { purchase, request, scope }: Order): Promise<Outcome> {
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
    const who = { request, scope, identifier, path, payer }
    const entry: PaymentEntry = { state: 'running', at, doneAt: at, ...who, payload, requirements, answer, receipt: null }
    const logged = this.#records.line(identity, entry, 'settling')
    const [kept] = await Promise.all([this.#records.kept(identity, () => claim.put(entry)), logged])
    if (kept !== 'kept') return this.#unsettled(claim, identity, entry, kept)
    const settlement = await rail.settle({ payload, requirements, attempt: 0 })
    const known = settlement.kind === 'refused' ? await this.#proven(settlement, rail, entry) : settlement
    return this.#conclude(claim, identity, entry, known, purchase)
  }

  /** A facilitator's word that it sent nothing, held against the chain where one is known. */
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

  /** A payment that is settled already does not simulate. Asked for a new one, an automatic client would pay twice. */
  async #unverified(claim: Claim, reason: string, { payment }: Purchase, { rail, requirements }: Agreed): Promise<Outcome> {
    const now = this.#options.clock.now()
    const found = SPENT.test(reason) ? await rail.lookUp(traceOf(payment.payload, requirements, now, false), now) : undefined
    if (found?.kind === 'unreachable') return { kind: 'unknown' }
    return found?.kind === 'landed' ? { kind: 'used' } : this.#refused(claim, payment.identity, reason, false)
  }

  /** Who is refused signs anew: it is said only once no other copy, however late or wherever it comes, can be settled. */
  async #refused(claim: Claim, identity: string, reason: string, atSettlement: boolean): Promise<Outcome> {
    const kept = await this.#records.kept(identity, () => claim.refuse(reason))
    if (kept === 'full') return { kind: 'unavailable', error: 'payment_busy' }
    return kept === 'kept' ? { kind: 'refused', reason, atSettlement } : { kind: 'unknown' }
  }

  /** The entry could not be written, so nothing is settled. A process that has taken the payment over may be settling it. */
  async #unsettled(claim: Claim, identity: string, entry: PaymentEntry, kept: Kept | undefined): Promise<Outcome> {
    await this.#records.line(identity, entry, 'unreached', { reason: kept === undefined ? 'store_failed' : `store_${kept}` })
    if (kept === 'lost') return { kind: 'unknown' }
    if (kept === 'full') return { kind: 'unavailable', error: 'payment_busy' }
    await this.#records.kept(identity, () => claim.remove())
    return { kind: 'unavailable', error: 'payment_store_unavailable' }
  }

  /** The chain decides; what it does not show yet is sent again, which is safe: one payment lands at most once. */
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
        // The answer need not wait: after a crash, what was written before the settlement leads to the chain, and back to this answer.
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
