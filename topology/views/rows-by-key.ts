// Rows of keys as a changelog has them: bytes by page, decoded when somebody asks.
import type { Key } from '../../schemas/keys.ts'
import type { StateType } from '../engine/state-type.ts'

/** What snapshots ask of who holds them. */
interface Owner<State> {
  decode(pages: readonly (Uint8Array | undefined)[]): State
  remember(rows: Rows<State>): void
}

/** A key at one version of its rows: the offset of its newest changelog record. */
export class Rows<State> {
  readonly key: Key
  readonly version: number
  readonly pages: readonly Uint8Array[]
  readonly #owner: Owner<State>
  #state: State | undefined

  constructor(owner: Owner<State>, key: Key, version: number, pages: readonly Uint8Array[]) {
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
  drop(): void {
    this.#state = undefined
  }
}

interface RowsOptions<State, One extends Rows<State>> {
  readonly type: StateType
  /** Snapshots that keep their decoded rows. */
  readonly decodedMax: number
  readonly of: new (owner: Owner<State>, key: Key, version: number, pages: readonly Uint8Array[]) => One
}

/** The newest pages of each key; a tombstone takes them away. Memory is the changelog's own size, and some decoded rows. */
export class RowsByKey<State, One extends Rows<State> = Rows<State>> {
  readonly #options: RowsOptions<State, One>
  readonly #byKey = new Map<Key, One>()
  #decoded: Rows<State>[] = []

  constructor(options: RowsOptions<State, One>) {
    this.#options = options
  }
  get size(): number {
    return this.#byKey.size
  }
  get(key: Key): One | undefined {
    return this.#byKey.get(key)
  }
  /** Undefined also while only later pages have come. */
  firstPage(key: Key): Uint8Array | undefined {
    return this.#byKey.get(key)?.pages[0]
  }
  /** Puts one page in place (null takes it away); gives the key's snapshot after it, undefined when nothing is left. */
  put(key: Key, page: number, value: Uint8Array | null, offset: number): One | undefined {
    const before = this.#byKey.get(key)
    before?.drop()
    const pages = [...(before?.pages ?? [])]
    if (value !== null) pages[page] = value
    else pages.length = Math.min(pages.length, page)
    if (pages.length === 0) {
      this.#byKey.delete(key)
      return undefined
    }
    const rows = new this.#options.of(this, key, offset, pages)
    this.#byKey.set(key, rows)
    return rows
  }
  /** While a changelog is read from its start, a page may come before the ones in front of it: those are left out until they come. */
  decode(pages: readonly (Uint8Array | undefined)[]): State {
    const { type } = this.#options
    const states = pages.flatMap((bytes) => (bytes === undefined ? [] : [type.decode(bytes)]))
    const first: Record<string, unknown> = { ...states[0] }
    if (states.length === 1) return first as State
    for (const { name, idField } of type.kinds) if (idField !== undefined) first[name] = states.flatMap((state) => state[name] as unknown[])
    return first as State
  }
  remember(rows: Rows<State>): void {
    const { decodedMax } = this.#options
    this.#decoded.push(rows)
    if (this.#decoded.length <= decodedMax) return
    for (const old of this.#decoded.slice(0, decodedMax / 2)) old.drop()
    this.#decoded = this.#decoded.slice(decodedMax / 2)
  }
}
