// The address and login of a ClickHouse.

export interface HistoryTarget {
  /** http(s)://host:port */
  readonly url: string
  readonly username: string
  readonly password: string
  readonly database: string
  /** A reader of the embedded engine: it may only read, within limits that the engine holds, so a query sets no rights. */
  readonly isReader?: true
  /** Name of the ClickHouse cluster that stores the history; absent: one server. */
  readonly cluster?: string
  /** Origins of further servers of the cluster, used when one gives no valid response. */
  readonly others?: readonly string[]
  /** The current user and password, read again when the server rejects these; null if there are none. */
  readonly renewed?: () => Pick<HistoryTarget, 'username' | 'password'> | null
}
