// An account as a node returns it.
import type { Key } from '../../../../schemas/keys.ts'

export interface RawAccount {
  /** The program that owns it. */
  readonly owner: Key
  readonly data: Uint8Array
}
