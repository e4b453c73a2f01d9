// One payment, one sale: identity, verification, the answer, the settlement and every way to ask again. Knows no transport.
import { createHash } from 'node:crypto'
import type { PaymentRequirements, SettleResponse } from '@x402/core/types'
import { assert, messageOf } from '../../schemas/errors.ts'
import type { Clock } from '../../topology/ports/mint-view.ts'
import type { Answer } from '../bodies.ts'
import { lookUp } from './chain-lookup.ts'
import { type Facilitator, receiptOf, type Settlement } from './facilitator.ts'
import type { Payment } from './header.ts'
import { paymentLimits } from './limits.ts'
import type { PaymentBook, PaymentEntry, StoredAnswer } from './payment-book.ts'
import { readTransaction } from './signed-transaction.ts'

/** What a caller wants for a payment. */
export interface Purchase {
  readonly payment: Payment
  /** Our terms, which the payment was signed for; needed only for one that the checkout does not know yet. */
  readonly requirements: PaymentRequirements | undefined
  /** Transport, path and arguments: the same payment buys the same thing only. */
  readonly request: string
  readonly callerAddress: string
  /** Makes the answer. Called at most once per payment, after verification. */
  readonly produce: () => Promise<Produced>
}

/** An answer that money is taken for, or one that is given away. */
export type Produced = { readonly kind: 'sold'; readonly answer: StoredAnswer } | { readonly kind: 'given'; readonly answer: Answer }

/** How it ended. Money moved for `paid` only; it may have for `unknown`; for all others it did not. */
export type Outcome =
  | {
      readonly kind: 'paid'
      readonly answer: StoredAnswer
      readonly receipt: SettleResponse
      /** True for all copies but the one that was settled. */
      readonly isReplayed: boolean
      /** Wall ms at which the answer was made. */
      readonly madeAtMs: number
    }
  | { readonly kind: 'given'; readonly answer: Answer }
  | { readonly kind: 'refused'; readonly reason: string; readonly atSettlement: boolean }
  | { readonly kind: 'used' }
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'unavailable'
      readonly error: 'payment_unavailable' | 'payment_store_unavailable' | 'payment_busy' | 'answer_too_large'
    }

export interface CheckoutOptions {
  readonly facilitator: Facilitator
  readonly book: PaymentBook
  readonly clock: Clock
  /** Where uncertain settlements are looked up; without it only the facilitator is asked again. */
  readonly rpcUrl: string | undefined
  readonly notice: (code: string, facts: Record<string, string | number>) => void
}

interface InFlight {
  readonly request: string
  readonly scope: string
  readonly outcome: Promise<Outcome>
}

const asCopy = (outcome: Outcome): Outcome => (outcome.kind === 'paid' ? { ...outcome, isReplayed: true } : outcome)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
/**
 * What entitles to the stored answer: everything in a settled payment is public on the chain, so it takes the payment-identifier or the
 * nonce of our 402, else the address the first copy came from.
 */
const scopeOf = ({ payment, callerAddress }: Purchase): string => sha256(payment.proof ?? `address:${callerAddress}`)

export class Checkout {
  readonly #options: CheckoutOptions
  readonly #inFlight = new Map<string, InFlight>()
  #closed = false

  constructor(options: CheckoutOptions) {
    this.#options = options
  }

  /**
   * True for a payment under way or in the book. Such a one is answered by what is known of it: today's price, or a facilitator that is
   * down, must not turn a retry into a second sale.
   */
  knows(identity: string): boolean {
    return this.#inFlight.has(identity) || this.#options.book.has(identity)
  }

  /** Copies of a payment that arrive while it is under way share its outcome. Rejects only when `produce` does. */
  submit(purchase: Purchase): Promise<Outcome> {
    const { identity } = purchase.payment.transaction
    const request = sha256(purchase.request)
    const scope = scopeOf(purchase)
    const running = this.#inFlight.get(identity)
    if (running !== undefined) {
      if (running.request !== request) return Promise.resolve({ kind: 'used' })
      return running.scope === scope ? running.outcome.then(asCopy) : Promise.resolve({ kind: 'unknown' })
    }
    if (this.#closed || this.#inFlight.size >= paymentLimits.inFlightMax)
      return Promise.resolve({ kind: 'unavailable', error: 'payment_busy' })
    const outcome = this.#run(purchase, request, scope).finally(() => this.#inFlight.delete(identity))
    this.#inFlight.set(identity, { request, scope, outcome })
    return outcome
  }

  /** Takes no more payments and waits for those under way, at most `withinMs`. */
  async close(withinMs: number): Promise<void> {
    this.#closed = true
    const all = Promise.allSettled([...this.#inFlight.values()].map(({ outcome }) => outcome))
    let timer: NodeJS.Timeout | undefined
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, withinMs)
    })
    await Promise.race([all, limit])
    clearTimeout(timer)
  }

