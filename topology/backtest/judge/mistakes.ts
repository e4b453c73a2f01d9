// The worst mistakes of a candidate: those on the launches with the highest peaks.
import { type Amount, compareAmounts } from '../../../schemas/amount.ts'
import type { Mistake } from '../report-types.ts'

/** Mistakes kept of each kind. */
const KEPT_MAX = 5

export interface KeptMistake extends Omit<Mistake, 'peakLamports' | 'explain'> {
  readonly peakUnits: Amount
}

export class Mistakes {
  readonly #kept = new Map<Mistake['kind'], KeptMistake[]>()

  get state(): ReadonlyMap<Mistake['kind'], readonly KeptMistake[]> {
    return this.#kept
  }
  restore(state: ReadonlyMap<Mistake['kind'], readonly KeptMistake[]>): void {
    for (const [kind, kept] of state) this.#kept.set(kind, [...kept])
  }
  /** Calls `make` only if the mistake is kept. */
  add(kind: Mistake['kind'], peakUnits: Amount, make: () => Omit<KeptMistake, 'kind' | 'peakUnits'>): void {
    const kept = this.#kept.get(kind) ?? []
    const last = kept[KEPT_MAX - 1]
    if (last !== undefined && compareAmounts(last.peakUnits, peakUnits) >= 0) return
    const index = kept.findIndex((one) => compareAmounts(one.peakUnits, peakUnits) < 0)
    kept.splice(index < 0 ? kept.length : index, 0, { kind, peakUnits, ...make() })
    this.#kept.set(kind, kept.slice(0, KEPT_MAX))
  }
  /** Costliest first. */
  get worst(): readonly KeptMistake[] {
    return [...this.#kept.values()].flat().sort((a, b) => compareAmounts(b.peakUnits, a.peakUnits))
  }
}
