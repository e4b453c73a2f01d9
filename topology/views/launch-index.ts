// Launches by time, newest first, for the lists, and by whoever launched.

import type { Key } from '../../schemas/keys.ts'
import { comparePositions } from '../../schemas/position.ts'

interface Entry {
  readonly mint: Key
  readonly at: number
  readonly number: number
  readonly tx: number
  readonly outer: number
  readonly inner: number
  readonly wallets: readonly Key[]
}

const compare = (a: Entry, b: Entry): number => a.at - b.at || comparePositions(a, b)

/** Where and when, unix seconds. */
type Launched = Omit<Entry, 'mint' | 'wallets'>

/** Mints or tokens in order of launch. Holds what the folds hold: forgotten mints are taken out. */
export class LaunchIndex {
  readonly #entries: Entry[] = []
  readonly #known = new Map<Key, Entry>()
  readonly #byWallet = new Map<Key, Set<Entry>>()

  /** `wallets`: who launched. */
  add(mint: Key, launch: Launched, wallets: readonly Key[]): void {
    if (this.#known.has(mint)) return
    const { at, number, tx, outer, inner } = launch
    const entry = { mint, at, number, tx, outer, inner, wallets }
    for (const wallet of entry.wallets) {
      const own = this.#byWallet.get(wallet)
      if (own === undefined) this.#byWallet.set(wallet, new Set([entry]))
      else own.add(entry)
    }
    this.#known.set(mint, entry)
    this.#entries.splice(this.#place(entry), 0, entry)
  }
  remove(mint: Key): void {
    const entry = this.#known.get(mint)
    if (entry === undefined) return
    this.#known.delete(mint)
    this.#entries.splice(this.#place(entry), 1)
    for (const wallet of entry.wallets) {
      const own = this.#byWallet.get(wallet)
      own?.delete(entry)
      if (own?.size === 0) this.#byWallet.delete(wallet)
    }
  }
  /** Those that the wallet launched, newest first. */
  by(wallet: Key): readonly Key[] {
    return [...(this.#byWallet.get(wallet) ?? [])].sort((a, b) => compare(b, a)).map(({ mint }) => mint)
  }
  /** Newest first, neither older than `since` nor newer than `until` (unix seconds). */
  *since(since: number, until = Number.POSITIVE_INFINITY): Iterable<Key> {
    for (let i = this.#placeBy((entry) => entry.at <= until) - 1; i >= 0; i--) {
      const entry = this.#entries[i] as Entry
      if (entry.at < since) return
      yield entry.mint
    }
  }
  /** First place whose entry is not before this one. */
  #place(entry: Entry): number {
    return this.#placeBy((other) => compare(other, entry) < 0)
  }
  /** First place whose entry is not before what is looked for. */
  #placeBy(isBefore: (entry: Entry) => boolean): number {
    let low = 0
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBefore(this.#entries[middle] as Entry)) low = middle + 1
      else high = middle
    }
    return low
  }
}
