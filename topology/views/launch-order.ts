// Launches in chain order, for readers that resume from a position.

import type { Key } from '../../schemas/keys.ts'
import { comparePositions, type PositionInChain } from '../../schemas/position.ts'

interface Entry extends PositionInChain {
  readonly mint: Key
  /** Unix seconds. */
  readonly at: number
}

/** Mints by chain position. Holds the mints that the folds hold: evicted ones are removed. Two mints never share a position. */
export class LaunchOrder {
  readonly #entries: Entry[] = []
  readonly #known = new Map<Key, Entry>()

  /** A mint that is present keeps its position. */
  add(mint: Key, { at, number, tx, outer, inner }: PositionInChain & { readonly at: number }): void {
    if (this.#known.has(mint)) return
    const entry = { mint, at, number, tx, outer, inner }
    this.#known.set(mint, entry)
    this.#entries.splice(this.#firstFrom(entry), 0, entry)
  }
  remove(mint: Key): void {
    const entry = this.#known.get(mint)
    if (entry === undefined) return
    this.#known.delete(mint)
    this.#entries.splice(this.#entries.indexOf(entry, this.#firstFrom(entry)), 1)
  }
  /** Mints after a position, oldest first. */
  *after(position: PositionInChain): Iterable<Key> {
    for (let at = this.#firstBehind(position); at < this.#entries.length; at += 1) yield (this.#entries[at] as Entry).mint
  }
  /**
   * Position of the first mint, in chain order, that was launched at `second` (unix seconds) or later; null if there is none. Scans all
   * mints in the worst case: block times need not be ordered.
   */
  firstSince(second: number): PositionInChain | null {
    return this.#entries.find(({ at }) => at >= second) ?? null
  }

  #firstFrom(position: PositionInChain): number {
    return this.#firstWhere((entry) => comparePositions(entry, position) >= 0)
  }
  #firstBehind(position: PositionInChain): number {
    return this.#firstWhere((entry) => comparePositions(entry, position) > 0)
  }
  /** `holds` is false for the first entries and true for all others. */
  #firstWhere(holds: (entry: Entry) => boolean): number {
    let [low, high] = [0, this.#entries.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (holds(this.#entries[middle] as Entry)) high = middle
      else low = middle + 1
    }
    return low
  }
}
