// Metrics hooks of the API. Listeners are fast and never throw.

interface RequestSeen {
  /** Path template of a route, or a fixed label: never the path as sent. */
  readonly route: string
  readonly method: string
  readonly status: number
  /** Until the last byte was handed over, or the client disconnected. */
  readonly ms: number
}

/** The limit that a caller exceeded. */
export const LIMITED_BY = ['caller', 'payer', 'in_flight', 'in_flight_caller', 'streams'] as const
type LimitedBy = (typeof LIMITED_BY)[number]

/** How a sale ended: `asked` and `given` charged nothing, `replayed` did not charge again, `uncertain` may have charged. */
export const SALE_WORDS = ['settled', 'replayed', 'given', 'asked', 'failed', 'uncertain', 'conflict', 'unreadable', 'unavailable'] as const
export type SaleWord = (typeof SALE_WORDS)[number]

export interface ApiObserver {
  request(seen: RequestSeen): void
  limited(by: LimitedBy): void
  /** `ms`: from the validated request to its outcome, including the facilitator's time. */
  sale(outcome: SaleWord, ms: number): void
  /** Number of open streams. */
  streams(open: number): void
}
