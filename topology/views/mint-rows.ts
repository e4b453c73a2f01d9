// Rows of mints as the changelog has them: bytes by page, decoded when somebody asks.
import type { Key } from '../../schemas/keys.ts'
import type { MintState } from '../../schemas/types.ts'
import type { StateType } from '../engine/state-type.ts'
import type { MintSnapshot } from '../ports/mint-view.ts'

/** Snapshots that keep their decoded rows: about 4,000 mints of some kilobytes each. */
const DECODED_MAX = 4_096

/** A mint at one version of its rows. */
class Snapshot implements MintSnapshot {
  readonly mint: Key
  readonly version: number
  readonly pages: readonly Uint8Array[]
  readonly #owner: MintRowsByKey
  #state: MintState | undefined

  constructor(owner: MintRowsByKey, mint: Key, version: number, pages: readonly Uint8Array[]) {
    this.#owner = owner
    this.mint = mint
    this.version = version
    this.pages = pages
  }
  get state(): MintState {
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

/** The newest pages of each mint. Memory is the changelog's own size plus at most 4,096 decoded mints. */
export class MintRowsByKey {
  readonly #type: StateType
  readonly #byMint = new Map<Key, Snapshot>()
  #decoded: Snapshot[] = []

  constructor(type: StateType) {
    this.#type = type
  }
  get size(): number {
    return this.#byMint.size
  }
  get(mint: Key): MintSnapshot | undefined {
    return this.#byMint.get(mint)
  }
  /** Undefined also while only later pages have come. */
  firstPage(mint: Key): Uint8Array | undefined {
    return this.#byMint.get(mint)?.pages[0]
  }
  /** Puts one page in place (null takes it away); gives the mint's snapshot after it, undefined when nothing is left. */
  put(mint: Key, page: number, value: Uint8Array | null, offset: number): MintSnapshot | undefined {
    const before = this.#byMint.get(mint)
    before?.drop()
    const pages = [...(before?.pages ?? [])]
    if (value !== null) pages[page] = value
    else pages.length = Math.min(pages.length, page)
    if (pages.length === 0) {
      this.#byMint.delete(mint)
      return undefined
    }
    const snapshot = new Snapshot(this, mint, offset, pages)
    this.#byMint.set(mint, snapshot)
    return snapshot
  }
  /** While a changelog is read from its start, a page may come before the ones in front of it: those are left out until they come. */
  decode(pages: readonly (Uint8Array | undefined)[]): MintState {
    const states = pages.flatMap((bytes) => (bytes === undefined ? [] : [this.#type.decode(bytes) as unknown as MintState]))
    const first = { ...(states[0] as MintState) } as unknown as Record<string, unknown>
    if (states.length === 1) return first as unknown as MintState
    for (const kind of this.#type.kinds)
      if (kind.idField !== undefined)
        first[kind.name] = states.flatMap((state) => (state as unknown as Record<string, unknown[]>)[kind.name] as unknown[])
    return first as unknown as MintState
  }
  remember(snapshot: Snapshot): void {
    this.#decoded.push(snapshot)
    if (this.#decoded.length <= DECODED_MAX) return
    for (const old of this.#decoded.slice(0, DECODED_MAX / 2)) old.drop()
    this.#decoded = this.#decoded.slice(DECODED_MAX / 2)
  }
}
