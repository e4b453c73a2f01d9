// The idempotency store: what each payment of the last 24 hours bought, and which process works on it. Adapters:
// TableIdempotencyStore for one process, RedisIdempotencyStore for several.
import type { PaymentPayload, PaymentRequirements, SettleResponse } from '@x402/core/types'

/** A payment-identifier belongs to its payer: payers may choose the same one, and none can take that of another. */
export interface PayerIdentifier {
  /** sha256 (hex) of the payment-identifier. */
  readonly id: string
  readonly payer: string
}

/** A sold answer, byte for byte. */
export interface StoredAnswer {
  readonly status: number
  readonly type: string
  readonly bodyBase64: string
}

/**
 * One payment. `running` without a claim: the process died, or the store failed, before the outcome was written, so the payment is as
 * uncertain as `uncertain`. `done` with a null answer: used, and its answer has expired.
 */
export interface PaymentEntry {
  readonly state: 'running' | 'uncertain' | 'done'
  /** Wall ms of the first settlement attempt, and of the outcome (`at` until there is one). */
  readonly at: number
  readonly doneAt: number
  /** sha256 (hex) of the request. */
  readonly request: string
  /** sha256 (hex) of what a caller has to present to get the stored answer again. */
  readonly scope: string
  /**
   * sha256 (hex) of the payment-identifier that the payer sent; `scope` has the same value then. Null if none was sent. Another payment of
   * the same payer with the same identifier is treated as a copy of this one.
   */
  readonly identifier: string | null
  /** Path template of the question. */
  readonly path: string
  readonly payer: string
  /** As sent to the facilitator. */
  readonly payload: PaymentPayload
  readonly requirements: PaymentRequirements
  readonly answer: StoredAnswer | null
  readonly receipt: SettleResponse | null
}

/**
 * `lost`: the claim has expired, and another process may have taken over the payment; nothing was written. `full`: the store is full; `put`
 * wrote nothing, for `refuse` see there.
 */
export type Kept = 'kept' | 'lost' | 'full'

/** The exclusive claim on a payment. Lost if its lease expires; later writes are refused as `lost`. */
export interface Claim {
  /** The entry when it was claimed; undefined if no settlement was attempted, or the attempt charged nothing. */
  readonly entry: PaymentEntry | undefined
  /** Resolves when the entry is durable, within the store's guarantees. */
  put(entry: PaymentEntry): Promise<Kept>
  /** Removes a payment that was not charged. */
  remove(): Promise<Kept>
  /**
   * As `remove`; also blocks copies of the payment for as long as one could land. `full`: the entry is removed, but copies are not blocked.
   */
  refuse(reason: string): Promise<Kept>
  /** Never rejects: a claim that cannot be released expires. */
  release(): Promise<void>
}

export type Claimed =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  /** The payment is already claimed, by this process or another one. */
  | { readonly kind: 'busy' }
  /** The payment was refused earlier. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The payer's identifier belongs to this other payment of his. */
  | { readonly kind: 'bound'; readonly identity: string }

/** Keyed by payment identity. */
export interface IdempotencyStore {
  /** @throws EngineError `table_io`, `redis_away` if the store fails. */
  claim(identity: string, identifier: PayerIdentifier | null): Promise<Claimed>
  /** Whether the store has the payment, or one of the payer with the same identifier. @throws like `claim`. */
  has(identity: string, identifier: PayerIdentifier | null): Promise<boolean>
  /** Closes what the adapter itself opened. */
  close(): Promise<void>
}
