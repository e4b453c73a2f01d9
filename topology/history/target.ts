// Where a ClickHouse is, and as whom it is spoken to.

export interface HistoryTarget {
  /** http(s)://host:port */
  readonly url: string
  readonly username: string
  readonly password: string
  readonly database: string
}
