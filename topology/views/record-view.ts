// Creators and wallets, as in their changelogs. The view that follows the log puts their records.
import { readSchema } from '../../schemas/avro.ts'
import type { Key } from '../../schemas/keys.ts'
import type { CreatorState, WalletState } from '../../schemas/types.ts'
import { IN_MEMORY } from '../engine/rows/memory-pages.ts'
import { parsePageKey, type StateType, stateTypeOf } from '../engine/rows/state-type.ts'
import type { KeyedPages, PageStore } from '../ports/keyed-pages.ts'
import type { LogRecord } from '../ports/log.ts'
import type { RecordSnapshot, RecordView } from '../ports/record-view.ts'
import { stateIn } from './rows-by-key.ts'

/** Precedes each page: the offset of its record. */
const OFFSET_BYTES = 8

type RecordSchema = 'creator-state' | 'wallet-state'

/** Rows of millions of keys, few of which are ever read. */
class Records<State> {
  readonly #type: StateType
  readonly #pages: KeyedPages
  /** Buffer in which a page is joined with its offset. */
  #stamped = Buffer.allocUnsafeSlow(OFFSET_BYTES)

  constructor(schema: RecordSchema, pages: PageStore) {
    this.#type = stateTypeOf(readSchema(schema))
    this.#pages = pages.open()
  }
  get size(): number {
    return this.#pages.size
  }
  /** Undefined also if a page is missing. */
  get(key: Key): RecordSnapshot<State> | undefined {
    const numbered = this.#pages.numbered(key)
    if (numbered.length === 0 || numbered.some(([page], n) => page !== n)) return undefined
    const pages = numbered.map(([, page]) => page)
    const version = Math.max(...pages.map((page) => page.readDoubleLE(0)))
    return {
      version,
      state: stateIn<State>(
        this.#type,
        pages.map((page) => page.subarray(OFFSET_BYTES)),
      ),
    }
  }
  put({ key: bytes, value, offset }: LogRecord): void {
    const { key, page } = parsePageKey(bytes)
    if (value !== null) this.#put(key, page, value, offset)
    else {
      this.#pages.cut(key, page)
      const [first] = this.#pages.numbered(key)
      if (first !== undefined) this.#put(key, first[0], first[1].subarray(OFFSET_BYTES), offset)
    }
  }
  close(): void {
    this.#pages.close()
  }
  #put(key: string, page: number, value: Uint8Array, offset: number): void {
    if (this.#stamped.length < OFFSET_BYTES + value.length) this.#stamped = Buffer.allocUnsafeSlow(2 * (OFFSET_BYTES + value.length))
    this.#stamped.writeDoubleLE(offset, 0)
    this.#stamped.set(value, OFFSET_BYTES)
    this.#pages.put(key, page, this.#stamped.subarray(0, OFFSET_BYTES + value.length))
  }
}

/** The newest rows of each creator and wallet. */
export class RecordRows implements RecordView {
  readonly #pages: PageStore
  #creators: Records<CreatorState>
  #wallets: Records<WalletState>

  constructor(pages: PageStore = IN_MEMORY) {
    this.#pages = pages
    this.#creators = new Records('creator-state', pages)
    this.#wallets = new Records('wallet-state', pages)
  }
  creator(key: Key): RecordSnapshot<CreatorState> | undefined {
    return this.#creators.get(key)
  }
  wallet(key: Key): RecordSnapshot<WalletState> | undefined {
    return this.#wallets.get(key)
  }
  get size(): { readonly creators: number; readonly wallets: number } {
    return { creators: this.#creators.size, wallets: this.#wallets.size }
  }
  clearCreators(): void {
    this.#creators.close()
    this.#creators = new Records('creator-state', this.#pages)
  }
  clearWallets(): void {
    this.#wallets.close()
    this.#wallets = new Records('wallet-state', this.#pages)
  }
  putCreator(record: LogRecord): void {
    this.#creators.put(record)
  }
  putWallet(record: LogRecord): void {
    this.#wallets.put(record)
  }
}
