// Cache of evidence as JSON text, by mint or curve. Evidence is a pure function of row version, second, gap, the newest frame without inner
// calls and (if ages are finer than seconds) the newest block: an entry is valid while these are the same.
import type { Moment } from '../../processors/mint/card/moment.ts'
import type { Key } from '../../schemas/keys.ts'

/** One mutable entry per mint, so that old tables of a map that has grown do not retain old texts. */
interface Entry<T> {
  version: number
  asOf: number
  gapFrom: number
  gapTo: number
  unseenAt: number
  tip: number
  value: T
  chars: number
}

/** Rows at a version. */
interface Versioned {
  readonly version: number
}
/** `tip`: the newest block, set if the text depends on it. */
interface Instant extends Moment {
  readonly tip?: { readonly number: number } | null
}

/** A cached value, whose text counts towards the limit. */
export interface Cached {
  readonly text: string
}

/** Caches the newest evidence of each mint; evicts the least recently used above `charsMax`. */
export class EvidenceCache<T extends Cached, Snapshot extends Versioned, At extends Instant = Moment> {
  readonly #entries = new Map<Key, Entry<T>>()
  readonly #keyOf: (snapshot: Snapshot) => Key
  readonly #build: (snapshot: Snapshot, moment: At) => T
  readonly #charsMax: number
  #chars = 0

  constructor(charsMax: number, keyOf: (snapshot: Snapshot) => Key, build: (snapshot: Snapshot, moment: At) => T) {
    this.#keyOf = keyOf
    this.#charsMax = charsMax
    this.#build = build
  }

  get(snapshot: Snapshot, moment: At): T {
    const { version } = snapshot
    const mint = this.#keyOf(snapshot)
    const entry = this.#entries.get(mint)
    const gapFrom = moment.gap?.from ?? -1
    const gapTo = moment.gap?.to ?? -1
    const tip = moment.tip?.number ?? -1
    const unseenAt = moment.callsUnseenAt ?? -1
    const isSameGap = entry?.gapTo === gapTo && entry.gapFrom === gapFrom && entry.unseenAt === unseenAt
    const isOfMoment = isSameGap && entry.asOf === moment.asOf && entry.tip === tip
    if (entry?.version === version && isOfMoment) {
      this.#touch(mint, entry)
      return entry.value
    }
    const value = this.#build(snapshot, moment)
    const next = { version, asOf: moment.asOf, gapFrom, gapTo, unseenAt, tip, value, chars: value.text.length }
    this.#chars += next.chars - (entry?.chars ?? 0)
    this.#touch(mint, entry === undefined ? next : Object.assign(entry, next))
    this.#shrink(mint)
    return value
  }

  /** Cached characters: at most `charsMax`, unless a single entry is larger. */
  get chars(): number {
    return this.#chars
  }

  /** Marks the entry as most recently used. */
  #touch(mint: Key, entry: Entry<T>): void {
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
