// Grades one rule against the truth: how often it found something, how often it should have, and how often both agree.
import { type Key, toBase58 } from '../../../schemas/keys.ts'

export interface Grade {
  readonly rule: string
  readonly predicted: number
  readonly true: number
  readonly hits: number
  /** Null if the rule found nothing. */
  readonly precision: number | null
  /** Null if there was nothing to find. */
  readonly recall: number | null
  /** The first few differences. */
  readonly misses: readonly string[]
}

/** A rule's finding about one subject, and the truth; null for none. A hit is the same value in both. */
export interface Judged {
  /** Name of the subject. */
  readonly of: string
  readonly truth: string | number | null
  readonly predicted: string | number | null
}

const MISSES_SHOWN = 3

export const gradeOf = (rule: string, judged: Iterable<Judged>): Grade => {
  const counts = { predicted: 0, true: 0, hits: 0 }
  const misses: string[] = []
  for (const { of, truth, predicted } of judged) {
    if (predicted !== null) counts.predicted++
    if (truth !== null) counts.true++
    if (truth !== null && predicted === truth) counts.hits++
    else if (truth !== predicted) misses.push(`${of}: true ${truth ?? 'never'}, found ${predicted ?? 'never'}`)
  }
  const share = (of: number): number | null => (of === 0 ? null : counts.hits / of)
  return { rule, ...counts, precision: share(counts.predicted), recall: share(counts.true), misses: misses.slice(0, MISSES_SHOWN) }
}

/** Pairs of a launch and one of its wallets, where both sides list wallets. */
export const pairs = (of: string, truth: Iterable<Key>, predicted: Iterable<Key>): Judged[] => {
  const [trues, predictions] = [new Set(truth), new Set(predicted)]
  return [...new Set([...trues, ...predictions])].map((wallet) => ({
    of,
    truth: trues.has(wallet) ? toBase58(wallet) : null,
    predicted: predictions.has(wallet) ? toBase58(wallet) : null,
  }))
}
