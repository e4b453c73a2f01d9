// Storage port for payments: durable per entry, because a settlement waits for no group commit.

/** A small durable map. Adapters: stores/memory-table, stores/lmdb-table. Values are JSON-serializable. */
export interface DurableTable<Value> {
  get(key: string): Value | undefined
  /** Resolves when the entry survives a power failure. */
  put(key: string, value: Value): Promise<void>
  remove(key: string): Promise<void>
  /** Ascending by key. */
  entries(): Iterable<readonly [key: string, value: Value]>
}
