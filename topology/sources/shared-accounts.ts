// Account reads shared for a moment: whoever asks for the same mint meanwhile gets the same answer.
import type { AccountsRead } from '../../processors/accounts.ts'
import type { Key } from '../../schemas/keys.ts'
import type { AccountReader } from '../ports/accounts.ts'

/** How old an answer may be: the contract's freshness of thin cards. */
export const FRESH_MS = 1_000
/** Answers kept; about 2 KB each. */
export const ENTRIES_MAX = 1_024

interface Entry {
  readonly answer: Promise<AccountsRead>
  /** Of the answer; not yet there: infinity. */
  endsMs: number
}

/** Failures are shared too, so that a node in trouble is not asked by every card. */
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
