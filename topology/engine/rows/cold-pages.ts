// Evicted aggregates, unused lately or since a restore: kept as changelog pages, which take a tenth of the rows' memory, or are on disk.
import type { KeyedPages, NumberedPage } from '../../ports/keyed-pages.ts'
import type { PageRecord } from './aggregate.ts'
import { parsePageKey, type StateType } from './state-type.ts'

/** An aggregate taken out of the evicted pages. */
interface Woken {
  /** One past its highest page number on the changelog. */
  readonly pages: number
  /** The decoded pages. */
  readonly states: readonly Record<string, unknown>[]
}

/** A page that a key lacks, although it has a later one. */
export interface MissingPage {
  readonly key: string
  readonly page: number
}

/** Evicted pages by key. Accessing a key takes out all of its pages. */
export class ColdPages {
  readonly #type: StateType
  readonly #pages: KeyedPages
  /** Keys woken during each open iteration, which does not find them in the pages any more. */
  readonly #wokenDuring = new Set<string[]>()

  constructor(type: StateType, pages: KeyedPages) {
    this.#type = type
    this.#pages = pages
  }
  get size(): number {
    return this.#pages.size
  }
  /** As `KeyedPages.keys`; also has the keys that are woken meanwhile. */
  *keys(): Iterable<string> {
    const woken: string[] = []
    this.#wokenDuring.add(woken)
    try {
      yield* this.#pages.keys()
      yield* woken
    } finally {
      this.#wokenDuring.delete(woken)
    }
  }
  /** Later records of a page win, and null removes it. Returns the key. */
  put(record: { readonly key: Uint8Array; readonly value: Uint8Array | null }): string {
    const { key, page } = parsePageKey(record.key)
    if (record.value === null) this.#pages.drop(key, page)
    else this.#pages.put(key, page, record.value)
    return key
  }
  /** Adds an aggregate that is evicted: all of its pages, in the order of their numbers. */
  keep(key: string, pages: readonly PageRecord[]): void {
    for (const [page, { value }] of pages.entries()) if (value !== null) this.#pages.put(key, page, value)
  }
  /** Pages of a key by number, without copying or waking it: valid until the next put or take. */
  pagesOf(key: string): readonly NumberedPage[] {
    return this.#pages.numbered(key)
  }
  /** Undefined for a key that is not evicted. */
  take(key: string): Woken | undefined {
    const pages = this.#pages.count(key)
    if (pages === 0) return undefined
    const states = this.#pages.numbered(key).map(([, page]) => this.#type.decode(page))
    this.#pages.delete(key)
    for (const woken of this.#wokenDuring) woken.push(key)
    return { pages, states }
  }
  /** The number of pages, and the first that is missing. */
  census(): { readonly pages: number; readonly missing: MissingPage | undefined } {
    let pages = 0
    let missing: MissingPage | undefined
    for (const key of this.#pages.keys()) {
      const numbered = this.#pages.numbered(key)
      pages += numbered.length
      const gap = numbered.findIndex(([page], n) => page !== n)
      if (gap >= 0) missing ??= { key, page: gap }
    }
    return { pages, missing }
  }
  /** Timers of all keys, without their other rows. */
  *timers(): Iterable<readonly [key: string, row: Record<string, unknown>]> {
    for (const key of this.#pages.keys())
      for (const [, page] of this.#pages.numbered(key)) for (const row of this.#type.timersIn(page)) yield [key, row]
  }
}
