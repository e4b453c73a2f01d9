// Snapshots for backups: the rows of a store as of one moment, while the store continues to change.

/** One database of a store, as bytes that the store's restore reads. */
export interface SnapshotTable {
  readonly name: string
  /** Number of rows when the snapshot was made. */
  readonly count: number
  rows(): Iterable<readonly [key: Uint8Array, value: Uint8Array]>
}

/** All rows of one store as of the snapshot. Keeps the disk space of older rows until `release`. */
export interface StoreSnapshot {
  /** Its folder in the data directory. */
  readonly store: string
  readonly tables: readonly SnapshotTable[]
  release(): void
}
