// The feed of confirmed flags; a place is the position of the last one read. Flags retracted before they are read make no alert.
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
    newest: () => placeOf(pages.newest()),
    read: async (from) => {
      // Without new flags the position stays, but the cursor's time advances, so the same range is not scanned again.
      const { entries, cursor } = pages.after(seen !== null && comparePositions(seen, from) === 0 ? seen : from, alertLimits.pageMax)
      seen = placeOf(cursor)
      const live = entries.filter(({ isRetracted }) => !isRetracted)
      const events = live.map(({ sighting }) => eventOf(sighting))
      return { events, next: placeOf(cursor) ?? from }
    },
    isBehind: (place, other) => comparePositions(place, other) < 0,
  }
}

const eventOf = (sighting: FlagRecord): AlertEvent => {
  const { mint, at, flag, findingId } = sighting
  return { mint, at, ppm: null, flag, findingId, isSince: (place) => comparePositions(sighting, place as Cursor) > 0 }
}

/** Only the fields of a place: a cursor may be a full flag record. */
const placeOf = (cursor: Cursor | null): Cursor | null => {
  if (cursor === null) return null
  const { number, tx, outer, inner, at } = cursor
  return { number, tx, outer, inner, at }
}
