// Flags that fired in the last hours, newest first, for the list of rugs. Fed by the topic of findings: it outlives the rows of forgotten
// mints.
import { comparePositions } from '../../schemas/position.ts'
import type { FlagSighting } from '../ports/mint-view.ts'

/** What lists reach back to, seconds. */
const KEEP_S = 21_600
/** Flags kept: 6 h at ten times today's load have about 75,000. */
const FLAGS_MAX = 150_000

/** Flags in order of time, then position, then name; those 6 h older than the newest go. */
export class FlagIndex {
  #entries: FlagSighting[] = []
  /** Entries before this place are gone; they are cut off together, because a cut copies all. */
  #first = 0

  add(sighting: FlagSighting): void {
    if (sighting.at < (this.#entries.at(-1)?.at ?? 0) - KEEP_S) return
    const place = this.#placeBy((other) => compare(other, sighting) < 0)
    if (this.#entries[place]?.findingId === sighting.findingId) return
    this.#entries.splice(place, 0, sighting)
    this.#drop()
  }
  /** Takes out what a fork took back; nothing where it has gone before. */
  remove(sighting: FlagSighting): void {
    const place = this.#placeBy((other) => compare(other, sighting) < 0)
    if (this.#entries[place]?.findingId === sighting.findingId) this.#entries.splice(place, 1)
  }
  get size(): number {
    return this.#entries.length - this.#first
  }
  /** Newest first, neither older than `since` nor newer than `until` (unix seconds). */
  *since(since: number, until = Number.POSITIVE_INFINITY): Iterable<FlagSighting> {
    for (let i = this.#placeBy(({ at }) => at <= until) - 1; i >= this.#first; i--) {
      const entry = this.#entries[i] as FlagSighting
      if (entry.at < since) return
      yield entry
    }
  }
  #drop(): void {
    const oldest = (this.#entries.at(-1) as FlagSighting).at - KEEP_S
    while ((this.#entries[this.#first] as FlagSighting).at < oldest || this.size > FLAGS_MAX) this.#first += 1
    if (this.#first * 2 <= this.#entries.length) return
    this.#entries = this.#entries.slice(this.#first)
    this.#first = 0
  }
  /** First place, not before those that are gone, whose entry is not before what is looked for. */
  #placeBy(isBefore: (entry: FlagSighting) => boolean): number {
    let low = this.#first
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBefore(this.#entries[middle] as FlagSighting)) low = middle + 1
      else high = middle
    }
    return low
  }
}

const compare = (a: FlagSighting, b: FlagSighting): number =>
  a.at - b.at ||
  comparePositions(a, b) ||
  (a.flag < b.flag ? -1 : Number(a.flag > b.flag)) ||
  (a.mint < b.mint ? -1 : Number(a.mint > b.mint))
