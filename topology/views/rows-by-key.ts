// Rows of keys, as in a changelog: bytes by page, decoded on access.

import type { Key } from '../../schemas/keys.ts'
import { ShortLivedMap } from '../../schemas/short-lived-map.ts'
import type { StateType } from '../engine/rows/state-type.ts'
import type { Torn } from './torn.ts'

/** What a snapshot needs of the map that made it. */
interface Owner<State> {
  decode(pages: readonly (Uint8Array | undefined)[]): State
  remember(rows: Rows<State>): void
}

/** A snapshot of a key's rows. Its version is the offset of the key's newest changelog record. */
export class Rows<State> {
  readonly key: Key
  readonly version: number
  /** By page number; undefined until the page is read, while a changelog is read from its start. */
  readonly pages: readonly (Uint8Array | undefined)[]
  readonly #owner: Owner<State>
  #state: State | undefined

  constructor(owner: Owner<State>, key: Key, version: number, pages: readonly (Uint8Array | undefined)[]) {
    this.#owner = owner
    this.key = key
    this.version = version
    this.pages = pages
  }
  /** Like `state`, but decodes only the first page: it has all rows except those of the paged kind. */
  get head(): State {
    if (this.#state !== undefined || this.pages.length === 1 || this.pages[0] === undefined) return this.state
    return this.#owner.decode([this.pages[0]])
  }
  get state(): State {
    if (this.#state === undefined) {
      this.#state = this.#owner.decode(this.pages)
      this.#owner.remember(this)
    }
    return this.#state
  }
  /** The first page that is missing, while a later one is there; -1 if none is. */
  get missing(): number {
    return this.pages.findIndex((page) => !page)
  }
  /** Total size of the pages. */
  get bytes(): number {
    return this.pages.reduce((sum, page) => sum + (page?.length ?? 0), 0)
  }
  drop(): void {
    this.#state = undefined
  }
}

interface RowsOptions<State, One extends Rows<State>> {
  readonly type: StateType
  /** Limit of pages whose decoded rows are cached, bytes: decoded they take some eight times as much. The newest is always cached. */
  readonly decodedBytesMax: number
  readonly of: new (owner: Owner<State>, key: Key, version: number, pages: readonly (Uint8Array | undefined)[]) => One
}

/** The newest pages of each key; a tombstone removes them. Memory is the changelog's size plus the cached decoded rows. */
export class RowsByKey<State, One extends Rows<State> = Rows<State>> {
  readonly #options: RowsOptions<State, One>
  readonly #byKey = new Map<Key, One>()
  /** Members of `#byKey` with cached decoded rows, the oldest first. */
  readonly #decoded = new ShortLivedMap<Key, Rows<State>>()
  #decodedBytes = 0

  constructor(options: RowsOptions<State, One>) {
    this.#options = options
  }
  get size(): number {
    return this.#byKey.size
  }
  /** Bytes of the pages whose decoded rows are cached. */
  get decodedBytes(): number {
    return this.#decodedBytes
  }
  /** Undefined also if a page is missing. */
  get(key: Key): One | undefined {
    const rows = this.#byKey.get(key)
    return rows === undefined || rows.missing >= 0 ? undefined : rows
  }
  /** Keys of which a page is missing once the whole changelog was read; undefined if there are none. */
  torn(): Torn | undefined {
    const rows = [...this.#byKey.values()].filter(({ missing }) => missing >= 0)
    const [first] = rows
    return first && { keys: rows.length, key: first.key, page: first.missing }
  }
  /** Undefined also if only later pages were read so far. */
  firstPage(key: Key): Uint8Array | undefined {
    return this.#byKey.get(key)?.pages[0]
  }
  /**
   * Sets one page (null removes it and all later pages) and returns the key's new snapshot, undefined if nothing is left. The bytes are
   * referenced, or copied: they must not change afterwards.
   */
  put(key: Key, page: number, value: Uint8Array | null, offset: number): One | undefined {
    const before = this.#byKey.get(key)
    if (before !== undefined) this.#forget(before)
    const pages = [...(before?.pages ?? [])]
    if (value !== null) pages[page] = owned(value)
    else pages.length = Math.min(pages.length, page)
    if (!pages.some((one) => one !== undefined)) {
      this.#byKey.delete(key)
      return undefined
    }
    const rows = new this.#options.of(this, key, offset, pages)
    this.#byKey.set(key, rows)
    return rows
  }
  decode(pages: readonly (Uint8Array | undefined)[]): State {
    return stateIn<State>(this.#options.type, pages)
  }
  /** Caches decoded rows. A snapshot of an older version is not cached: it keeps its decoded rows as long as it is referenced. */
  remember(rows: Rows<State>): void {
    if (this.#byKey.get(rows.key) !== rows) return
    this.#decoded.set(rows.key, rows)
    this.#decodedBytes += rows.bytes
    for (const oldest of this.#decoded.values()) {
      if (this.#decodedBytes <= this.#options.decodedBytesMax || oldest === rows) return
      this.#forget(oldest)
    }
  }
  #forget(rows: Rows<State>): void {
    rows.drop()
    if (this.#decoded.delete(rows.key)) this.#decodedBytes -= rows.bytes
  }
}

/**
 * A page that is a slice of a fetch would keep the whole fetch in memory. A page that owns nearly all of its buffer (lmdb) is not copied.
 */
const owned = (page: Uint8Array): Uint8Array => (page.buffer.byteLength <= 2 * page.length ? page : new Uint8Array(page))

/** While a changelog is read from its start, a page may precede earlier pages of its key: missing pages are skipped until they come. */
export const stateIn = <State>(type: StateType, pages: readonly (Uint8Array | undefined)[]): State => {
  const states = pages.flatMap((bytes) => (bytes === undefined ? [] : [type.decode(bytes)]))
  const first: Record<string, unknown> = { ...states[0] }
  if (states.length === 1) return first as State
  for (const { name, idField } of type.kinds) if (idField !== undefined) first[name] = states.flatMap((state) => state[name] as unknown[])
  return first as State
}
