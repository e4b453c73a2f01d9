// Writes one day of the tape as a tape file of this project, which replay and verify-tape read.
import type { Codec } from '../../../../schemas/codecs.ts'
import { formatPosition, tickOf } from '../../../../schemas/position.ts'
import type { Chain } from '../../../../schemas/types.ts'
import { encodeTape } from '../../../sources/recording/tape-file.ts'
import type { DayFile } from '../day-file.ts'
import type { FileEntry } from '../manifest.ts'
import type { Batch } from './canonical-tape.ts'

export const TAPE = 'tape'
export const tapePath = (chain: Chain, day: string): string => `${chain}/${TAPE}/${day}.avro`

export type TapeWritten = Pick<FileEntry, 'rows' | 'events' | 'bytes' | 'sha256' | 'first' | 'last'>

export interface TapeDay {
  readonly chain: Chain
  readonly frames: AsyncIterable<Batch>
  readonly codec: Codec<Batch>
  /** Called with the number of frames written. */
  readonly seen: (frames: number) => void
  readonly stop: AbortSignal
}

class Stopped extends Error {}

/** Undefined if it was stopped; the temporary file is kept then, and also if reading the frames fails. */
export const writeTapeDay = async (file: DayFile, { chain, frames, codec, seen, stop }: TapeDay): Promise<TapeWritten | undefined> => {
  let [rows, events] = [0, 0]
  let first: number | null = null
  let last: number | null = null
  async function* counted(): AsyncGenerator<Batch> {
    for await (const batch of frames) {
      if (stop.aborted) throw new Stopped()
      rows++
      events += batch.events.length
      first ??= batch.number
      last = batch.number
      seen(rows)
      yield batch
    }
  }
  try {
    await encodeTape(counted(), codec, (bytes) => file.write(bytes))
    const written = await file.end()
    const placeOf = (number: number | null): string | null => (number === null ? null : formatPosition(tickOf(chain, number)))
    return { rows, events, ...written, first: placeOf(first), last: placeOf(last) }
  } catch (failure) {
    await file.abandon()
    if (failure instanceof Stopped) return undefined
    throw failure
  }
}
