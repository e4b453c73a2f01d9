// Creators and wallets as their changelogs have them. The view that follows the log puts their records.
import { loadType, readSchema } from '../../schemas/avro.ts'
import type { Key } from '../../schemas/keys.ts'
import type { CreatorState, WalletState } from '../../schemas/types.ts'
import { parsePageKey, stateTypeOf } from '../engine/state-type.ts'
import type { LogRecord } from '../ports/log.ts'
import type { RecordSnapshot, RecordView } from '../ports/record-view.ts'
import { Rows, RowsByKey } from './rows-by-key.ts'

/** Snapshots of each kind that keep their decoded rows. */
const DECODED_MAX = 256

const rowsOf = <State>(schema: 'creator-state' | 'wallet-state'): RowsByKey<State> =>
  new RowsByKey<State>({ type: stateTypeOf(readSchema(schema), loadType(schema)), decodedMax: DECODED_MAX, of: Rows })

/** Bytes of their own: a page that lies in the middle of what was read off a log would keep all of that in memory for weeks. */
const ownBytes = (value: Uint8Array | null): Uint8Array | null => value && new Uint8Array(value)

const putInto = (rows: RowsByKey<CreatorState> | RowsByKey<WalletState>, record: LogRecord): void => {
  const { key, page } = parsePageKey(record.key)
  rows.put(key as Key, page, ownBytes(record.value), record.offset)
}

/** The newest rows of each creator and wallet. */
export class RecordRows implements RecordView {
  #creators = rowsOf<CreatorState>('creator-state')
  #wallets = rowsOf<WalletState>('wallet-state')

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
    this.#creators = rowsOf('creator-state')
  }
  clearWallets(): void {
    this.#wallets = rowsOf('wallet-state')
  }
  putCreator(record: LogRecord): void {
    putInto(this.#creators, record)
  }
  putWallet(record: LogRecord): void {
    putInto(this.#wallets, record)
  }
}
