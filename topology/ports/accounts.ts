// What the chain's accounts say of a mint that no fold covers. Adapters: the demo's own market; a node's RPC where one is set.
import type { AccountsRead } from '../../processors/accounts.ts'
import type { Key } from '../../schemas/keys.ts'

/** An answer takes at most so long: a paid card waits for it. */
export const READ_MS_MAX = 2_000

/** Reads accounts. A read that cannot be made within READ_MS_MAX answers why; it never rejects. */
export interface AccountReader {
  read(mint: Key): Promise<AccountsRead>
}
