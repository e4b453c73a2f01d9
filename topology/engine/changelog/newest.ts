// The newest record of each key of a changelog: a log may still hold older ones, and records that a tombstone deleted.
import { asBuffer } from '../../../schemas/bytes.ts'
import type { LogRecord } from '../../ports/log.ts'
import { Arena } from '../rows/arena.ts'

type Entry = Pick<LogRecord, 'key' | 'value'>

/** Collects records in log order, then yields the live ones. Memory is bound by the live records, however long the changelog is. */
export class NewestRecords {
  #arena = new Arena()
  /** Handles of the values. */
  #byKey = new Map<string, number>()

  add(records: Iterable<Entry>): void {
    for (const { key, value } of records) {
      const name = asBuffer(key).toString('latin1')
      const handle = this.#byKey.get(name)
      if (value === null) {
        if (handle !== undefined) this.#arena.free(handle)
        this.#byKey.delete(name)
      } else if (handle === undefined) this.#byKey.set(name, this.#arena.put(value))
      else this.#arena.replace(handle, value)
    }
  }
  /** Yields the live records and empties the collection. Values are not copied: call no `add` meanwhile. */
  *take(): Iterable<{ readonly key: Buffer; readonly value: Buffer }> {
    for (const [name, handle] of this.#byKey) yield { key: Buffer.from(name, 'latin1'), value: this.#arena.read(handle) }
    this.#byKey = new Map()
    this.#arena = new Arena()
  }
}
