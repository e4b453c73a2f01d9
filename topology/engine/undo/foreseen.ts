// Frames that later records of the same read make final: they need no undo. A task that catches up, or is rebuilt, reads hundreds at once.
import type { FrameHeader } from '../../../processors/contract.ts'
import type { LogRecord } from '../../ports/log.ts'
import type { TaskDefinition } from '../definition.ts'

/** A record of a task's input; its frame is final if its number is at most `finalTo`, because a later record says so before any fork. */
export interface Foreseen extends LogRecord {
  readonly finalTo?: number
}

/** Consecutive records, with what later ones state about them. */
export const foreseen = <Event, Header extends FrameHeader>(
  records: readonly LogRecord[],
  definition: Pick<TaskDefinition<Event, Header>, 'finalityIn'>,
): readonly Foreseen[] => {
  if (definition.finalityIn === undefined || records.length === 1) return records
  const all: Foreseen[] = [...records]
  let finalTo = -1
  for (let n = records.length - 1; n >= 0; n--) {
    const record = records[n] as LogRecord
    if (finalTo >= 0) all[n] = { ...record, finalTo }
    const finality = definition.finalityIn(record)
    finalTo = finality === null ? -1 : Math.max(finalTo, finality)
  }
  return all
}
