// Dead letters that stand, read off the log.
import { deadLetterCodec } from '../../schemas/codecs.ts'
import { TOPICS } from '../../schemas/topics.ts'
import type { DeadLetter } from '../../schemas/types.ts'
import type { LogReader } from '../ports/log.ts'
import { bytesAt, type Said, type Standing, standingOf, tellLetter } from './standing.ts'

const PLACE = { topic: TOPICS.deadLetters, partition: 0 } as const

/** Letters by id; their bytes stay on the log until they are asked for. */
export class Letters {
  readonly #log: LogReader
  readonly #standing: Standing

  private constructor(log: LogReader, standing: Standing) {
    this.#log = log
    this.#standing = standing
  }
  static async open(log: LogReader): Promise<Letters> {
    return new Letters(log, await standingOf(log, PLACE.topic, PLACE.partition, tellLetter))
  }
  get count(): number {
    return this.#standing.size
  }
  /** Undefined for an id under which nothing stands. */
  async get(id: string): Promise<DeadLetter | undefined> {
    const said = this.#standing.get(id)
    return said && this.#read(id, said)
  }
  /** Newest said first. */
  async *newest(): AsyncGenerator<DeadLetter> {
    for (const [id, said] of [...this.#standing.entries()].reverse()) {
      const letter = await this.#read(id, said)
      if (letter !== undefined) yield letter
    }
  }
  /** How many stand that are wanted. */
  async countOf(isWanted: (letter: DeadLetter) => boolean): Promise<number> {
    let count = 0
    for await (const letter of this.newest()) if (isWanted(letter)) count++
    return count
  }
  async #read(id: string, said: Said): Promise<DeadLetter | undefined> {
    const bytes = await bytesAt(this.#log, PLACE, id, said, tellLetter)
    const read = bytes === undefined ? undefined : deadLetterCodec.decode(bytes)
    return read?.ok === true ? read.value : undefined
  }
}
