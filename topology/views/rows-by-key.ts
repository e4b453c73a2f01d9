// Rows of keys as a changelog has them: bytes by page, decoded when somebody asks.
import { BriefMap } from '../../schemas/brief-map.ts'
import type { Key } from '../../schemas/keys.ts'
import type { StateType } from '../engine/rows/state-type.ts'

/** What snapshots ask of who holds them. */
interface Owner<State> {
  decode(pages: readonly (Uint8Array | undefined)[]): State
  remember(rows: Rows<State>): void
}

/** A key at one version of its rows: the offset of its newest changelog record. */
export class Rows<State> {
  readonly key: Key
  readonly version: number
  /** By number; undefined while a changelog is read from its start and it has not come. */
  readonly pages: readonly (Uint8Array | undefined)[]
  readonly #owner: Owner<State>
  #state: State | undefined

  constructor(owner: Owner<State>, key: Key, version: number, pages: readonly (Uint8Array | undefined)[]) {
    this.#owner = owner
    this.key = key
    this.version = version
    this.pages = pages
  }
  /** As `state`, but of several pages only the first is decoded: it has all rows but those of the kind that fills the others. */
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
  /** Of all pages. */
  get bytes(): number {
    return this.pages.reduce((sum, page) => sum + (page?.length ?? 0), 0)
  }
  drop(): void {
    this.#state = undefined
  }
}

interface RowsOptions<State, One extends Rows<State>> {
  readonly type: StateType
  /** Pages of snapshots that keep their decoded rows, bytes: decoded they take some eight times as much. The newest is always kept. */
  readonly decodedBytesMax: number
  readonly of: new (owner: Owner<State>, key: Key, version: number, pages: readonly (Uint8Array | undefined)[]) => One
}

/** The newest pages of each key; a tombstone takes them away. Memory is the changelog's own size, and some decoded rows. */
export class RowsByKey<State, One extends Rows<State> = Rows<State>> {
  readonly #options: RowsOptions<State, One>
  readonly #byKey = new Map<Key, One>()
  /** Those of `#byKey` that keep their decoded rows, the oldest first. */
  readonly #decoded = new BriefMap<Key, Rows<State>>()
  #decodedBytes = 0

  constructor(options: RowsOptions<State, One>) {
    this.#options = options
  }
  get size(): number {
    return this.#byKey.size
  }
  /** Bytes of pages whose snapshots keep their decoded rows. */
  get decodedBytes(): number {
    return this.#decodedBytes
  }
  get(key: Key): One | undefined {
    return this.#byKey.get(key)
  }
  /** Undefined also while only later pages have come. */
  firstPage(key: Key): Uint8Array | undefined {
    return this.#byKey.get(key)?.pages[0]
  }
  /**
   * Puts one page in place (null takes it away); gives the key's snapshot after it, undefined when nothing is left. The bytes are kept, or
   * copied: they must not change afterwards.
   */
  put(key: Key, page: number, value: Uint8Array | null, offset: number): One | undefined {
    const before = this.#byKey.get(key)
    if (before !== undefined) this.#forget(before)
    const pages = [...(before?.pages ?? [])]
    if (value !== null) pages[page] = owned(value)
    else pages.length = Math.min(pages.length, page)
    if (pages.length === 0) {
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
  /** A snapshot of an older version keeps its rows itself, as long as somebody has it. */
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

/** A page in the middle of a fetch would keep all of that in memory. One that has its memory nearly to itself (lmdb) is not copied. */
const owned = (page: Uint8Array): Uint8Array => (page.buffer.byteLength <= 2 * page.length ? page : new Uint8Array(page))

/** While a changelog is read from its start, a page may come before the ones in front of it: those are left out until they come. */
export const stateIn = <State>(type: StateType, pages: readonly (Uint8Array | undefined)[]): State => {
  const states = pages.flatMap((bytes) => (bytes === undefined ? [] : [type.decode(bytes)]))
  const first: Record<string, unknown> = { ...states[0] }
  if (states.length === 1) return first as State
  for (const { name, idField } of type.kinds) if (idField !== undefined) first[name] = states.flatMap((state) => state[name] as unknown[])
  return first as State
}
