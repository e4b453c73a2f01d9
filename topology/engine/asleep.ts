// Aggregates that nobody has asked for lately, or since a restore: their pages as on the changelog, a tenth of the rows' memory, and
// nothing that the collector has to walk through.
import type { PageRecord } from './aggregate.ts'
import { parsePageKey, type StateType } from './state-type.ts'

/** Pages by key. Who asks for a key takes them, whole. */
export class Asleep {
  readonly #type: StateType
  readonly #pages = new Map<string, (Uint8Array | undefined)[]>()

  constructor(type: StateType) {
    this.#type = type
  }
  get size(): number {
    return this.#pages.size
  }
  keys(): Iterable<string> {
    return this.#pages.keys()
  }
  /** Later pages of a number win. The bytes are copied: they may lie within all that was read at once. Gives the key. */
  put(record: { readonly key: Uint8Array; readonly value: Uint8Array }): string {
    const { key, page } = parsePageKey(record.key)
    const pages = this.#pages.get(key) ?? []
    pages[page] = Buffer.from(record.value)
    this.#pages.set(key, pages)
    return key
  }
  /** All pages of a key, bytes of their own. */
  keep(key: string, pages: readonly PageRecord[]): void {
    this.#pages.set(
      key,
      pages.map(({ value }) => value ?? undefined),
    )
  }
  /** Pages of a key that sleeps on. */
  pagesOf(key: string): readonly (Uint8Array | undefined)[] | undefined {
    return this.#pages.get(key)
  }
  /** Undefined for a key that is not here, or no more. */
  take(key: string): readonly (Uint8Array | undefined)[] | undefined {
    const pages = this.#pages.get(key)
    if (pages !== undefined) this.#pages.delete(key)
    return pages
  }
  /** Timers of all, without their other rows. */
  *timers(): Iterable<readonly [key: string, row: Record<string, unknown>]> {
    for (const [key, pages] of this.#pages)
      for (const page of pages) if (page !== undefined) for (const row of this.#type.timersIn(page)) yield [key, row]
  }
}
