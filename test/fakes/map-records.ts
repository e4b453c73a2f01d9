// A RecordView over maps that tests fill. It does not simulate: the log, commits (a put is seen at once), or eviction of rows.
import type { Key } from '../../schemas/keys.ts'
import type { CreatorState, WalletState } from '../../schemas/types.ts'
import type { RecordSnapshot, RecordView } from '../../topology/ports/record-view.ts'

export class MapRecords implements RecordView {
  readonly #creators = new Map<Key, RecordSnapshot<CreatorState>>()
  readonly #wallets = new Map<Key, RecordSnapshot<WalletState>>()
  #version = 0

  putCreator(key: Key, state: CreatorState): void {
    this.#version += 1
    this.#creators.set(key, { version: this.#version, state })
  }
  putWallet(key: Key, state: WalletState): void {
    this.#version += 1
    this.#wallets.set(key, { version: this.#version, state })
  }
  creator(key: Key): RecordSnapshot<CreatorState> | undefined {
    return this.#creators.get(key)
  }
  wallet(key: Key): RecordSnapshot<WalletState> | undefined {
    return this.#wallets.get(key)
  }
}
