// Current account state of a mint that no fold covers. Adapters: the demo's own market; a node's RPC where one is configured.
import type { AccountsRead } from '../../processors/accounts.ts'
import type { Key } from '../../schemas/keys.ts'

/** Limit of one read, ms: a paid card waits for it. */
export const READ_MS_MAX = 2_000

/** Reads accounts. If a read fails or exceeds READ_MS_MAX, the result holds the reason; it never rejects. */
export interface AccountReader {
  read(mint: Key): Promise<AccountsRead>
}
