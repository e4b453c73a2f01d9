// Whether each head is shown, over stream time: evaluated every five minutes, so every reader of the log gets the same result.

import { ODDS_HEADS, type OddsHead } from '../heads.ts'
import { faultOf } from './fault.ts'
import type { GradedRows } from './graded-rows.ts'
import { inForceAt, type ModelStanding } from './model-states.ts'

/** Seconds of stream time between two evaluations, which are at multiples of it. */
const INTERVAL_S = 300
/** If more evaluations than this are due at once (five weeks), the older ones are skipped. */
const EVALUATIONS_MAX = 10_000
/** Maximum number of periods without odds that are kept for each head. */
const CHANGES_MAX = 1_000

/** Whether a head is shown, as of the newest evaluation. */
export interface HeadVisibility {
  readonly isShown: boolean
  /** Null where the head is shown. */
  readonly reason: string | null
  readonly modelId: string | null
  /** Since when `isShown` has its value, unix seconds; null before the first model. */
  readonly since: number | null
}

const NO_MODEL = 'no odds model is in force yet'
const NOT_EVALUATED: HeadVisibility = { isShown: false, reason: NO_MODEL, modelId: null, since: null }

/** The visibility of each head. When `advance(toS)` is called, `rows` must contain all launches that resolved before `toS`. */
export class HeadStates {
  readonly #rows: GradedRows
  readonly #models: () => Iterable<ModelStanding>
  readonly #now = new Map<OddsHead, HeadVisibility>()
  /** When a shown head was withdrawn, and when it was shown again. */
  readonly #changes = new Map<OddsHead, { readonly from: number; to: number | null }[]>()
  #next: number | null = null
  #evaluated = { version: -1, modelId: '', at: 0 }

  constructor(rows: GradedRows, models: () => Iterable<ModelStanding>) {
    this.#rows = rows
    this.#models = models
  }
  /** Time of the next evaluation, unix seconds; null before the first `advance`. */
  get next(): number | null {
    return this.#next
  }
  /** Does all evaluations up to a time that are still due. The first call only sets the start. */
  advance(toS: number): void {
    this.#next ??= toS - (toS % INTERVAL_S) + INTERVAL_S
    this.#next = Math.max(this.#next, toS - (toS % INTERVAL_S) - EVALUATIONS_MAX * INTERVAL_S)
    for (; this.#next <= toS; this.#next += INTERVAL_S) this.#evaluate(this.#next)
  }
  headState(head: OddsHead): HeadVisibility {
    return this.#now.get(head) ?? NOT_EVALUATED
  }
  /** See `OddsView`. */
  withheldS(head: OddsHead, from: number, to: number): number {
    const times = this.#changes.get(head) ?? []
    return times.reduce((sum, time) => sum + Math.max(0, Math.min(to, time.to ?? to) - Math.max(from, time.from)), 0)
  }

  #evaluate(at: number): void {
    const modelId = inForceAt(this.#models(), at)?.id ?? null
    if (modelId === null || this.#isKnown(modelId)) return
    this.#evaluated = { version: this.#rows.version, modelId, at }
    for (const head of ODDS_HEADS) {
      const reason = faultOf(head, this.#rows.before(modelId, head, at))
      this.#update(head, { isShown: reason === null, reason, modelId }, at)
    }
  }
  /** True where the last evaluation still holds: the model is the same, and no launch has resolved or changed since. */
  #isKnown(modelId: string): boolean {
    const { version, newestAt } = this.#rows
    return version === this.#evaluated.version && modelId === this.#evaluated.modelId && newestAt < this.#evaluated.at
  }
  #update(head: OddsHead, now: Omit<HeadVisibility, 'since'>, at: number): void {
    const before = this.headState(head)
    const isSame = before.since !== null && before.isShown === now.isShown
    this.#now.set(head, { ...now, since: isSame ? before.since : at })
    if (isSame) return
    const times = this.#changes.get(head) ?? []
    const open = times.at(-1)
    if (now.isShown && open?.to === null) open.to = at
    if (!now.isShown && before.isShown) times.push({ from: at, to: null })
    this.#changes.set(head, times.slice(-CHANGES_MAX))
  }
}
