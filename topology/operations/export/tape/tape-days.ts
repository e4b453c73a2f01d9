// Writes day files of a tape that is one sequence of frames.
import type { Codec } from '../../../../schemas/codecs.ts'
import type { Chain } from '../../../../schemas/types.ts'
import { dayOf, dayText, nextDay, timeText } from '../days.ts'
import type { Cut } from '../history-times.ts'
import type { OutDirectory } from '../out-directory.ts'
import { schemaPath } from '../schema-files.ts'
import type { Batch } from './canonical-tape.ts'
import { TAPE, tapePath, writeTapeDay } from './tape-day.ts'

export interface TapeDaysOptions {
  readonly chain: Chain
  readonly codec: Codec<Batch>
  /** In the order of the chain. */
  readonly frames: AsyncIterable<Batch>
  readonly out: OutDirectory
  /** The last frame. */
  readonly cut: Cut
  /** Midnights of the first and the last day; null for the first or the last available one. */
  readonly range: { readonly from: number | null; readonly to: number | null }
  readonly progress: (done: number, share: number) => void
  readonly stop: AbortSignal
}

/** False if it was stopped. Days without a frame have no file. */
export const exportTapeDays = async (options: TapeDaysOptions): Promise<boolean> => {
  const frames = new DayByDay(options.frames)
  try {
    return await writeDays(options, frames)
  } finally {
    await frames.end()
  }
}

const writeDays = async ({ chain, codec, out, cut, range, progress, stop }: TapeDaysOptions, frames: DayByDay): Promise<boolean> => {
  let done = 0
  const lastS = Math.min(range.to ?? Number.POSITIVE_INFINITY, dayOf(cut.time))
  const begin = await frames.day()
  if (begin === undefined) return true
  for (let dayS = await frames.from(range.from ?? 0); dayS !== undefined && dayS <= lastS; dayS = await frames.from(nextDay(dayS))) {
    const [day, path] = [dayText(dayS), tapePath(chain, dayText(dayS))]
    if (stop.aborted) return false
    if (out.isDone({ chain, table: TAPE, day })) continue
    const share = (dayS - begin) / (nextDay(lastS) - begin)
    const seen = (rows: number): void => progress(done + rows, share)
    const written = await writeTapeDay(await out.create(path), { chain, frames: frames.of(dayS), codec, seen, stop })
    if (written === undefined) return false
    done += written.rows
    const upTo = dayS === dayOf(cut.time) ? timeText(cut.time) : null
    await out.done({ path, chain, table: TAPE, day, source: 'tape', schema: schemaPath(chain, TAPE), up_to: upTo, ...written })
  }
  return true
}

class DayByDay {
  readonly #frames: AsyncIterator<Batch>
  #head: IteratorResult<Batch> | undefined

  constructor(frames: AsyncIterable<Batch>) {
    this.#frames = frames[Symbol.asyncIterator]()
  }
  /** Day of the next frame; undefined after the last. */
  async day(): Promise<number | undefined> {
    this.#head ??= await this.#frames.next()
    return this.#head.done ? undefined : dayOf(this.#head.value.time)
  }
  /** The first day with a frame on or after a day; skips earlier frames. */
  async from(dayS: number): Promise<number | undefined> {
    for (;;) {
      const day = await this.day()
      if (day === undefined || day >= dayS) return day
      this.#head = undefined
    }
  }
  /** Releases the source of the frames. */
  async end(): Promise<void> {
    await this.#frames.return?.()
  }
  /** Frames of a day; skips those of earlier days. */
  async *of(dayS: number): AsyncGenerator<Batch> {
    for (let day = await this.day(); day !== undefined && day <= dayS; day = await this.day()) {
      const batch = this.#head?.value as Batch
      this.#head = undefined
      if (day === dayS) yield batch
    }
  }
}
