// The address and login of a ClickHouse.

export interface HistoryTarget {
  /** http(s)://host:port */
  readonly url: string
  readonly username: string
  readonly password: string
  readonly database: string
  /** The current user and password, read again when the server rejects these; null if there are none. */
  readonly renewed?: () => Pick<HistoryTarget, 'username' | 'password'> | null
}
