// JSON text of evidence by mint. Evidence is a pure function of (row version, second, gap), so text of the same three is the same text.
import type { Moment } from '../../processors/mint/card/moment.ts'
import type { Key } from '../../schemas/keys.ts'
import type { MintSnapshot } from '../../topology/ports/mint-view.ts'

/** One for each mint for as long as it is held, written anew in place: tables that the map has outgrown hold no old text. */
interface Entry<T> {
  version: number
  asOf: number
  gapFrom: number
  gapTo: number
  value: T
  chars: number
}

/** What is kept: its text counts against the limit. */
export interface Cached {
  readonly text: string
}

/** Keeps the newest evidence of each mint, the least recently asked going first once `charsMax` is passed. */
export class EvidenceCache<T extends Cached> {
  readonly #entries = new Map<Key, Entry<T>>()
  readonly #build: (snapshot: MintSnapshot, moment: Moment) => T
  readonly #charsMax: number
  #chars = 0

  constructor(charsMax: number, build: (snapshot: MintSnapshot, moment: Moment) => T) {
    this.#charsMax = charsMax
    this.#build = build
  }

  get(snapshot: MintSnapshot, moment: Moment): T {
    const { mint, version } = snapshot
    const entry = this.#entries.get(mint)
    const gapFrom = moment.gap?.from ?? -1
    const gapTo = moment.gap?.to ?? -1
    if (entry?.version === version && entry.asOf === moment.asOf && entry.gapTo === gapTo && entry.gapFrom === gapFrom) {
      this.#ask(mint, entry)
      return entry.value
    }
    const value = this.#build(snapshot, moment)
    const next = { version, asOf: moment.asOf, gapFrom, gapTo, value, chars: value.text.length }
    this.#chars += next.chars - (entry?.chars ?? 0)
    this.#ask(mint, entry === undefined ? next : Object.assign(entry, next))
    this.#shrink(mint)
    return value
  }

  /** Characters held: at most `charsMax` once more than one entry is held. */
  get chars(): number {
    return this.#chars
  }

  /** Makes it the one asked last. */
  #ask(mint: Key, entry: Entry<T>): void {
    this.#entries.delete(mint)
    this.#entries.set(mint, entry)
  }
  #shrink(last: Key): void {
    for (const [oldest, { chars }] of this.#entries) {
      if (this.#chars <= this.#charsMax || oldest === last) return
      this.#entries.delete(oldest)
      this.#chars -= chars
    }
  }
}
