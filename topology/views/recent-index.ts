// Conclusions of the last hours, newest first, for lists. They come from the topics of conclusions and outlive the rows of their mints.
import { comparePositions } from '../../schemas/position.ts'
import type { FlagRecords } from './status/sightings.ts'

/** Bounds of the index. */
export interface Keeping {
  /** Maximum age relative to the newest entry, seconds: the reach of the lists. */
  readonly keepS: number
  readonly keepMax: number
}

/** Entries in order of time, position and id; the oldest are dropped. */
export class RecentIndex<T extends FlagRecords> {
  readonly #keeping: Keeping
  readonly #idOf: (one: T) => string
  #entries: T[] = []
  /** Entries before this index are dropped; they are removed together, because each removal copies the array. */
  #first = 0

  constructor(keeping: Keeping, idOf: (one: T) => string) {
    this.#keeping = keeping
    this.#idOf = idOf
  }
  add(entry: T): void {
    if (entry.at < (this.#entries.at(-1)?.at ?? 0) - this.#keeping.keepS) return
    const index = this.#placeOf(entry)
    if (this.#isAt(index, entry)) return
    this.#entries.splice(index, 0, entry)
    this.#drop()
  }
  /** Removes a retracted entry; no effect if it was dropped before. */
  remove(entry: T): void {
    const index = this.#placeOf(entry)
    if (this.#isAt(index, entry)) this.#entries.splice(index, 1)
  }
  get size(): number {
    return this.#entries.length - this.#first
  }
  /** Newest first, neither older than `since` nor newer than `until` (unix seconds). */
  *since(since: number, until = Number.POSITIVE_INFINITY): Iterable<T> {
    for (let i = this.#placeBy(({ at }) => at <= until) - 1; i >= this.#first; i--) {
      const entry = this.#entries[i] as T
      if (entry.at < since) return
      yield entry
    }
  }
  #drop(): void {
    const oldest = (this.#entries.at(-1) as T).at - this.#keeping.keepS
    while ((this.#entries[this.#first] as T).at < oldest || this.size > this.#keeping.keepMax) this.#first += 1
    if (this.#first * 2 <= this.#entries.length) return
    this.#entries = this.#entries.slice(this.#first)
    this.#first = 0
  }
  #placeOf(entry: T): number {
    return this.#placeBy((other) => this.#compare(other, entry) < 0)
  }
  #isAt(index: number, entry: T): boolean {
    const there = this.#entries[index]
    return there !== undefined && this.#idOf(there) === this.#idOf(entry)
  }
  #compare(a: T, b: T): number {
    const byPlace = a.at - b.at || comparePositions(a, b)
    if (byPlace !== 0) return byPlace
    const [one, other] = [this.#idOf(a), this.#idOf(b)]
    return one < other ? -1 : Number(one > other)
  }
  /** Index of the first entry, dropped ones excluded, for which `isBefore` is false. */
  #placeBy(isBefore: (entry: T) => boolean): number {
    let low = this.#first
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBefore(this.#entries[middle] as T)) low = middle + 1
      else high = middle
    }
    return low
  }
}
