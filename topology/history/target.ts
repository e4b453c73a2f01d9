// Where a ClickHouse is, and as whom it is spoken to.

export interface HistoryTarget {
  /** http(s)://host:port */
  readonly url: string
  readonly username: string
  readonly password: string
  readonly database: string
  /** The user and password that are written down now, asked when the server no longer knows these; null where there are none. */
  readonly renewed?: () => Pick<HistoryTarget, 'username' | 'password'> | null
}
