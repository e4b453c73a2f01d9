// Counts what callers hold at a time, such as requests in progress, so that none can hold all.
import { type CallerKey, callerKeys } from './caller-address.ts'

/** From this share of all on, only callers that hold none get one: the rest is kept for them. */
export const BUSY_SHARE = 0.75

export interface CallerLimits {
  /** A /48 of IPv6 may hold its multiple of it. */
  readonly perCaller: number
  readonly all?: number
}

export class CallerCounts {
  readonly #perCaller: number
  readonly #all: number
  readonly #held = new Map<string, number>()
  #taken = 0

  constructor({ perCaller, all = Number.POSITIVE_INFINITY }: CallerLimits) {
    this.#perCaller = perCaller
    this.#all = all
  }
  /** What the caller holds. @param address in canonical form. */
  of(address: string): number {
    return this.#heldBy(callerKeys(address)[0].key)
  }
  /** Takes one. Returns its release, to be called once, or whose limit is reached. @param address in canonical form. */
  take(address: string): (() => void) | 'caller' | 'all' {
    const keys = callerKeys(address)
    if (keys.some(({ key, share }) => this.#heldBy(key) >= this.#perCaller * share)) return 'caller'
    if (this.#taken >= (this.of(address) === 0 ? this.#all : this.#all * BUSY_SHARE)) return 'all'
    this.#add(keys, 1)
    return () => this.#add(keys, -1)
  }
  #heldBy(key: string): number {
    return this.#held.get(key) ?? 0
  }
  #add(keys: readonly CallerKey[], change: 1 | -1): void {
    this.#taken += change
    for (const { key } of keys) {
      const held = this.#heldBy(key) + change
      if (held > 0) this.#held.set(key, held)
      else this.#held.delete(key)
    }
  }
}
