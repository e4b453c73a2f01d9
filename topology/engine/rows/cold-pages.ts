// Evicted aggregates, unused lately or since a restore: kept as changelog pages, which take a tenth of the rows' memory.
import type { PageRecord } from './aggregate.ts'
import { KeyedPages } from './keyed-pages.ts'
import { parsePageKey, type StateType } from './state-type.ts'

/** An aggregate taken out of the evicted pages. */
interface Woken {
  /** One past its highest page number on the changelog. */
  readonly pages: number
  /** The decoded pages. */
  readonly states: readonly Record<string, unknown>[]
}

/** Evicted pages by key. Accessing a key takes out all of its pages. */
export class ColdPages {
  readonly #type: StateType
  readonly #pages = new KeyedPages()

  constructor(type: StateType) {
    this.#type = type
  }
  get size(): number {
    return this.#pages.size
  }
  keys(): Iterable<string> {
    return this.#pages.keys()
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
  pagesOf(key: string): readonly (readonly [page: number, bytes: Buffer])[] {
    return this.#pages.numbered(key)
  }
  /** Undefined for a key that is not evicted. */
  take(key: string): Woken | undefined {
    const pages = this.#pages.count(key)
    if (pages === 0) return undefined
    const states = this.#pages.read(key).map((page) => this.#type.decode(page))
    this.#pages.delete(key)
    return { pages, states }
  }
  /** Timers of all keys, without their other rows. */
  *timers(): Iterable<readonly [key: string, row: Record<string, unknown>]> {
    for (const key of this.#pages.keys())
      for (const page of this.#pages.read(key)) for (const row of this.#type.timersIn(page)) yield [key, row]
  }
}
