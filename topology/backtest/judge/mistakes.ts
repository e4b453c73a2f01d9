// The worst mistakes of a candidate: those on the launches with the highest peaks.
import { type Amount, compareAmounts } from '../../../schemas/amount.ts'
import type { Mistake } from '../report-types.ts'

/** Limit for each kind. */
const KEPT_MAX = 5

export interface Missed extends Omit<Mistake, 'peakLamports' | 'explain'> {
  readonly peakUnits: Amount
}

export class Mistakes {
  readonly #kept = new Map<Mistake['kind'], Missed[]>()

  get state(): ReadonlyMap<Mistake['kind'], readonly Missed[]> {
    return this.#kept
  }
  goOn(state: ReadonlyMap<Mistake['kind'], readonly Missed[]>): void {
    for (const [kind, kept] of state) this.#kept.set(kind, [...kept])
  }
  /** `make` is called only if the mistake is kept. */
  add(kind: Mistake['kind'], peakUnits: Amount, make: () => Omit<Missed, 'kind' | 'peakUnits'>): void {
    const kept = this.#kept.get(kind) ?? []
    const last = kept[KEPT_MAX - 1]
    if (last !== undefined && compareAmounts(last.peakUnits, peakUnits) >= 0) return
    const place = kept.findIndex((one) => compareAmounts(one.peakUnits, peakUnits) < 0)
    kept.splice(place < 0 ? kept.length : place, 0, { kind, peakUnits, ...make() })
    this.#kept.set(kind, kept.slice(0, KEPT_MAX))
  }
  /** Costliest first. */
  get worst(): readonly Missed[] {
    return [...this.#kept.values()].flat().sort((a, b) => compareAmounts(b.peakUnits, a.peakUnits))
  }
}
