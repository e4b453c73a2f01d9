// Creates the payment gate. `sandbox` differs from `facilitator` only in its name and its facilitator URL.

import { assert } from '../../schemas/errors.ts'
import type { Clock } from '../../topology/ports/chain-view.ts'
import { Checkout } from './checkout.ts'
import type { FacilitatorOptions } from './facilitator.ts'
import type { PaymentGate } from './gate.ts'
import { paymentLimits } from './limits.ts'
import { PaidGate, type PaidGateOptions } from './paid-gate.ts'
import type { Rail } from './rail.ts'
import type { IdempotencyStore } from './stores/idempotency-store.ts'
import type { SettlementLog } from './stores/settlement-log.ts'
import { svmRail } from './svm/svm-rail.ts'
import { usdcOf } from './terms.ts'

export interface GateOptions extends Pick<PaidGateOptions, 'admit' | 'admitUnverifiable' | 'signer'> {
  readonly mode: 'sandbox' | 'facilitator'
  readonly facilitatorUrl: string
  /** Owner address (base58) that must already have a token account for the asset. */
  readonly payTo: string
  /** CAIP-2 id of the Solana network. */
  readonly network: `${string}:${string}`
  /** Mint of the currency; USDC of the network by default. */
  readonly asset?: string
  readonly priceFactor: number
  /** Payments of the last 24 h. Written before and after each settlement. */
  readonly book: IdempotencyStore
  /** Every settlement with its outcome, kept longer than the book. */
  readonly log: SettlementLog
  /** Wall clock. */
  readonly clock: Clock
  /** JSON-RPC URL for looking up uncertain settlements. */
  readonly rpcUrl?: string
  /** Creates the rail of the second network, for offers that accept it. */
  readonly second?: (shared: Pick<FacilitatorOptions, 'timeoutMs' | 'clock' | 'notice'>) => Rail
  readonly facilitatorTimeoutMs?: number
  /** Receives problems as a code with facts, without secrets. */
  readonly notice?: (code: string, facts: Record<string, string | number>) => void
}

/** Works without the facilitator: paid requests get 503 until it responds. */
export const createGate = (options: GateOptions): PaymentGate => {
  const { clock, network, payTo, priceFactor, rpcUrl, mode, book, log, admit, admitUnverifiable, signer } = options
  const asset = options.asset ?? usdcOf(network)
  assert(asset !== undefined, `no USDC is known on ${network}: set an asset`)
  const notice = options.notice ?? (() => undefined)
  const timeoutMs = options.facilitatorTimeoutMs ?? paymentLimits.facilitatorTimeoutMs
  const seller = { payTo, network, asset, priceFactor }
  const shared = { timeoutMs, clock, notice }
  const second = options.second?.(shared)
  const first = svmRail({ url: options.facilitatorUrl, seller, rpcUrl, ...shared })
  const rails: [Rail, ...Rail[]] = second === undefined ? [first] : [first, second]
  const checkout = new Checkout({ rails: new Map(rails.map((rail) => [rail.network, rail])), book, log, clock, notice })
  const limits = { ...(admit && { admit }), ...(admitUnverifiable && { admitUnverifiable }) }
  return new PaidGate({ mode, rails, checkout, ...limits, ...(signer && { signer }) })
}
