// Whether each head is shown, over stream time: evaluated every five minutes, so every reader of the log gets the same result.

import { ODDS_HEADS, type OddsHead } from '../heads.ts'
import { faultOf } from './fault.ts'
import type { GradedRows } from './graded-rows.ts'
import { inForceAt, type ModelStanding } from './model-states.ts'

/** Seconds of stream time between two evaluations, which are at multiples of it. */
const LOOK_S = 300
/** If more evaluations than this are due at once (five weeks), the older ones are skipped. */
const LOOKS_MAX = 10_000
/** Changes that are kept. */
const CHANGES_MAX = 1_000

/** The result of evaluations from one until the next that differs. */
export interface Standing {
  readonly isShown: boolean
  /** Null where the head is shown. */
  readonly reason: string | null
  readonly modelId: string | null
  /** Since when `isShown` has its value, unix seconds; null before the first model. */
  readonly since: number | null
}

const NO_MODEL = 'no odds model is in force yet'
const UNSEEN: Standing = { isShown: false, reason: NO_MODEL, modelId: null, since: null }

/** `rows` must hold everything that resolved before `toS` when `advance` is called. */
export class Standings {
  readonly #rows: GradedRows
  readonly #models: () => Iterable<ModelStanding>
  readonly #now = new Map<OddsHead, Standing>()
  /** When a shown head was withdrawn, and when it was shown again. */
  readonly #changes = new Map<OddsHead, { readonly from: number; to: number | null }[]>()
  #next: number | null = null
  #looked = { version: -1, modelId: '', at: 0 }

  constructor(rows: GradedRows, models: () => Iterable<ModelStanding>) {
    this.#rows = rows
    this.#models = models
  }
  /** Time of the next evaluation, unix seconds; null before the first `advance`. */
  get next(): number | null {
    return this.#next
  }
  /** Evaluates at all multiples of the interval up to a time that are still due. The first call only sets the start. */
  advance(toS: number): void {
    this.#next ??= toS - (toS % LOOK_S) + LOOK_S
    this.#next = Math.max(this.#next, toS - (toS % LOOK_S) - LOOKS_MAX * LOOK_S)
    for (; this.#next <= toS; this.#next += LOOK_S) this.#look(this.#next)
  }
  standing(head: OddsHead): Standing {
    return this.#now.get(head) ?? UNSEEN
  }
  /** See `OddsView`. */
  withdrawnS(head: OddsHead, from: number, to: number): number {
    const times = this.#changes.get(head) ?? []
    return times.reduce((sum, time) => sum + Math.max(0, Math.min(to, time.to ?? to) - Math.max(from, time.from)), 0)
  }

  #look(at: number): void {
    const modelId = inForceAt(this.#models(), at)?.id ?? null
    if (modelId === null || this.#isKnown(modelId)) return
    this.#looked = { version: this.#rows.version, modelId, at }
    for (const head of ODDS_HEADS) {
      const reason = faultOf(head, this.#rows.before(modelId, head, at))
      this.#stand(head, { isShown: reason === null, reason, modelId }, at)
    }
  }
  /** True where nothing resolved since the last evaluation. */
  #isKnown(modelId: string): boolean {
    const { version, newestAt } = this.#rows
    return version === this.#looked.version && modelId === this.#looked.modelId && newestAt < this.#looked.at
  }
  #stand(head: OddsHead, now: Omit<Standing, 'since'>, at: number): void {
    const before = this.standing(head)
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
