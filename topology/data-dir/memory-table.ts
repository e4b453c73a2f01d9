// A durable table in memory, lost at exit: for tests and temporary runs.
import type { DurableTable } from '../ports/ledger.ts'

/** Does not simulate: durability, I/O errors, a full disk. Values are copied through JSON, as the durable adapter does. */
export const createMemoryTable = <Value>(): DurableTable<Value> => {
  const rows = new Map<string, string>()
  const parse = (json: string): Value => JSON.parse(json) as Value
  return {
    get: (key) => {
      const json = rows.get(key)
      return json === undefined ? undefined : parse(json)
    },
    put: async (key, value) => {
      rows.set(key, JSON.stringify(value))
    },
    remove: async (key) => {
      rows.delete(key)
    },
    entries: () => [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, json]) => [key, parse(json)] as const),
  }
}
