// Computes one page of launches and the position of the next page; pure. Delivered launches that are not final yet are remembered by mint,
// so that a launch which a reorg moves to another place is neither lost nor delivered twice.

import type { Key } from '../../../schemas/keys.ts'
import { comparePositions, type PositionInChain, TILDE } from '../../../schemas/position.ts'

/** At most this many delivered launches may be not final yet; further launches wait. */
export const GIVEN_MAX = 64
/** At most this many launches are examined per page, because launches that are not covered cost as much as others. */
export const LOOKED_AT_MAX = 500
/** Frames for which a delivered launch is remembered: after a reorg it may reappear in a later frame (transactions live 150 slots). */
const REMEMBERED_FRAMES = 512
const NAME_BYTES = 8

/** A reader's position. */
export interface Reached {
  /** Requested start, unix seconds. */
  readonly since: number
  /** Every launch up to here was delivered or skipped, and is final. */
  readonly place: PositionInChain
  /** Unix seconds: every older launch was delivered or skipped. */
  readonly at: number
  /** Launches that were not final when they were delivered: number of the launch's frame, by `nameOf` its mint. */
  readonly given: ReadonlyMap<string, number>
}

export interface PlacedLaunch extends PositionInChain {
  readonly mint: Key
  /** Unix seconds. */
  readonly at: number
  /** Has full coverage now. */
  readonly isCovered: boolean
}

export interface PageContext {
  readonly limit: number
  /** Newest final frame; -1 for none. */
  readonly final: number
  /** Unix seconds: lower bound of the times of launches in later frames. */
  readonly finalAt: number
  /** Older launches may have been evicted, and are skipped; unix seconds. */
  readonly from: number
  /** Whether launches of a frame may be delivered: it, and all frames before it, are applied and confirmed. */
  readonly isGivable: (number: number) => boolean
}

export interface Page<Launch> {
  readonly items: readonly Launch[]
  readonly next: Reached
  /** More launches are available now. */
  readonly hasMore: boolean
  /** Launches skipped permanently, because their coverage is thin. */
  readonly notCovered: number
}

/** A prefix of the key: an attacker cannot find a mint with the same prefix within the few seconds that matter. */
const nameOf = (mint: Key): string => mint.slice(0, NAME_BYTES)

/** The place before every launch of a frame. */
export const before = (number: number): PositionInChain => ({ number: number - 1, tx: TILDE, outer: TILDE, inner: TILDE })

/**
 * Whether this server can continue for a reader. If its final slot is behind that of the server which issued the cursor, it may still show
 * an orphaned branch, which lacks launches that were already delivered from the canonical branch.
 */
export const canGoOn = ({ place }: Reached, { final }: Pick<PageContext, 'final'>): boolean => place.number <= final

/** @param launches those after `reached.place`, in chain order; read only as far as needed. */
export const pageOf = <Launch extends PlacedLaunch>(launches: Iterable<Launch>, reached: Reached, context: PageContext): Page<Launch> => {
  const { limit, final, finalAt, from, isGivable } = context
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

const remembered = (given: ReadonlyMap<string, number>, { number }: PositionInChain): ReadonlyMap<string, number> =>
  new Map([...given].filter(([, frame]) => frame + REMEMBERED_FRAMES > number))
