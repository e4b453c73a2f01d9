// Rows that a corrected place of the tape no longer has, or has in other words.
import { isDeepStrictEqual } from 'node:util'
import { tapeRecordCodec } from '../../schemas/codecs.ts'
import type { TapeBatch, TapeEvent } from '../../schemas/types.ts'

/** Events of a frame that are no longer in it as they were. */
export interface GoneEvents {
  readonly frame: TapeBatch
  readonly events: readonly TapeEvent[]
}

/** What tells the rows of a frame apart. */
const nameOf = ({ number, hash8 }: TapeBatch, event: TapeEvent): string => {
  const { type, tx, outer, inner } = event
  return `${number}@${hash8} ${type} ${tx}.${outer}.${inner} ${'mint' in event ? event.mint : ''}`
}

/**
 * Of the batches that stood there and of those that stand there now. An event that changed is retracted too, below the version of its
 * correction: whoever looks for the wallet that it named before must not find it.
 */
export const eventsGone = (before: readonly Uint8Array[], after: readonly Uint8Array[]): readonly GoneEvents[] => {
  const now = new Map(batchesIn(after).flatMap((batch) => batch.events.map((event) => [nameOf(batch, event), event] as const)))
  return batchesIn(before).flatMap((frame) => {
    const events = frame.events.filter((event) => !isDeepStrictEqual(now.get(nameOf(frame, event)), event))
    return events.length === 0 ? [] : [{ frame, events }]
  })
}

const batchesIn = (values: readonly Uint8Array[]): TapeBatch[] =>
  values.flatMap((bytes) => {
    const read = tapeRecordCodec.decode(bytes)
    return read.ok && read.value.type === 'batch' ? [read.value] : []
  })
