// What the API tells of its work while it goes on, for metrics. Listeners are quick and never throw.

interface RequestSeen {
  /** Path template of a route, or a fixed word: never the path as sent. */
  readonly route: string
  readonly method: string
  readonly status: number
  /** Until the last byte was handed over, or the caller was gone. */
  readonly ms: number
}

/** What a caller had too much of. */
export const LIMITED_BY = ['caller', 'payer', 'in_flight', 'in_flight_caller', 'streams'] as const
type LimitedBy = (typeof LIMITED_BY)[number]

/** How a sale ended: `asked` and `given` took no money, `replayed` took none again, `uncertain` may have. */
export const SALE_WORDS = ['settled', 'replayed', 'given', 'asked', 'failed', 'uncertain', 'conflict', 'unreadable', 'unavailable'] as const
export type SaleWord = (typeof SALE_WORDS)[number]

export interface ApiObserver {
  request(seen: RequestSeen): void
  limited(by: LimitedBy): void
  /** `ms`: from the request being valid to its outcome, the facilitator's time included. */
  sale(outcome: SaleWord, ms: number): void
  /** How many streams are open now. */
  streams(open: number): void
}
