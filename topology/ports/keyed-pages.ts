// Pages of many keys, as bytes: rows that a process keeps for long and reads seldom. In memory, or on disk behind a bounded cache.

/** Pages by key and number. Keys are latin-1, 1 to 1,900 bytes. All bytes are copied: they may be slices of a large buffer. */
export interface KeyedPages {
  /** Number of keys. */
  readonly size: number
  /**
   * All keys, without loading them at once, in no particular order, each once. If pages are changed meanwhile, a key that has pages
   * throughout is visited at least once.
   */
  keys(): Iterable<string>
  /** One past the highest page of a key. */
  count(key: string): number
  put(key: string, page: number, bytes: Uint8Array): void
  /** The existing pages of a key by number, perhaps without a copy: read-only, and valid until anything is changed. */
  numbered(key: string): readonly NumberedPage[]
  /** Removes the pages from this number on. */
  cut(key: string, page: number): void
  /** Removes one page. */
  drop(key: string, page: number): void
  /** Removes all pages of a key. */
  delete(key: string): void
  /** Removes everything. Call nothing afterwards. */
  close(): void
}

export type NumberedPage = readonly [page: number, bytes: Buffer]

/**
 * Opens pages that share the limits of a process. Not durable: every `open` begins empty.
 * Where they are on disk, every method throws EngineError `scratch_full` or `scratch_io` if the disk fails.
 */
export interface PageStore {
  open(): KeyedPages
}
