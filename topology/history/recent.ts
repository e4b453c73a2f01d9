// Answers of a lookup, reused for a short time: a purchase needs the same one for its quote, its checks and its card.
import type { Key } from '../../schemas/keys.ts'
import { ShortLivedMap } from '../../schemas/short-lived-map.ts'
import type { QueryResult } from '../ports/history.ts'

const KEEP_MS = 2_000
const ENTRIES_MAX = 1_000

/** Keeps only answers: a query that was missed is asked again. */
export class Recent<Value> {
  readonly #kept = new ShortLivedMap<Key, { readonly key: Key; readonly result: QueryResult<Value>; readonly untilMs: number }>()

  async get(key: Key, ask: () => Promise<QueryResult<Value>>): Promise<QueryResult<Value>> {
    const kept = this.#kept.get(key)
    if (kept !== undefined && performance.now() < kept.untilMs) return kept.result
    const result = await ask()
    if (result.ok) this.#keep(key, result)
    return result
  }
  #keep(key: Key, result: QueryResult<Value>): void {
    this.#kept.delete(key)
    this.#kept.set(key, { key, result, untilMs: performance.now() + KEEP_MS })
    const [oldest] = this.#kept.values()
    if (this.#kept.size > ENTRIES_MAX && oldest !== undefined) this.#kept.delete(oldest.key)
  }
}
