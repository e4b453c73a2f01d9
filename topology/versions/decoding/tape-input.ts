// Input of a rebuild's folds: the corrected tape up to the first frame that was decoded again, then the output of the new decoder.
import type { Topics } from '../../../schemas/topics.ts'
import type { LogReader, LogRecord, ReadLimits } from '../../ports/log.ts'
import type { FixedInput } from '../rebuild/overlay-log.ts'
import { type CorrectedTape, tapeOffset } from './corrected-tape.ts'

/** Places from here on are those of frames decoded again. Below are the places of 2^32 offsets of the tape (see corrected-tape.ts). */
const DECODED = 2 ** 52

/** Frames decoded again, in a staging log. */
export interface DecodedTape {
  readonly scratch: LogReader
  /** Sequence of the first frame. */
  readonly sequence: number
}

/** A fork: its fork point's number, and the sequence of its revert. */
export interface Fork {
  readonly number: number
  readonly sequence: number
}

export interface TapeInputOptions {
  readonly topic: Topics['tape']
  readonly tape: CorrectedTape
  /** Start of each task: place and sequence of the newest frame included in its rows, -1 for none. */
  readonly starts: readonly { readonly place: number; readonly sequence: number }[]
  readonly decoded: DecodedTape | undefined
  /** Forks whose orphaned frames are skipped, as if they had never existed. */
  readonly forks: readonly Fork[]
}

export class TapeInput implements FixedInput {
  readonly topic: Topics['tape']
  readonly #tape: CorrectedTape
  readonly #starts: TapeInputOptions['starts']
  readonly #decoded: DecodedTape | undefined
  readonly #forks: readonly Fork[]

  constructor({ topic, tape, starts, decoded, forks }: TapeInputOptions) {
    this.topic = topic
    this.#tape = tape
    this.#starts = starts
    this.#decoded = decoded
    this.#forks = forks
  }
  start(partition: number): number {
    return this.#startOf(partition).place
  }
  end(partition: number): number {
    if (this.#decoded === undefined) return this.#tape.end(partition)
    return DECODED + this.#decoded.scratch.end(this.topic, partition)
  }
  /** In tape records, for the progress. */
  position(place: number): number {
    return place < DECODED ? tapeOffset(place) : place - DECODED
  }
  async read(partition: number, place: number, limits: ReadLimits): Promise<readonly LogRecord[]> {
    for (let from = place; ; ) {
      const records = await this.#read(partition, from, limits)
      const canonical = this.#forks.length === 0 ? records : records.filter((record) => !this.#isDead(record))
      const last = records.at(-1)
      if (canonical.length > 0 || last === undefined) return canonical
      from = last.offset + 1
    }
  }
  #isDead(record: LogRecord): boolean {
    const entry = this.#tape.recordIn(record)
    if (entry === undefined || entry.type === 'finality') return false
    return this.#forks.some(({ number, sequence }) => entry.sequence === sequence || (entry.sequence < sequence && entry.number > number))
  }
  async #read(partition: number, place: number, limits: ReadLimits): Promise<readonly LogRecord[]> {
    if (place >= DECODED) return this.#readDecoded(partition, place, limits)
    const records = await this.#tape.read(partition, place, limits)
    if (this.#decoded === undefined) return records
    const { sequence } = this.#decoded
    const cut = records.findIndex((record) => (this.#tape.recordIn(record)?.sequence ?? -1) >= sequence)
    if (cut < 0 && records.length > 0) return records
    return cut > 0 ? records.slice(0, cut) : this.#readDecoded(partition, DECODED, limits)
  }
  /** Skips frames that the task's rows already include. */
  async #readDecoded(partition: number, place: number, limits: ReadLimits): Promise<readonly LogRecord[]> {
    const { scratch } = this.#decoded as DecodedTape
    const { sequence } = this.#startOf(partition)
    for (let offset = Math.max(place - DECODED, scratch.start(this.topic, partition)); ; ) {
      const records = await scratch.read(this.topic, partition, offset, limits)
      const last = records.at(-1)
      if (last === undefined) return []
      const asked = records.filter((record) => sequence < 0 || (this.#tape.recordIn(record)?.sequence ?? sequence) > sequence)
      if (asked.length > 0) return asked.map((record) => ({ ...record, offset: record.offset + DECODED }))
      offset = last.offset + 1
    }
  }
  #startOf(partition: number): TapeInputOptions['starts'][number] {
    return this.#starts[partition] as TapeInputOptions['starts'][number]
  }
}
