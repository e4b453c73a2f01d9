// Shares account reads for a moment: concurrent and following reads of the same mint get the same result.
import type { AccountsRead } from '../../processors/accounts.ts'
import type { Key } from '../../schemas/keys.ts'
import type { AccountReader } from '../ports/accounts.ts'

/** Maximum age of a result: the contract's freshness of thin cards. */
export const FRESH_MS = 1_000
/** Maximum cached results; about 2 KB each. */
export const ENTRIES_MAX = 1_024

interface Entry {
  readonly answer: Promise<AccountsRead>
  /** Expiry of the result; infinity while it is pending. */
  endsMs: number
}

/** Caches failures too, so that a failing node is not called for every card. */
export const sharedAccounts = (reader: AccountReader, nowMs: () => number = () => performance.now()): AccountReader => {
  const entries = new Map<Key, Entry>()
  return {
    read: (mint) => {
      const known = entries.get(mint)
      if (known !== undefined && nowMs() < known.endsMs) return known.answer
      const answer = reader.read(mint)
      const entry: Entry = { answer, endsMs: Number.POSITIVE_INFINITY }
      entries.delete(mint)
      entries.set(mint, entry)
      if (entries.size > ENTRIES_MAX)
        for (const oldest of entries.keys()) {
          entries.delete(oldest)
          break
        }
      void answer.then(() => {
        entry.endsMs = nowMs() + FRESH_MS
      })
      return answer
    },
  }
}
