// The facilitator client, which classifies answers by what they prove about the caller's money.
import { HTTPFacilitatorClient } from '@x402/core/http'
import type { PaymentPayload, PaymentRequirements, SettleResponse } from '@x402/core/types'
import { messageOf } from '../../schemas/errors.ts'
import type { Clock } from '../../topology/ports/chain-view.ts'
import { FacilitatorCalls, type Settled } from './facilitator-calls.ts'
import { paymentLimits } from './limits.ts'
import type { Charge, Settlement, Verdict } from './rail.ts'

/** What the facilitator supports on our network. */
export interface Supported {
  readonly extra: Readonly<Record<string, unknown>>
  /** Addresses that it signs with, by network family (`solana:*`). */
  readonly signers: Readonly<Record<string, readonly string[]>>
}

const PENDING = 'settlement_pending'

export interface FacilitatorOptions {
  readonly url: string
  readonly network: string
  readonly timeoutMs: number
  readonly clock: Clock
  readonly notice: (code: string, facts: Record<string, string | number>) => void
  /** Reasons that the facilitator gives only before it sends a transaction. */
  readonly neverSent: RegExp
  /** The receipt of a successful settlement; undefined if the transaction is not this payment's. */
  readonly receiptOf: (transaction: string, charge: Charge) => SettleResponse | undefined
}

export class Facilitator {
  readonly #options: FacilitatorOptions
  readonly #client: HTTPFacilitatorClient
  readonly #calls: FacilitatorCalls
  #supported: { readonly value: Supported; readonly at: number } | undefined
  #asking: Promise<void> | undefined
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(options: FacilitatorOptions) {
    this.#options = options
    const { url, timeoutMs } = options
    this.#calls = new FacilitatorCalls(url, timeoutMs)
    this.#client = new HTTPFacilitatorClient({ url, timeoutMs: Math.min(timeoutMs, paymentLimits.supportedTimeoutMs) })
  }

  /** Undefined until the facilitator has once listed our network; fetched lazily, so startup works without the facilitator. */
  async supported(): Promise<Supported | undefined> {
    const now = this.#options.clock.now()
    if (this.#supported === undefined) {
      if (this.#asking === undefined && now - this.#askedAt >= paymentLimits.supportedRetryMs) this.#ask(now)
      await this.#asking
    } else if (now - Math.max(this.#supported.at, this.#askedAt) >= paymentLimits.supportedFreshMs && this.#asking === undefined) {
      this.#ask(now)
    }
    return this.#supported?.value
  }

  #ask(now: number): void {
    this.#askedAt = now
    const { notice, network } = this.#options
    this.#asking = this.#client
      .getSupported()
      .then(({ kinds, signers }) => {
        const kind = kinds.find((one) => one.x402Version === 2 && one.scheme === 'exact' && one.network === network)
        if (kind === undefined) return notice('facilitator_without_network', { network })
        this.#supported = { value: { extra: kind.extra ?? {}, signers }, at: now }
      })
      .catch((error: unknown) => this.#isAway('supported', reasonOf(error)))
      .finally(() => {
        this.#asking = undefined
      })
  }

  /** Reports the origin only: the path of a URL may have a key. */
  #isAway(operation: 'supported' | 'verify' | 'settle', reason: string): void {
    const { url, notice } = this.#options
    notice('facilitator_unreachable', { operation, url: new URL(url).origin, reason: WORDS[reason] ?? reason })
  }

  async verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<Verdict> {
    try {
      const { isValid, reason } = await this.#calls.verify(payload, requirements)
      return isValid ? { kind: 'valid' } : { kind: 'refused', reason: bounded(reason ?? 'payment_invalid') }
    } catch (error) {
      const reason = reasonOf(error)
      this.#isAway('verify', reason)
      return { kind: 'unreachable', reason }
    }
  }

  /** Calls once more if the facilitator reports that it has sent the transaction and still waits for the chain. */
  async settle(charge: Charge): Promise<Settlement> {
    const first = await this.#settleOnce(charge)
    if (first.kind !== 'uncertain' || first.reason !== PENDING) return first
    return this.#settleOnce({ ...charge, attempt: charge.attempt + 1 })
  }

  async #settleOnce(charge: Charge): Promise<Settlement> {
    try {
      return this.#settlementOf(await this.#calls.settle(charge.payload, charge.requirements), charge)
    } catch (error) {
      return this.#unanswered(error, charge.attempt)
    }
  }

  /** Accepts a success only with our network and this payment's transaction. */
  #settlementOf({ isSuccess, reason, transaction, network }: Settled, charge: Charge): Settlement {
    if (isSuccess) {
      const receipt = network === charge.requirements.network ? this.#options.receiptOf(transaction, charge) : undefined
      return receipt === undefined ? { kind: 'uncertain', reason: 'facilitator_incoherent_success' } : { kind: 'charged', receipt }
    }
    const stated = bounded(reason ?? 'settlement_failed')
    const isNeverSent = charge.attempt === 0 && transaction === '' && this.#options.neverSent.test(stated)
    return { kind: isNeverSent ? 'refused' : 'uncertain', reason: stated }
  }

  #unanswered(error: unknown, attempt: number): Settlement {
    const reason = reasonOf(error)
    this.#isAway('settle', reason)
    const neverReached = reason === 'ECONNREFUSED' || reason === 'ENOTFOUND'
    return { kind: neverReached && attempt === 0 ? 'unreachable' : 'uncertain', reason }
  }
}

/** The settlement in the form of PAYMENT-RESPONSE. */
export const receiptOf = (transaction: string, network: SettleResponse['network'], payer: string): SettleResponse => ({
  success: true,
  payer,
  transaction,
  network,
})

/** Truncated: a facilitator's reasons are sent in our headers. */
const bounded = (reason: string): string => reason.slice(0, paymentLimits.reasonCharsMax)

/** What is known of a facilitator by the code or name of an error. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at this address',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  ECONNRESET: 'it closed the connection without an answer',
  UND_ERR_SOCKET: 'it closed the connection without an answer',
  ETIMEDOUT: 'the host does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer',
  TimeoutError: 'no answer in time',
  AbortError: 'no answer in time',
  FacilitatorTimeoutError: 'no answer in time',
  NoAnswer: 'its answer is not one of x402',
}

/** The system's error code (ECONNREFUSED) if there is one, else the error's name, or its message where the name says nothing. */
const reasonOf = (thrown: unknown): string => {
  const { cause, code, name } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Readonly<Record<string, unknown>>
  if (typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string') return cause.code
  if (typeof code === 'string') return code
  return typeof name === 'string' && !/^(Type)?Error$/.test(name) ? name : bounded(messageOf(cause ?? thrown))
}
