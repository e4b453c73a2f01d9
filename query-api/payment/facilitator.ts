// The facilitator, with its answers sorted by what they prove about the caller's money.
import { HTTPFacilitatorClient } from '@x402/core/http'
import { type PaymentPayload, type PaymentRequirements, SettleError, type SettleResponse, VerifyError } from '@x402/core/types'
import { messageOf } from '../../schemas/errors.ts'
import type { Clock } from '../../topology/ports/mint-view.ts'
import { paymentLimits } from './limits.ts'
import { isSignatureOf, type SignedTransaction } from './signed-transaction.ts'

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

/** Who pays the network fees: the one that 402s name, and all that the facilitator signs for. */
export interface FeePayers {
  readonly offered: string
  readonly known: ReadonlySet<string>
}

/** A charge to settle; `attempt` 0 is the very first: only then a refusal proves that nothing was sent before. */
export interface Charge {
  readonly payload: PaymentPayload
  readonly requirements: PaymentRequirements
  readonly transaction: SignedTransaction
  readonly attempt: number
}

/**
 * Reasons of the reference facilitator that it gives before it sends anything. `invalid_exact_svm_transaction_failed` is not among them:
 * it means "the send failed", and a send that failed may have landed.
 */
const NEVER_SENT = new RegExp(
  '^(invalid_exact_svm_(?!transaction_failed$)\\w+|insufficient_funds|invalid_scheme|unsupported_scheme|invalid_network|' +
    'invalid_x402_version|invalid_payload|invalid_payment_requirements)$',
)

const PENDING = 'settlement_pending'

export interface FacilitatorOptions {
  readonly url: string
  readonly network: string
  readonly timeoutMs: number
  readonly clock: Clock
  readonly notice: (code: string, facts: Record<string, string | number>) => void
}

export class Facilitator {
  readonly #options: FacilitatorOptions
  readonly #client: HTTPFacilitatorClient
  readonly #quick: HTTPFacilitatorClient
  #feePayers: { readonly value: FeePayers; readonly at: number } | undefined
  #asking: Promise<void> | undefined
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(options: FacilitatorOptions) {
    this.#options = options
    this.#client = new HTTPFacilitatorClient({ url: options.url, timeoutMs: options.timeoutMs })
    this.#quick = new HTTPFacilitatorClient({ url: options.url, timeoutMs: Math.min(options.timeoutMs, paymentLimits.supportedTimeoutMs) })
  }

  /** Undefined while the facilitator never answered; asked again lazily, so that a start without it works. */
  async feePayers(): Promise<FeePayers | undefined> {
    const now = this.#options.clock.now()
    if (this.#feePayers === undefined) {
      if (this.#asking === undefined && now - this.#askedAt >= paymentLimits.supportedRetryMs) this.#ask(now)
      await this.#asking
    } else if (now - Math.max(this.#feePayers.at, this.#askedAt) >= paymentLimits.supportedFreshMs && this.#asking === undefined) {
      this.#ask(now)
    }
    return this.#feePayers?.value
  }

  #ask(now: number): void {
    this.#askedAt = now
    const { notice, network } = this.#options
    this.#asking = this.#quick
      .getSupported()
      .then(({ kinds, signers }) => {
        const offered = kinds.find((kind) => kind.x402Version === 2 && kind.scheme === 'exact' && kind.network === network)?.extra?.feePayer
        if (typeof offered !== 'string') return notice('facilitator_without_network', { network })
        this.#feePayers = { value: { offered, known: new Set([offered, ...(signers['solana:*'] ?? [])]) }, at: now }
      })
      .catch((error: unknown) => notice('facilitator_unreachable', { operation: 'supported', reason: reasonOf(error) }))
      .finally(() => {
        this.#asking = undefined
      })
  }

  async verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<Verdict> {
    try {
      const { isValid, invalidReason } = await this.#client.verify(payload, requirements)
      return isValid ? { kind: 'valid' } : { kind: 'refused', reason: bounded(invalidReason ?? 'payment_invalid') }
    } catch (error) {
      if (error instanceof VerifyError && error.statusCode < 500 && error.statusCode !== 429) {
        return { kind: 'refused', reason: bounded(error.invalidReason ?? 'payment_invalid') }
      }
      this.#options.notice('facilitator_unreachable', { operation: 'verify', reason: reasonOf(error) })
      return { kind: 'unreachable', reason: reasonOf(error) }
    }
  }

  /** Asks once more when the facilitator has sent the transaction and waits for the chain. */
  async settle(charge: Charge): Promise<Settlement> {
    const first = await this.#settleOnce(charge)
    if (first.kind !== 'uncertain' || first.reason !== PENDING) return first
    return this.#settleOnce({ ...charge, attempt: charge.attempt + 1 })
  }

  async #settleOnce(charge: Charge): Promise<Settlement> {
    let answer: SettleResponse
    try {
      answer = await this.#client.settle(charge.payload, charge.requirements)
    } catch (error) {
      if (!(error instanceof SettleError)) return this.#unanswered(error, charge.attempt)
      answer = {
        success: false,
        errorReason: error.errorReason ?? 'settle_failed',
        transaction: error.transaction ?? '',
        network: error.network,
      }
    }
    return settlementOf(answer, charge)
  }

  #unanswered(error: unknown, attempt: number): Settlement {
    const reason = reasonOf(error)
    this.#options.notice('facilitator_unreachable', { operation: 'settle', reason })
    const neverReached = reason === 'ECONNREFUSED' || reason === 'ENOTFOUND'
    return { kind: neverReached && attempt === 0 ? 'unreachable' : 'uncertain', reason }
  }
}

/** A success counts only with our network and a signature that names this very transaction. */
const settlementOf = (answer: SettleResponse, { requirements, transaction, attempt }: Charge): Settlement => {
  if (answer.success) {
    const isCoherent = answer.network === requirements.network && isSignatureOf(answer.transaction, transaction)
    if (!isCoherent) return { kind: 'uncertain', reason: 'facilitator_incoherent_success' }
    return { kind: 'charged', receipt: receiptOf(answer.transaction, requirements.network, transaction.payer) }
  }
  const reason = bounded(answer.errorReason ?? 'settlement_failed')
  const isNeverSent = attempt === 0 && !answer.transaction && NEVER_SENT.test(reason)
  return { kind: isNeverSent ? 'refused' : 'uncertain', reason }
}

/** The settlement as PAYMENT-RESPONSE tells it. */
export const receiptOf = (transaction: string, network: SettleResponse['network'], payer: string): SettleResponse => ({
  success: true,
  payer,
  transaction,
  network,
})

/** A facilitator's words go into our headers. */
const bounded = (reason: string): string => reason.slice(0, paymentLimits.reasonCharsMax)

/** The system's error code where there is one (ECONNREFUSED), else the error's own name or words. */
const reasonOf = (thrown: unknown): string => {
  const { cause, name } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as {
    readonly cause?: unknown
    readonly name?: unknown
  }
  if (typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string') return cause.code
  return typeof name === 'string' && name !== 'Error' ? name : bounded(messageOf(thrown))
}
