// Rows that a corrected place of the tape no longer has.
import { tapeRecordCodec } from '../../schemas/codecs.ts'
import type { TapeBatch, TapeEvent } from '../../schemas/types.ts'

/** Events of a frame that are no longer in it. */
export interface GoneEvents {
  readonly frame: TapeBatch
  readonly events: readonly TapeEvent[]
}

/** What tells the rows of a frame apart. */
const nameOf = (event: TapeEvent): string => {
  const { type, tx, outer, inner } = event
  return `${type} ${tx}.${outer}.${inner} ${'mint' in event ? event.mint : ''}`
}

/** Of the batches that stood there and of those that stand there now. */
export const eventsGone = (before: readonly Uint8Array[], after: readonly Uint8Array[]): readonly GoneEvents[] => {
  const now = new Set(batchesIn(after).flatMap((batch) => batch.events.map((event) => `${batch.number}@${batch.hash8} ${nameOf(event)}`)))
  return batchesIn(before).flatMap((frame) => {
    const events = frame.events.filter((event) => !now.has(`${frame.number}@${frame.hash8} ${nameOf(event)}`))
    return events.length === 0 ? [] : [{ frame, events }]
  })
}

const batchesIn = (values: readonly Uint8Array[]): TapeBatch[] =>
  values.flatMap((bytes) => {
    const read = tapeRecordCodec.decode(bytes)
    return read.ok && read.value.type === 'batch' ? [read.value] : []
  })
