// Converts rows of the history to frames of a tape, with the fields that the tape check reads.

import type { CheckedBatch } from '../../../processors/verify/tape-check.ts'
import { compareWithin } from '../../../schemas/position.ts'
import type { WireRow } from '../../history/rows/row-reader.ts'
import type { VerifiedChain } from './log-rows.ts'
import { STORED_CURVE_EVENTS } from './stored-curve-events.ts'
import { STORED_MINT_EVENTS } from './stored-mint-events.ts'
import { numberOrNull, type StoredEvents } from './stored-values.ts'
import { type CheckedTable, placeOf } from './tables.ts'

const BY_TABLE: StoredEvents = new Map([...STORED_MINT_EVENTS, ...STORED_CURVE_EVENTS])

interface Frame {
  tick: WireRow | null
  readonly events: CheckedBatch['events'][number][]
}

/** One frame for each slot with a tick or an event, by slot; its events in the order of the chain. A frame without a tick has no gap. */
export const batchesOf = (
  rows: ReadonlyMap<CheckedTable, readonly WireRow[]>,
  { chain, tables }: Pick<VerifiedChain, 'chain' | 'tables'>,
): readonly CheckedBatch[] => {
  const frames = new Map<number, Frame>()
  const frameAt = (slot: number): Frame => {
    const frame = frames.get(slot) ?? { tick: null, events: [] }
    frames.set(slot, frame)
    return frame
  }
  for (const [table, ofTable] of rows) {
    const read = BY_TABLE.get(table.name)
    for (const row of read === undefined ? [] : ofTable) {
      const event = read?.(row)
      if (event !== undefined) frameAt(table.slotOf(row) ?? 0).events.push({ ...event, ...placeOf(table, row) })
    }
    if (table.name === tables.ticks.name) for (const row of ofTable) frameAt(table.slotOf(row) ?? 0).tick = row
  }
  return [...frames]
    .sort(([a], [b]) => a - b)
    .map(([number, { tick, events }]) => ({
      ...{ type: 'batch', chain: chain.name, number },
      gapFrom: tick && numberOrNull(tick, `gap_from_${tables.number}`),
      gapTo: tick && numberOrNull(tick, `gap_to_${tables.number}`),
      events: events.sort(compareWithin),
    }))
}