  async #run(purchase: Purchase, request: string, scope: string): Promise<Outcome> {
    const { book } = this.#options
    const entry = book.find(purchase.payment.transaction.identity)
    if (entry === undefined) return this.#first(purchase, request, scope)
    if (entry.request !== request) return { kind: 'used' }
    if (entry.state !== 'done') return entry.scope === scope ? this.#resolve(purchase, entry) : { kind: 'unknown' }
    const isEntitled = entry.scope === scope && book.isReplayable(entry)
    if (!isEntitled || entry.answer === null || entry.receipt === null) return { kind: 'used' }
    return { kind: 'paid', answer: entry.answer, receipt: entry.receipt, isReplayed: true, madeAtMs: entry.at }
  }

  async #first(purchase: Purchase, request: string, scope: string): Promise<Outcome> {
    const { facilitator, book, clock } = this.#options
    const { payment, requirements } = purchase
    assert(requirements !== undefined, 'an unknown payment comes with the terms it was signed for')
    if (!book.hasRoom(0)) return { kind: 'unavailable', error: 'payment_busy' }
    const verdict = await facilitator.verify(payment.payload, requirements)
    if (verdict.kind === 'unreachable') return { kind: 'unavailable', error: 'payment_unavailable' }
    if (verdict.kind === 'refused') return { kind: 'refused', reason: verdict.reason, atSettlement: false }
    const produced = await purchase.produce()
    if (produced.kind === 'given') return produced
    const { answer } = produced
    const bytes = answer.bodyBase64.length
    if (bytes > (paymentLimits.answerBytesMax * 4) / 3) return { kind: 'unavailable', error: 'answer_too_large' }
    if (!book.hasRoom(bytes)) return { kind: 'unavailable', error: 'payment_busy' }
    const at = clock.now()
    const { wireBase64, identity } = payment.transaction
    const entry: PaymentEntry = { state: 'running', at, doneAt: at, request, scope, wireBase64, requirements, answer, receipt: null }
    if (!(await this.#saved(identity, () => book.put(identity, entry)))) {
      await this.#saved(identity, () => book.remove(identity))
      return { kind: 'unavailable', error: 'payment_store_unavailable' }
    }
    const settlement = await facilitator.settle({ payload: payment.payload, requirements, transaction: payment.transaction, attempt: 0 })
    return this.#conclude(identity, entry, settlement)
  }

  /** The chain decides; what it does not show yet is sent again, which is safe: one message lands at most once. */
  async #resolve({ payment }: Purchase, entry: PaymentEntry): Promise<Outcome> {
    const { rpcUrl, facilitator, clock } = this.#options
    const { identity } = payment.transaction
    const transaction = readTransaction(entry.wireBase64) ?? payment.transaction
    const found = rpcUrl === undefined ? undefined : await lookUp(rpcUrl, transaction, entry.at, clock.now())
    if (found?.kind === 'unreachable') this.#options.notice('lookup_unreachable', { reason: found.reason })
    if (found?.kind === 'landed') {
      const receipt = receiptOf(found.signature, entry.requirements.network, transaction.payer)
      return this.#conclude(identity, entry, { kind: 'charged', receipt })
    }
    if (found?.kind === 'failed') return this.#conclude(identity, entry, { kind: 'refused', reason: 'transaction_failed_on_chain' })
    if (found?.kind === 'never') return this.#conclude(identity, entry, { kind: 'refused', reason: 'transaction_never_landed' })
    const payload = { ...payment.payload, payload: { transaction: entry.wireBase64 } }
    const settlement = await facilitator.settle({ payload, requirements: entry.requirements, transaction, attempt: 1 })
    return this.#conclude(identity, entry, settlement)
  }

  async #conclude(identity: string, entry: PaymentEntry, settlement: Settlement): Promise<Outcome> {
    const { book, clock, notice } = this.#options
    await this.#saved(identity, () => book.sweep())
    switch (settlement.kind) {
      case 'charged': {
        const { answer } = entry
        await this.#saved(identity, () => book.put(identity, { ...entry, state: 'done', doneAt: clock.now(), receipt: settlement.receipt }))
        if (answer === null) return { kind: 'used' }
        return { kind: 'paid', answer, receipt: settlement.receipt, isReplayed: entry.state !== 'running', madeAtMs: entry.at }
      }
      case 'refused':
        await this.#saved(identity, () => book.remove(identity))
        return { kind: 'refused', reason: settlement.reason, atSettlement: true }
      case 'unreachable':
        await this.#saved(identity, () => book.remove(identity))
        return { kind: 'unavailable', error: 'payment_unavailable' }
      case 'uncertain':
        notice('settlement_uncertain', { identity, reason: settlement.reason })
        await this.#saved(identity, () => book.put(identity, { ...entry, state: 'uncertain' }))
        return { kind: 'unknown' }
    }
  }

  /** A table that fails after the settlement changes nothing for the caller: the entry written before it leads to the chain. */
  async #saved(identity: string, write: () => Promise<void>): Promise<boolean> {
    try {
      await write()
      return true
    } catch (error) {
      this.#options.notice('payment_store_failed', { identity, reason: messageOf(error) })
      return false
    }
  }
}
