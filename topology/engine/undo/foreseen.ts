// Frames that later records which were read already make final: they need no undo. A task that catches up, or is rebuilt, reads hundreds
// of records at once, and the next hundreds before it folds these.
import type { FrameHeader } from '../../../processors/contract.ts'
import type { LogRecord } from '../../ports/log.ts'
import type { TaskDefinition } from '../definition.ts'

/** A record of a task's input; its frame is final if its number is at most `finalTo`, because a later record says so before any fork. */
export interface Foreseen extends LogRecord {
  readonly finalTo?: number
}

/** Consecutive records, with what later ones of them, and of those that follow (`ahead`), state about them. */
export const foreseen = <Event, Header extends FrameHeader>(
  records: readonly LogRecord[],
  definition: Pick<TaskDefinition<Event, Header>, 'finalityIn'>,
  ahead: readonly LogRecord[] = [],
): readonly Foreseen[] => {
  if (definition.finalityIn === undefined || records.length + ahead.length === 1) return records
  const all: Foreseen[] = [...records]
  let finalTo = finalBefore(ahead, definition.finalityIn)
  for (let n = records.length - 1; n >= 0; n--) {
    const record = records[n] as LogRecord
    if (finalTo >= 0) all[n] = { ...record, finalTo }
    const finality = definition.finalityIn(record)
    finalTo = finality === null ? -1 : Math.max(finalTo, finality)
  }
  return all
}

/** The number up to which frames become final before any fork; -1: none. */
const finalBefore = (records: readonly LogRecord[], finalityIn: (record: LogRecord) => number | null): number => {
  let finalTo = -1
  for (const record of records) {
    const finality = finalityIn(record)
    if (finality === null) return finalTo
    finalTo = Math.max(finalTo, finality)
  }
  return finalTo
}
