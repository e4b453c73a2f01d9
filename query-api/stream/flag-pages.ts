// Pages of flags in chain order, complete up to the frontier.
import { comparePositions, type PositionInChain } from '../../schemas/position.ts'
import type { ChainView, FlagRecord } from '../../topology/ports/chain-view.ts'

/** Bound of the disorder of block times between nearby slots, seconds. */
const SKEW_S = 60
/** Stream time per read, seconds. */
const WINDOW_S = 300

/** Upper bound of the retention of flags, seconds. */
const REACH_S_MAX = 8 * 86_400

/** A reader's position: the reader has everything up to here. `at` is at most the block time of the entries after it, within the skew. */
export interface Cursor extends PositionInChain {
  readonly at: number
}

/** The cursor before all entries from the block time `at` on. */
export const beginningAt = (at: number): Cursor => ({ number: -1, tx: 0, outer: 0, inner: 0, at })

/** A flag, or the retraction of one by a reorg or a rebuild. */
export interface Entry {
  readonly isRetracted: boolean
  readonly record: FlagRecord
}

/** Readable up to this block time and slot, both included. Null while the stores are not ready. */
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
  /** The cursor after everything readable now, for new readers; null if the frontier is null. */
  newest(): Cursor | null {
    const frontier = this.#frontier()
    if (frontier === null) return null
    for (let backS = WINDOW_S; backS <= REACH_S_MAX; backS *= 8) {
      const last = this.#between(frontier.at - backS, frontier).entries.at(-1)?.record
      if (last !== undefined) return last
    }
    return beginningAt(frontier.at)
  }
  /** The cursor of a reader that has everything up to `position`; undefined if the kept flags begin after it. */
  resume(position: PositionInChain): Cursor | undefined {
    for (const { at, number } of this.#view.flagsSince(0)) if (number <= position.number) return { ...position, at }
    for (const { at, number } of this.#view.retractedFlags()) if (number <= position.number) return { ...position, at }
    return undefined
  }
  /** The cursor of a reader that has every flag up to a block time; undefined if the kept flags begin after it. */
  upTo(second: number): Cursor | undefined {
    let next: FlagRecord | undefined
    for (const record of this.#view.flagsSince(0)) {
      if (record.at <= second) return next === undefined ? record : { ...next, inner: next.inner - 1, at: second }
      if (next === undefined || comparePositions(record, next) < 0) next = record
    }
    return undefined
  }
  /** The oldest kept flag. */
  oldest(): FlagRecord | undefined {
    let oldest: FlagRecord | undefined
    for (const record of this.#view.flagsSince(0)) oldest = record
    return oldest
  }
  /**
   * The next entries after a cursor, and the cursor after them: all entries of one read, or `entriesMax` of them. Never only some of the
   * entries of one position, so there can be more than `entriesMax`.
   */
  after(cursor: Cursor, entriesMax: number): { readonly entries: readonly Entry[]; readonly cursor: Cursor } {
    const frontier = this.#frontier()
    if (frontier === null) return { entries: [], cursor }
    for (let at = cursor.at; ; at += WINDOW_S) {
      const until = Math.min(frontier.at, at + WINDOW_S)
      const { entries, isHeldBack } = this.#between(at, { ...frontier, at: until })
      const found = entries.filter(({ record }) => comparePositions(record, cursor) > 0)
      if (found.length > 0) return pageOf(found, entriesMax)
      if (isHeldBack) return { entries: [], cursor: { ...cursor, at } }
      if (until >= frontier.at) return { entries: [], cursor: { ...cursor, at: Math.max(cursor.at, until) } }
    }
  }
  /** Retracted flags at or before a position. */
  *retractedUpTo(position: PositionInChain): Iterable<FlagRecord> {
    for (const record of this.#view.retractedFlags()) if (comparePositions(record, position) <= 0) yield record
  }
  /** Entries by position, from about `since` to before the first entry after `until`; held back if that entry's slot is after `until`'s. */
  #between(since: number, until: Frontier): { readonly entries: readonly Entry[]; readonly isHeldBack: boolean } {
    const [from, to] = [since - SKEW_S, until.at + SKEW_S]
    const entries: Entry[] = Array.from(this.#view.flagsSince(from, to), (record) => ({ isRetracted: false, record }))
    for (const record of this.#view.retractedFlags()) if (record.at >= from && record.at <= to) entries.push({ isRetracted: true, record })
    entries.sort((a, b) => comparePositions(a.record, b.record))
    const end = entries.findIndex(({ record }) => record.at > until.at || record.number > until.number)
    if (end < 0) return { entries, isHeldBack: false }
    return { entries: entries.slice(0, end), isHeldBack: (entries[end] as Entry).record.number > until.number }
  }
}

const pageOf = (found: readonly Entry[], entriesMax: number): { readonly entries: readonly Entry[]; readonly cursor: Cursor } => {
  let end = Math.min(found.length, entriesMax)
  while (end < found.length && isOnePlace(found[end - 1], found[end])) end += 1
  const entries = found.slice(0, end)
  return { entries, cursor: (entries.at(-1) as Entry).record }
}

/** Entries of one position share an id. Only the last one carries it: a reader disconnected between them receives all of them again. */
export const isOnePlace = (one: Entry | undefined, other: Entry | undefined): boolean =>
  one !== undefined && other !== undefined && comparePositions(one.record, other.record) === 0
