// Puts the gate together. `sandbox` differs from `facilitator` in nothing but its name and the address it is given.

import { assert } from '../../schemas/errors.ts'
import type { DurableTable } from '../../topology/ports/ledger.ts'
import type { Clock } from '../../topology/ports/mint-view.ts'
import { Checkout } from './checkout.ts'
import { Facilitator } from './facilitator.ts'
import type { PaymentGate } from './gate.ts'
import { paymentLimits } from './limits.ts'
import { PaidGate } from './paid-gate.ts'
import { PaymentBook, type PaymentEntry } from './payment-book.ts'
import { usdcOf } from './terms.ts'

export interface GateOptions {
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
  readonly table: DurableTable<PaymentEntry>
  /** Wall clock. */
  readonly clock: Clock
  /** JSON-RPC of the network, where uncertain settlements are looked up. */
  readonly rpcUrl?: string
  readonly facilitatorTimeoutMs?: number
  /** Told of trouble: a code and its facts, never a secret. */
  readonly notice?: (code: string, facts: Record<string, string | number>) => void
}

/** Works while the facilitator is down: requests get 503 until it answers. */
export const createGate = async (options: GateOptions): Promise<PaymentGate> => {
  const { clock, network, payTo, priceFactor, rpcUrl, mode, table } = options
  const asset = options.asset ?? usdcOf(network)
  assert(asset !== undefined, `no USDC known on ${network}: an asset is needed`)
  const notice = options.notice ?? (() => undefined)
  const timeoutMs = options.facilitatorTimeoutMs ?? paymentLimits.facilitatorTimeoutMs
  const facilitator = new Facilitator({ url: options.facilitatorUrl, network, timeoutMs, clock, notice })
  const book = new PaymentBook(table, clock)
  await book.sweep()
  const checkout = new Checkout({ facilitator, book, clock, rpcUrl, notice })
  void facilitator.feePayers()
  return new PaidGate({ mode, seller: { payTo, network, asset, priceFactor }, facilitator, checkout })
}
