// Puts the gate together. `sandbox` differs from `facilitator` in nothing but its name and the address it is given.

import { assert } from '../../schemas/errors.ts'
import type { Clock } from '../../topology/ports/chain-view.ts'
import type { PaymentBook } from './books/payment-book.ts'
import type { SettlementLog } from './books/settlement-log.ts'
import { Checkout } from './checkout.ts'
import type { FacilitatorOptions } from './facilitator.ts'
import type { PaymentGate } from './gate.ts'
import { paymentLimits } from './limits.ts'
import { PaidGate, type PaidGateOptions } from './paid-gate.ts'
import type { Rail } from './rail.ts'
import { svmRail } from './svm/svm-rail.ts'
import { usdcOf } from './terms.ts'

export interface GateOptions extends Pick<PaidGateOptions, 'admit' | 'signer'> {
  readonly mode: 'sandbox' | 'facilitator'
  readonly facilitatorUrl: string
  /** Owner address (base58) that must already have a token account for the asset. */
  readonly payTo: string
  /** CAIP-2, of Solana. */
  readonly network: `${string}:${string}`
  /** Mint of the currency; USDC of the network by default. */
  readonly asset?: string
  readonly priceFactor: number
  /** Payments of the last 24 h. Written before each settlement and after it. */
  readonly book: PaymentBook
  /** Every settlement with its outcome, for longer than that. */
  readonly log: SettlementLog
  /** Wall clock. */
  readonly clock: Clock
  /** JSON-RPC of the network, where uncertain settlements are looked up. */
  readonly rpcUrl?: string
  /** Makes the way of the second network, for what may be paid there too. */
  readonly second?: (shared: Pick<FacilitatorOptions, 'timeoutMs' | 'clock' | 'notice'>) => Rail
  readonly facilitatorTimeoutMs?: number
  /** Told of trouble: a code and its facts, never a secret. */
  readonly notice?: (code: string, facts: Record<string, string | number>) => void
}

/** Works while the facilitator is down: requests get 503 until it answers. */
export const createGate = (options: GateOptions): PaymentGate => {
  const { clock, network, payTo, priceFactor, rpcUrl, mode, book, log, admit, signer } = options
  const asset = options.asset ?? usdcOf(network)
  assert(asset !== undefined, `no USDC known on ${network}: an asset is needed`)
  const notice = options.notice ?? (() => undefined)
  const timeoutMs = options.facilitatorTimeoutMs ?? paymentLimits.facilitatorTimeoutMs
  const seller = { payTo, network, asset, priceFactor }
  const shared = { timeoutMs, clock, notice }
  const second = options.second?.(shared)
  const first = svmRail({ url: options.facilitatorUrl, seller, rpcUrl, ...shared })
  const rails: [Rail, ...Rail[]] = second === undefined ? [first] : [first, second]
  const checkout = new Checkout({ rails: new Map(rails.map((rail) => [rail.network, rail])), book, log, clock, notice })
  return new PaidGate({ mode, rails, checkout, ...(admit && { admit }), ...(signer && { signer }) })
}
