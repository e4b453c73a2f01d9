// Pages of many keys in memory: only the key's name is an object, so that millions of keys cost the garbage collector little.
import type { KeyedPages, NumberedPage, PageStore } from '../../ports/keyed-pages.ts'
import { Arena } from './arena.ts'

/** Placeholder for the handle of a missing page. */
const NO_PAGE = -1
/** Memory per key beside its pages: the name, its entry in the map, the arena's tables and the unused end of a slot. */
const KEY_BYTES = 160

/** Iterates over the keys in the order in which they got their first page. */
export class MemoryPages implements KeyedPages {
  #arena = new Arena()
  /** Handle of the only page, which nearly all keys have; or the handles of all pages. */
  #handles = new Map<string, number | number[]>()

  get size(): number {
    return this.#handles.size
  }
  /** Estimated memory of all keys, without the free space of chunks. */
  get bytes(): number {
    return this.#arena.bytesUsed + this.#handles.size * KEY_BYTES
  }
  keys(): IterableIterator<string> {
    return this.#handles.keys()
  }
  count(key: string): number {
    const kept = this.#handles.get(key)
    return typeof kept === 'number' ? 1 : (kept?.length ?? 0)
  }
  put(key: string, page: number, bytes: Uint8Array): void {
    const kept = this.#handles.get(key)
    if (page === 0 && kept === undefined) this.#handles.set(key, this.#arena.put(bytes))
    else if (page === 0 && typeof kept === 'number') this.#arena.replace(kept, bytes)
    else this.#putAmong(key, handlesOf(kept), page, bytes)
  }
  numbered(key: string): readonly NumberedPage[] {
    const kept = this.#handles.get(key)
    if (typeof kept === 'number') return [[0, this.#arena.read(kept)]]
    return (kept ?? []).flatMap((handle, page) => (handle === NO_PAGE ? [] : [[page, this.#arena.read(handle)] as const]))
  }
  cut(key: string, page: number): void {
    const handles = handlesOf(this.#handles.get(key))
    for (const handle of handles.splice(page)) if (handle !== NO_PAGE) this.#arena.free(handle)
    this.#trim(key, handles)
  }
  drop(key: string, page: number): void {
    const handles = handlesOf(this.#handles.get(key))
    const handle = handles[page] ?? NO_PAGE
    if (handle === NO_PAGE) return
    this.#arena.free(handle)
    handles[page] = NO_PAGE
    this.#trim(key, handles)
  }
  delete(key: string): void {
    for (const handle of handlesOf(this.#handles.get(key))) if (handle !== NO_PAGE) this.#arena.free(handle)
    this.#handles.delete(key)
  }
  close(): void {
    this.#arena = new Arena()
    this.#handles = new Map()
  }

  #putAmong(key: string, handles: number[], page: number, bytes: Uint8Array): void {
    while (handles.length <= page) handles.push(NO_PAGE)
    const handle = handles[page] as number
    if (handle === NO_PAGE) handles[page] = this.#arena.put(bytes)
    else this.#arena.replace(handle, bytes)
    this.#set(key, handles)
  }
  #trim(key: string, handles: number[]): void {
    while (handles.at(-1) === NO_PAGE) handles.pop()
    this.#set(key, handles)
  }
  #set(key: string, handles: number[]): void {
    const [first] = handles
    if (first === undefined) this.#handles.delete(key)
    else this.#handles.set(key, handles.length === 1 && first !== NO_PAGE ? first : handles)
  }
}

const handlesOf = (kept: number | number[] | undefined): number[] => (typeof kept === 'number' ? [kept] : (kept ?? []))

/** Without a limit: for tests, replays and simulations. */
export const IN_MEMORY: PageStore = { open: () => new MemoryPages() }
