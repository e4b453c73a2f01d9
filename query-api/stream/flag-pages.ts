// Flags in the order of the chain, in pages: as far as they may be shown, folded everywhere, and none left out.
import { comparePositions, type Place } from '../../schemas/position.ts'
import type { ChainView, FlagSighting } from '../../topology/ports/chain-view.ts'

/** Block times of neighbouring slots may go back by a little; so far apart they never are out of order, seconds. */
const SKEW_S = 60
/** One look covers so much stream time, seconds. */
const WINDOW_S = 300

/** Nothing is kept here for longer than this, seconds. */
const REACH_S_MAX = 8 * 86_400

/** Where a reader is: it has everything up to this place. `at` is no later than the block time of what follows, but for the skew. */
export interface Cursor extends Place {
  readonly at: number
}

/** Before everything that is no older than `at`. */
export const beginningAt = (at: number): Cursor => ({ number: -1, tx: 0, outer: 0, inner: 0, at })

/** A flag, or one that a fork or a rebuild took back. */
export interface Entry {
  readonly isRetracted: boolean
  readonly sighting: FlagSighting
}

/** How far it may be read now: block time and slot, both included. Null while nothing true can be said. */
export interface Frontier {
  readonly at: number
  readonly number: number
}

export class FlagPages {
  readonly #view: Pick<ChainView, 'flagsSince' | 'retractedFlags'>
  readonly #frontier: () => Frontier | null

  constructor(view: Pick<ChainView, 'flagsSince' | 'retractedFlags'>, frontier: () => Frontier | null) {
    this.#view = view
    this.#frontier = frontier
  }
  /** Behind everything that may be given now, for who begins here; null as `Frontier`. */
  newest(): Cursor | null {
    const frontier = this.#frontier()
    if (frontier === null) return null
    for (let backS = WINDOW_S; backS <= REACH_S_MAX; backS *= 8) {
      const last = this.#between(frontier.at - backS, frontier).entries.at(-1)?.sighting
      if (last !== undefined) return last
    }
    return beginningAt(frontier.at)
  }
  /** Where a reader is who has everything up to `place`; undefined where what is kept here begins after it. */
  resume(place: Place): Cursor | undefined {
    for (const { at, number } of this.#view.flagsSince(0)) if (number <= place.number) return { ...place, at }
    for (const { at, number } of this.#view.retractedFlags()) if (number <= place.number) return { ...place, at }
    return undefined
  }
  /** Where a reader is who has every flag up to a block time; undefined where what is kept here begins after it. */
  upTo(second: number): Cursor | undefined {
    let next: FlagSighting | undefined
    for (const sighting of this.#view.flagsSince(0)) {
      if (sighting.at <= second) return next === undefined ? sighting : { ...next, inner: next.inner - 1, at: second }
      if (next === undefined || comparePositions(sighting, next) < 0) next = sighting
    }
    return undefined
  }
  /** The oldest that is kept here. */
  oldest(): FlagSighting | undefined {
    let oldest: FlagSighting | undefined
    for (const sighting of this.#view.flagsSince(0)) oldest = sighting
    return oldest
  }
  /**
   * The next entries behind a cursor, at least `entriesMax` where there are as many, and never a part of those of one place; and the
   * cursor behind them.
   */
  after(cursor: Cursor, entriesMax: number): { readonly entries: readonly Entry[]; readonly cursor: Cursor } {
    const frontier = this.#frontier()
    if (frontier === null) return { entries: [], cursor }
    for (let at = cursor.at; ; at += WINDOW_S) {
      const until = Math.min(frontier.at, at + WINDOW_S)
      const { entries, isHeld } = this.#between(at, { ...frontier, at: until })
      const found = entries.filter(({ sighting }) => comparePositions(sighting, cursor) > 0)
      if (found.length > 0) return pageOf(found, entriesMax)
      if (isHeld) return { entries: [], cursor: { ...cursor, at } }
      if (until >= frontier.at) return { entries: [], cursor: { ...cursor, at: Math.max(cursor.at, until) } }
    }
  }
  /** What was taken back and lies at or before a place. */
  *retractedUpTo(place: Place): Iterable<FlagSighting> {
    for (const sighting of this.#view.retractedFlags()) if (comparePositions(sighting, place) <= 0) yield sighting
  }
  /** In the order of places, from about `since` up to the first that lies behind `until`; held where that one is not sure enough yet. */
  #between(since: number, until: Frontier): { readonly entries: readonly Entry[]; readonly isHeld: boolean } {
    const [from, to] = [since - SKEW_S, until.at + SKEW_S]
    const entries: Entry[] = Array.from(this.#view.flagsSince(from, to), (sighting) => ({ isRetracted: false, sighting }))
    for (const sighting of this.#view.retractedFlags())
      if (sighting.at >= from && sighting.at <= to) entries.push({ isRetracted: true, sighting })
    entries.sort((a, b) => comparePositions(a.sighting, b.sighting))
    const end = entries.findIndex(({ sighting }) => sighting.at > until.at || sighting.number > until.number)
    if (end < 0) return { entries, isHeld: false }
    return { entries: entries.slice(0, end), isHeld: (entries[end] as Entry).sighting.number > until.number }
  }
}

const pageOf = (found: readonly Entry[], entriesMax: number): { readonly entries: readonly Entry[]; readonly cursor: Cursor } => {
  let end = Math.min(found.length, entriesMax)
  while (end < found.length && isOnePlace(found[end - 1], found[end])) end += 1
  const entries = found.slice(0, end)
  return { entries, cursor: (entries.at(-1) as Entry).sighting }
}

/** Entries of one place share an id: the last of them carries it, so that who was cut off between them gets all of them again. */
export const isOnePlace = (one: Entry | undefined, other: Entry | undefined): boolean =>
  one !== undefined && other !== undefined && comparePositions(one.sighting, other.sighting) === 0
