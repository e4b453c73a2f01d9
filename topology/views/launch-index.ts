// Launches by time, newest first, for the lists, and by launching wallet.

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

/** Position and time (unix seconds) of a launch. */
type Launched = Omit<Entry, 'mint' | 'wallets'>

/** Mints or tokens in order of launch. Holds the launches that the folds hold: one is removed when a fold deletes its rows. */
export class LaunchIndex {
  readonly #entries: Entry[] = []
  readonly #known = new Map<Key, Entry>()
  readonly #byWallet = new Map<Key, Set<Entry>>()

  /** `wallets`: the dev set of a mint, or the deployer of a curve's token. */
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
    this.#entries.splice(this.#indexOf(entry), 0, entry)
  }
  remove(mint: Key): void {
    const entry = this.#known.get(mint)
    if (entry === undefined) return
    this.#known.delete(mint)
    this.#entries.splice(this.#indexOf(entry), 1)
    for (const wallet of entry.wallets) {
      const own = this.#byWallet.get(wallet)
      own?.delete(entry)
      if (own?.size === 0) this.#byWallet.delete(wallet)
    }
  }
  /** Launches of the wallet, newest first. */
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
  /** Index of the first entry that is not before this one. */
  #indexOf(entry: Entry): number {
    return this.#placeBy((other) => compare(other, entry) < 0)
  }
  /** Index of the first entry for which `isBefore` is false. */
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
