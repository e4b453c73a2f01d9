// What is subscribed to, and what is sent.

export const ALERT_KINDS = ['graduation_odds', 'rug_flags'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

export const TARGET_KINDS = ['discord', 'telegram', 'generic'] as const
export type AlertTarget =
  | { readonly kind: 'discord' | 'generic'; readonly url: string }
  | { readonly kind: 'telegram'; readonly chatId: string; readonly botToken: string }

/** Where a feed was when a subscription began: as its source has it, JSON. Null: it could not be read. */
export type Begins = Readonly<Partial<Record<AlertKind, unknown>>>

/** As it was bought; never changed. `secret` and `target` are never shown. */
export interface Subscription {
  readonly id: string
  /** Key of the HMAC of each delivery. */
  readonly secret: string
  readonly kinds: readonly AlertKind[]
  /** Millionths: odds from here on are alerts. */
  readonly minPpm: number
  readonly target: AlertTarget
  /** Stream time, unix seconds. Time in which the odds are withdrawn is added to the end. */
  readonly startedAt: number
  readonly expiresAt: number
  readonly begins: Begins
}

/** An alert on its way to one subscription. */
export interface Delivery {
  /** The same for the same subscription, mint and kind (of a flag: finding), however often it is made or sent. */
  readonly id: string
  readonly subscription: string
  readonly kind: AlertKind
  /** Stream time of what caused it, unix seconds. */
  readonly t: number
  /** Base58. */
  readonly mint: string
  /** Cleaned; null where no launch of the mint is held. */
  readonly name: string | null
  readonly symbol: string | null
  /** Probability of true graduation, 0 to 1; null for other kinds. */
  readonly odds: number | null
  /** Mechanism and id of a finding; null for other kinds. */
  readonly flag: string | null
  readonly findingId: string | null
  readonly tries: number
  /** Wall ms: of the first try, null before it; before which it is not tried again. */
  readonly firstTriedAt: number | null
  readonly nextAt: number
  /** Why the newest try failed. */
  readonly failure: string | null
}

/** An alert that was given up. */
export interface DeadAlert extends Pick<Delivery, 'id' | 'subscription' | 'kind' | 't' | 'mint' | 'tries'> {
  readonly reason: string
  /** Wall ms. */
  readonly givenUpAt: number
}

/** Of one subscription, since it began. */
export interface AlertCounts {
  readonly delivered: number
  readonly givenUp: number
}
export const NO_COUNTS: AlertCounts = { delivered: 0, givenUp: 0 }
