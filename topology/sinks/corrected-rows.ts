// The events that a correction of the tape removes or changes: their rows in the history are retracted.
import { isDeepStrictEqual } from 'node:util'
import type { BatchOf, ChainEvent, TapeForm } from '../../schemas/record-forms.ts'

/** Events of a frame that were removed or changed. */
export interface GoneEvents {
  readonly frame: BatchOf<ChainEvent>
  readonly events: readonly ChainEvent[]
}

/** The identity of a row within the frames. */
const nameOf = ({ number, hash8 }: BatchOf<ChainEvent>, event: ChainEvent): string => {
  const { type, tx, outer, inner } = event
  return `${number}@${hash8} ${type} ${tx}.${outer}.${inner} ${'mint' in event ? event.mint : ''}`
}

/**
 * Compares the batches before and after a correction. A changed event is returned as it was before: its former row is written again as
 * deleted, with a version below that of the corrected row, so that a query for its former wallet does not find it.
 */
export const eventsGone = (form: TapeForm, before: readonly Uint8Array[], after: readonly Uint8Array[]): readonly GoneEvents[] => {
  const now = new Map(batchesIn(form, after).flatMap((batch) => batch.events.map((event) => [nameOf(batch, event), event] as const)))
  return batchesIn(form, before).flatMap((frame) => {
    const events = frame.events.filter((event) => !isDeepStrictEqual(now.get(nameOf(frame, event)), event))
    return events.length === 0 ? [] : [{ frame, events }]
  })
}

const batchesIn = ({ codec }: TapeForm, values: readonly Uint8Array[]): BatchOf<ChainEvent>[] =>
  values.flatMap((bytes) => {
    const read = codec.decode(bytes)
    return read.ok && read.value.type === 'batch' ? [read.value] : []
  })
