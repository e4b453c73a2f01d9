// The newest record of each key of some changelogs: a log may still hold older ones, and rows that a later page no longer has are gone.
import { asBuffer } from '../../schemas/bytes.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { LogRecord } from '../ports/log.ts'
import { Arena } from './arena.ts'

type Entry = Pick<LogRecord, 'key' | 'value'>

/** Gathers records in their order, then gives those that stand. Its memory is that of what stands, however long the changelogs are. */
export class NewestRecords {
  #arena = new Arena()
  /** Handles of the values. */
  readonly #byTopic = new Map<Topic, Map<string, number>>()

  add(topic: Topic, records: Iterable<Entry>): void {
    const entries = this.#byTopic.get(topic) ?? new Map<string, number>()
    this.#byTopic.set(topic, entries)
    for (const { key, value } of records) {
      const name = asBuffer(key).toString('latin1')
      const handle = entries.get(name)
      if (value === null) {
        if (handle !== undefined) this.#arena.free(handle)
        entries.delete(name)
      } else if (handle === undefined) entries.set(name, this.#arena.put(value))
      else this.#arena.replace(handle, value)
    }
  }
  /** Each is let go of as it is given: its value is valid until the next. */
  *take(): Iterable<readonly [Topic, Entry]> {
    for (const [topic, entries] of this.#byTopic)
      for (const [name, handle] of entries) {
        yield [topic, { key: Buffer.from(name, 'latin1'), value: this.#arena.read(handle) }]
        entries.delete(name)
        this.#arena.free(handle)
      }
    this.#byTopic.clear()
    this.#arena = new Arena()
  }
}
