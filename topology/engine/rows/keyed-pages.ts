// Pages of many keys, as bytes: only the key's name is an object, so that millions of keys cost the garbage collector little.
import { Arena } from './arena.ts'

/** Placeholder for the handle of a missing page. */
const NO_PAGE = -1

/** Pages by key and number. Copies all bytes, because they may be slices of a large read buffer. */
export class KeyedPages {
  readonly #arena = new Arena()
  /** Handle of the only page, which nearly all keys have; or the handles of all pages. */
  readonly #handles = new Map<string, number | number[]>()

  get size(): number {
    return this.#handles.size
  }
  keys(): Iterable<string> {
    return this.#handles.keys()
  }
  /** One past the highest page of a key. */
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
  /** The existing pages of a key, without a copy: valid until anything is put or cut. */
  read(key: string): Buffer[] {
    const kept = this.#handles.get(key)
    if (typeof kept === 'number') return [this.#arena.read(kept)]
    return (kept ?? []).flatMap((handle) => (handle === NO_PAGE ? [] : [this.#arena.read(handle)]))
  }
  /** The same, with their numbers. */
  numbered(key: string): (readonly [page: number, bytes: Buffer])[] {
    return handlesOf(this.#handles.get(key)).flatMap((handle, page) =>
      handle === NO_PAGE ? [] : [[page, this.#arena.read(handle)] as const],
    )
  }
  /** Removes the pages from this number on. */
  cut(key: string, page: number): void {
    const handles = handlesOf(this.#handles.get(key))
    for (const handle of handles.splice(page)) if (handle !== NO_PAGE) this.#arena.free(handle)
    this.#trim(key, handles)
  }
  /** Removes one page. */
  drop(key: string, page: number): void {
    const handles = handlesOf(this.#handles.get(key))
    const handle = handles[page] ?? NO_PAGE
    if (handle === NO_PAGE) return
    this.#arena.free(handle)
    handles[page] = NO_PAGE
    this.#trim(key, handles)
  }
  /** Removes all pages of a key. */
  delete(key: string): void {
    for (const handle of handlesOf(this.#handles.get(key))) if (handle !== NO_PAGE) this.#arena.free(handle)
    this.#handles.delete(key)
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
