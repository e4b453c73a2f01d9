// The valid dead letters of a log.
import { deadLetterCodec } from '../../../schemas/codecs.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { DeadLetter } from '../../../schemas/types.ts'
import type { LogReader } from '../../ports/log.ts'
import { bytesAt, type Said, type Standing, standingOf, tellLetter } from '../standing.ts'

/** Letters by id; their bytes stay on the log until they are read. */
export class Letters {
  readonly #log: LogReader
  readonly #topic: Topics['deadLetters']
  readonly #standing: Standing

  private constructor(log: LogReader, topic: Topics['deadLetters'], standing: Standing) {
    this.#log = log
    this.#topic = topic
    this.#standing = standing
  }
  static async open(log: LogReader, topic: Topics['deadLetters']): Promise<Letters> {
    return new Letters(log, topic, await standingOf(log, topic, 0, tellLetter))
  }
  get count(): number {
    return this.#standing.size
  }
  /** Undefined if no letter with the id is valid. */
  async get(id: string): Promise<DeadLetter | undefined> {
    const said = this.#standing.get(id)
    return said && this.#read(id, said)
  }
  /** Newest first. */
  async *newest(): AsyncGenerator<DeadLetter> {
    for (const [id, said] of [...this.#standing.entries()].reverse()) {
      const letter = await this.#read(id, said)
      if (letter !== undefined) yield letter
    }
  }
  /** Number of valid letters for which `isWanted` is true. */
  async countOf(isWanted: (letter: DeadLetter) => boolean): Promise<number> {
    let count = 0
    for await (const letter of this.newest()) if (isWanted(letter)) count++
    return count
  }
  async #read(id: string, said: Said): Promise<DeadLetter | undefined> {
    const bytes = await bytesAt(this.#log, { topic: this.#topic, partition: 0 }, id, said, tellLetter)
    const read = bytes === undefined ? undefined : deadLetterCodec.decode(bytes)
    return read?.ok === true ? read.value : undefined
  }
}
