// One page of all launches, and where the next one begins. Pure. What a fork may still move does not lie behind a reader for good: it is
// remembered by name until it is final, so that a launch that moves in front of others is neither lost nor given twice.

import type { Key } from '../../../schemas/keys.ts'
import { comparePositions, type Place, TILDE } from '../../../schemas/position.ts'

/** Launches that a reader was given and that are not final yet: more wait until older ones are. */
export const GIVEN_MAX = 64
/** Launches that are looked at for a page: those that are not covered cost as much as others. */
export const LOOKED_AT_MAX = 500
/** A launch that a fork dropped may come again in a later frame, and is remembered for so many: a transaction lives 150 slots. */
const REMEMBERED_FRAMES = 512
const NAME_BYTES = 8

/** What a reader has. */
export interface Reached {
  /** Nothing older was asked for, unix seconds. */
  readonly since: number
  /** Every launch up to here was given or passed, and no fork changes it. */
  readonly place: Place
  /** Unix seconds: every launch that is older was given or passed. */
  readonly at: number
  /** Launches that were given and were not final then: the number of the frame by `nameOf` the mint. */
  readonly given: ReadonlyMap<string, number>
}

export interface PlacedLaunch extends Place {
  readonly mint: Key
  /** Unix seconds. */
  readonly at: number
  /** Has full coverage now. */
  readonly isCovered: boolean
}

export interface PageGround {
  readonly limit: number
  /** Newest frame that no fork takes back; -1 for none. */
  readonly final: number
  /** Unix seconds: no launch of a later frame is older. */
  readonly finalAt: number
  /** Older launches may have been forgotten, and are passed; unix seconds. */
  readonly from: number
  /** Whether launches of a frame are given: it is folded, and the chain has confirmed it. So it is of all frames before it. */
  readonly isGivable: (number: number) => boolean
}

export interface Page<Launch> {
  readonly items: readonly Launch[]
  readonly next: Reached
  /** More can be had at once. */
  readonly hasMore: boolean
  /** Passed for good, because their coverage is thin. */
  readonly notCovered: number
}

/** The start of the key: nobody finds a mint that begins alike within the seconds for which it matters. */
const nameOf = (mint: Key): string => mint.slice(0, NAME_BYTES)

/** The place in front of every launch of a frame. */
export const before = (number: number): Place => ({ number: number - 1, tx: TILDE, outer: TILDE, inner: TILDE })

/**
 * Whether a server may go on for a reader: one that knows less to be final than another that the reader asked may still show a branch that
 * is dead, with launches that the reader was given of the living one.
 */
export const canGoOn = ({ place }: Reached, { final }: Pick<PageGround, 'final'>): boolean => place.number <= final

/** @param launches those behind `reached.place`, in the order of the chain; read no further than needed. */
export const pageOf = <Launch extends PlacedLaunch>(launches: Iterable<Launch>, reached: Reached, ground: PageGround): Page<Launch> => {
  const { limit, final, finalAt, from, isGivable } = ground
  const given = new Map(reached.given)
  const items: Launch[] = []
  const { since } = reached
  let { place, at } = reached
  let [hasMore, isAllFinalRead, notCovered, looked] = [false, true, 0, 0]
  for (const launch of launches) {
    if (!isGivable(launch.number)) break
    const isFinal = launch.number <= final
    hasMore = items.length >= limit || looked >= LOOKED_AT_MAX
    isAllFinalRead = !isFinal
    if (hasMore || (!isFinal && given.size >= GIVEN_MAX)) break
    isAllFinalRead = true
    looked += 1
    const name = nameOf(launch.mint)
    const isNew = !given.has(name) && launch.at >= Math.max(from, since)
    if (isNew && launch.isCovered) items.push(launch)
    if (isFinal) {
      given.delete(name)
      place = { number: launch.number, tx: launch.tx, outer: launch.outer, inner: launch.inner }
      at = Math.max(at, launch.at)
      if (isNew && !launch.isCovered) notCovered += 1
    } else if (given.has(name) || (isNew && launch.isCovered)) given.set(name, launch.number)
  }
  const end = before(final + 1)
  if (isAllFinalRead && comparePositions(end, place) > 0) {
    place = end
    at = Math.max(at, finalAt)
  }
  return { items, next: { since, place, at, given: remembered(given, place) }, hasMore, notCovered }
}

const remembered = (given: ReadonlyMap<string, number>, { number }: Place): ReadonlyMap<string, number> =>
  new Map([...given].filter(([, frame]) => frame + REMEMBERED_FRAMES > number))
