// The newest record of each key of some changelogs: a log may still hold older ones, and rows that a later page no longer has are gone.
import { asBuffer } from '../../schemas/bytes.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { LogRecord } from '../ports/log.ts'

type Entry = Pick<LogRecord, 'key' | 'value'>

/** Gathers records in their order, then gives those that stand. Holds the changelogs' own bytes meanwhile. */
export class NewestRecords {
  readonly #byTopic = new Map<Topic, Map<string, Entry>>()

  add(topic: Topic, records: Iterable<Entry>): void {
    const entries = this.#byTopic.get(topic) ?? new Map<string, Entry>()
    this.#byTopic.set(topic, entries)
    for (const record of records) {
      const name = asBuffer(record.key).toString('latin1')
      if (record.value === null) entries.delete(name)
      else entries.set(name, record)
    }
  }
  /** Each is let go of as it is given. */
  *take(): Iterable<readonly [Topic, Entry]> {
    for (const [topic, entries] of this.#byTopic)
      for (const [name, record] of entries) {
        yield [topic, record]
        entries.delete(name)
      }
    this.#byTopic.clear()
  }
}
