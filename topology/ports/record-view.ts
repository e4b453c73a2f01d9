// The API's read port for creators and wallets: committed rows by key.
import type { Key } from '../../schemas/keys.ts'
import type { CreatorState, WalletState } from '../../schemas/types.ts'

/** Rows at one version: the offset of their newest changelog record. Read-only. */
export interface RecordSnapshot<State> {
  readonly version: number
  readonly state: State
}

export interface RecordView {
  /** Undefined for a wallet without launches within the horizon. */
  creator(key: Key): RecordSnapshot<CreatorState> | undefined
  /** Undefined for a wallet that received no payment in the last half hour. */
  wallet(key: Key): RecordSnapshot<WalletState> | undefined
}
