// Grades one rule against the truth: how often it found something, how often it should have, and how often both agree.
import { type Key, toBase58 } from '../../../schemas/keys.ts'

export interface Grade {
  readonly rule: string
  readonly said: number
  readonly true: number
  readonly hits: number
  /** Null if the rule never found anything, or never should have. */
  readonly precision: number | null
  readonly recall: number | null
  /** The first few differences. */
  readonly misses: readonly string[]
}

/** A rule's finding about one subject, and the truth; null for none. A hit is the same value in both. */
export interface Judged {
  /** Name of the subject. */
  readonly of: string
  readonly truth: string | number | null
  readonly said: string | number | null
}

const MISSES_SHOWN = 3

export const gradeOf = (rule: string, judged: Iterable<Judged>): Grade => {
  const counts = { said: 0, true: 0, hits: 0 }
  const misses: string[] = []
  for (const { of, truth, said } of judged) {
    if (said !== null) counts.said++
    if (truth !== null) counts.true++
    if (truth !== null && said === truth) counts.hits++
    else if (truth !== said) misses.push(`${of}: true ${truth ?? 'never'}, found ${said ?? 'never'}`)
  }
  const share = (of: number): number | null => (of === 0 ? null : counts.hits / of)
  return { rule, ...counts, precision: share(counts.said), recall: share(counts.true), misses: misses.slice(0, MISSES_SHOWN) }
}

/** Pairs of a launch and one of its wallets, where both sides list wallets. */
export const pairs = (of: string, truth: Iterable<Key>, said: Iterable<Key>): Judged[] => {
  const [trues, saids] = [new Set(truth), new Set(said)]
  return [...new Set([...trues, ...saids])].map((wallet) => ({
    of,
    truth: trues.has(wallet) ? toBase58(wallet) : null,
    said: saids.has(wallet) ? toBase58(wallet) : null,
  }))
}
