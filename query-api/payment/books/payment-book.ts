// The book of payments: what was bought with each, for 24 hours, and who is at work on it. Adapters: TableBook for one process, RedisBook
// for several that sell together.
import type { PaymentPayload, PaymentRequirements, SettleResponse } from '@x402/core/types'

/** An answer as bytes, exactly as it was sold. */
export interface StoredAnswer {
  readonly status: number
  readonly type: string
  readonly bodyBase64: string
}

/**
 * One payment. `running` without a claim means that a process died between asking for the settlement and knowing its outcome: as uncertain
 * as `uncertain`. `done` with a null answer is used up.
 */
export interface PaymentEntry {
  readonly state: 'running' | 'uncertain' | 'done'
  /** Wall ms of the first settlement attempt, and of the outcome (`at` until there is one). */
  readonly at: number
  readonly doneAt: number
  /** sha256 (hex) of what was asked for, and of what the caller must show to have it again. */
  readonly request: string
  readonly scope: string
  /** `scope` where the payer sent a payment-identifier: another payment with it is a copy of this one. */
  readonly identifier: string | null
  /** Path template of the question. */
  readonly path: string
  readonly payer: string
  /** As the facilitator had it. */
  readonly payload: PaymentPayload
  readonly requirements: PaymentRequirements
  readonly answer: StoredAnswer | null
  readonly receipt: SettleResponse | null
}

/** `lost`: another process has taken the payment over, and nothing was written. `full`: a new payment has no room, and nothing was written. */
export type Kept = 'kept' | 'lost' | 'full'

/** The sole right to work on a payment. Lost when this process seems dead; what is written afterwards is refused as `lost`. */
export interface Claim {
  /** As of the claim; undefined for a payment that nobody has settled or tried to. */
  readonly entry: PaymentEntry | undefined
  /** Resolves when the entry would survive a power cut, as far as the store's own promise goes. */
  put(entry: PaymentEntry): Promise<Kept>
  /** The payment was not charged and is as if it had never come. */
  remove(): Promise<Kept>
  /** As `remove`, and no copy of it is claimed any more for as long as one could land. `full`: the entry is gone, but copies may come. */
  refuse(reason: string): Promise<Kept>
  /** Never rejects: a claim that cannot be given back ends by itself. */
  release(): Promise<void>
}

export type Claimed =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  /** Another process is at work on it. */
  | { readonly kind: 'busy' }
  /** Refused before, and its payer was told. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The payment-identifier stands for another payment, this one. */
  | { readonly kind: 'bound'; readonly identity: string }

/** Keyed by payment identity. */
export interface PaymentBook {
  /** @param identifier sha256 (hex) of the payment-identifier. @throws EngineError `table_io`, `redis_away` when the store cannot be asked. */
  claim(identity: string, identifier: string | null): Promise<Claimed>
  /** Whether the payment, or one of the same identifier, is in the book. @throws as `claim`. */
  has(identity: string, identifier: string | null): Promise<boolean>
  /** Lets go of what the adapter itself opened. */
  close(): Promise<void>
}
