// The valid dead letters of a log.
import { deadLetterCodec } from '../../../schemas/codecs.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { DeadLetter } from '../../../schemas/types.ts'
import type { LogReader } from '../../ports/log.ts'
import { bytesAt, deadLetterEffects, type LiveRecord, type LiveRecords, liveRecordsOf } from '../live-records.ts'

/** Dead letters by id; their bytes stay on the log until they are read. */
export class DeadLetterIndex {
  readonly #log: LogReader
  readonly #topic: Topics['deadLetters']
  readonly #liveRecords: LiveRecords

  private constructor(log: LogReader, topic: Topics['deadLetters'], liveRecords: LiveRecords) {
    this.#log = log
    this.#topic = topic
    this.#liveRecords = liveRecords
  }
  static async open(log: LogReader, topic: Topics['deadLetters']): Promise<DeadLetterIndex> {
    return new DeadLetterIndex(log, topic, await liveRecordsOf(log, topic, 0, deadLetterEffects))
  }
  get count(): number {
    return this.#liveRecords.size
  }
  /** Undefined if no letter with the id is valid. */
  async get(id: string): Promise<DeadLetter | undefined> {
    const live = this.#liveRecords.get(id)
    return live && this.#read(id, live)
  }
  /** Newest first. */
  async *newest(): AsyncGenerator<DeadLetter> {
    for (const [id, live] of [...this.#liveRecords.entries()].reverse()) {
      const deadLetter = await this.#read(id, live)
      if (deadLetter !== undefined) yield deadLetter
    }
  }
  /** Number of valid dead letters for which `isWanted` is true. */
  async countOf(isWanted: (deadLetter: DeadLetter) => boolean): Promise<number> {
    let count = 0
    for await (const deadLetter of this.newest()) if (isWanted(deadLetter)) count++
    return count
  }
  async #read(id: string, live: LiveRecord): Promise<DeadLetter | undefined> {
    const bytes = await bytesAt(this.#log, { topic: this.#topic, partition: 0 }, id, live, deadLetterEffects)
    const read = bytes === undefined ? undefined : deadLetterCodec.decode(bytes)
    return read?.ok === true ? read.value : undefined
  }
}
