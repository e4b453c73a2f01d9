// What the API sees of creators and wallets: committed rows by key.
import type { Key } from '../../schemas/keys.ts'
import type { CreatorState, WalletState } from '../../schemas/types.ts'

/** Rows at one version: the offset of their newest changelog record. Treat as read only. */
export interface RecordSnapshot<State> {
  readonly version: number
  readonly state: State
}

export interface RecordView {
  /** Undefined for a wallet that launched nothing within the horizon. */
  creator(key: Key): RecordSnapshot<CreatorState> | undefined
  /** Undefined for a wallet that was paid nothing in the last half hour. */
  wallet(key: Key): RecordSnapshot<WalletState> | undefined
}
