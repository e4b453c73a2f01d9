// The types of subscriptions, deliveries and abandoned alerts.

export const ALERT_KINDS = ['graduation_odds', 'rug_flags'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

export const TARGET_KINDS = ['discord', 'telegram', 'generic'] as const
export type AlertTarget =
  | { readonly kind: 'discord' | 'generic'; readonly url: string }
  | { readonly kind: 'telegram'; readonly chatId: string; readonly botToken: string }

/** Position of each feed at the start of a subscription, as its source's JSON. Null: it could not be read. */
export type StartPositions = Readonly<Partial<Record<AlertKind, unknown>>>

/** A subscription as bought, immutable. `secret` and `target` are never shown. */
export interface Subscription {
  readonly id: string
  /** HMAC key of deliveries. */
  readonly secret: string
  readonly kinds: readonly AlertKind[]
  /** Minimum odds for an alert, millionths. */
  readonly minPpm: number
  readonly target: AlertTarget
  /** Addresses of a generic target's host at the sale, for the limit per address. Absent: sold by a version without that limit. */
  readonly addresses?: readonly string[]
  /** Stream time, unix seconds. Time in which the odds are not shown extends the term. */
  readonly startedAt: number
  readonly expiresAt: number
  readonly begins: StartPositions
}

/** An alert waiting for delivery to one subscription. */
export interface Delivery {
  /** Derived from subscription, mint and kind (and finding, for flags): stable across retries and restarts. */
  readonly id: string
  readonly subscription: string
  readonly kind: AlertKind
  /** Stream time of the causing event, unix seconds. */
  readonly t: number
  /** Base58. */
  readonly mint: string
  /** Cleaned; null if the launch of the mint is not stored. */
  readonly name: string | null
  readonly symbol: string | null
  /** Probability of true graduation, 0 to 1; null for other kinds. */
  readonly odds: number | null
  /** Mechanism and id of a finding; null for other kinds. */
  readonly flag: string | null
  readonly findingId: string | null
  readonly tries: number
  /** Wall ms: since when it fails, or waits for a target that fails (null before the first attempt); earliest time of the next attempt. */
  readonly firstTriedAt: number | null
  readonly nextAt: number
  /** Why the newest attempt failed. */
  readonly failure: string | null
}

/** An abandoned alert. */
export interface DeadAlert extends Pick<Delivery, 'id' | 'subscription' | 'kind' | 't' | 'mint' | 'tries'> {
  readonly reason: string
  /** Wall ms. */
  readonly givenUpAt: number
}

/** A target that failed at its newest request: no request before `until`, then one at a time until one succeeds. */
export interface Pause {
  /** Wall ms. */
  readonly until: number
  /** Wall ms of the first failure in a row, their number, and the reason of the newest. */
  readonly since: number
  readonly failures: number
  readonly reason: string
}

/** Counts of one subscription since its start. */
export interface AlertCounts {
  readonly delivered: number
  readonly givenUp: number
}
export const NO_COUNTS: AlertCounts = { delivered: 0, givenUp: 0 }
