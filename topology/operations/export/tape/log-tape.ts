// Reads days of the tape from the log, as far as it is retained.
import type { ChainDefinition } from '../../../../processors/chains/chain.ts'
import type { LogReader } from '../../../ports/log.ts'
import { firstFrom, tapeTime } from '../../../sinks/retention/log-times.ts'
import { CorrectedTape, placeOf, type TapeTopics } from '../../../versions/decoding/corrected-tape.ts'
import { dayOf, nextDay } from '../days.ts'
import type { Cut } from '../history-times.ts'
import { type Batch, canonicalFrames } from './canonical-tape.ts'

/** At a fork time goes back by less than this: the search for a day starts this much earlier, seconds. */
const FORK_S = 600

/** Number and time of a frame. */
export type BatchHead = Pick<Batch, 'number' | 'time'>

export class LogTape {
  readonly #log: LogReader
  readonly #topics: TapeTopics
  readonly #chain: Pick<ChainDefinition, 'tape' | 'forkNumbersMax'>
  readonly #tape: CorrectedTape

  private constructor(log: LogReader, topics: TapeTopics, chain: Pick<ChainDefinition, 'tape' | 'forkNumbersMax'>, tape: CorrectedTape) {
    this.#log = log
    this.#topics = topics
    this.#chain = chain
    this.#tape = tape
  }
  static async open(log: LogReader, topics: TapeTopics, chain: Pick<ChainDefinition, 'tape' | 'forkNumbersMax'>): Promise<LogTape> {
    return new LogTape(log, topics, chain, await CorrectedTape.open(log, topics, chain.tape))
  }
  /** True if retention has deleted part of it. */
  get isTrimmed(): boolean {
    return Array.from({ length: this.#tape.partitions }).some((_, partition) => this.#log.start(this.#topics.tape, partition) > 0)
  }
  /** The first frame that every partition has; undefined if there is none. @throws TornTape */
  async first(): Promise<BatchHead | undefined> {
    const starts = Array.from({ length: this.#tape.partitions }, (_, partition) => this.#tape.start(partition))
    for await (const batch of canonicalFrames(this.#tape, starts, this.#chain.forkNumbersMax)) return batch
    return undefined
  }
  /** Midnights of the days with a frame, up to the cut. @throws TornTape, EngineError offset_expired */
  async days(cut: Cut): Promise<readonly number[]> {
    const days: number[] = []
    for (let fromS = 0; ; fromS = nextDay(days.at(-1) as number)) {
      const next = await this.#next(fromS, cut)
      if (next === undefined) return days
      days.push(dayOf(next.time))
    }
  }
  async #next(fromS: number, cut: Cut): Promise<BatchHead | undefined> {
    for await (const batch of this.frames(fromS, Number.POSITIVE_INFINITY, cut)) return batch
    return undefined
  }
  /** Frames from one time, inclusive, to another, exclusive, up to the cut. @throws TornTape, EngineError offset_expired */
  async *frames(fromS: number, toS: number, cut: Cut): AsyncGenerator<Batch> {
    const places: number[] = []
    for (let partition = 0; partition < this.#tape.partitions; partition++)
      places.push(placeOf(await firstFrom(this.#log, this.#topics.tape, partition, fromS - FORK_S, tapeTime(this.#chain.tape))))
    for await (const batch of canonicalFrames(this.#tape, places, this.#chain.forkNumbersMax)) {
      if (batch.time >= toS || batch.number > cut.number) return
      if (batch.time >= fromS) yield batch
    }
  }
}
