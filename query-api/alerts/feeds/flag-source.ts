// The feed of confirmed flags. Its position is the chain position of the last flag read. A flag that is retracted before it is read makes
// no alert.
import { comparePositions } from '../../../schemas/position.ts'
import type { ChainView, FlagRecord } from '../../../topology/ports/chain-view.ts'
import { type Cursor, FlagPages } from '../../stream/flag-pages.ts'
import { alertLimits } from '../limits.ts'
import type { AlertEvent, AlertSource } from './source.ts'

type FlagView = Pick<ChainView, 'flagsSince' | 'retractedFlags' | 'status' | 'finality'>

export const flagSource = (view: FlagView): AlertSource<Cursor> => {
  const pages = new FlagPages(view, () => {
    const { ready, folded } = view.status()
    if (!ready || folded === null) return null
    return { at: folded.time, number: Math.min(folded.number, view.finality()?.confirmed ?? folded.number) }
  })
  let seen: Cursor | null = null
  return {
    kind: 'rug_flags',
    newest: () => positionOf(pages.newest()),
    read: async (from) => {
      // If a read finds no flags, only the cursor's time advances. `from` lacks this newer time; `seen` has it, so no range is scanned twice.
      const { entries, cursor } = pages.after(seen !== null && comparePositions(seen, from) === 0 ? seen : from, alertLimits.pageMax)
      seen = positionOf(cursor)
      const live = entries.filter(({ isRetracted }) => !isRetracted)
      const events = live.map(({ record }) => eventOf(record))
      return { events, next: positionOf(cursor) ?? from }
    },
    isBehind: (position, other) => comparePositions(position, other) < 0,
  }
}

const eventOf = (record: FlagRecord): AlertEvent => {
  const { mint, at, flag, findingId } = record
  return { mint, at, ppm: null, flag, findingId, isAfter: (position) => comparePositions(record, position as Cursor) > 0 }
}

/** Drops all other fields: a cursor may be a full flag record. */
const positionOf = (cursor: Cursor | null): Cursor | null => {
  if (cursor === null) return null
  const { number, tx, outer, inner, at } = cursor
  return { number, tx, outer, inner, at }
}
