// An account as a node gives it.
import type { Key } from '../../../../schemas/keys.ts'

export interface RawAccount {
  /** Program that owns it. */
  readonly owner: Key
  readonly data: Uint8Array
}
