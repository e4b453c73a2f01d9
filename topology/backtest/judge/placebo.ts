// The placebo: the expected hits of a detector that flags as many launches, after as many events, but picks them at random.
import type { Firing, Trial } from '../trials/trial.ts'
import { classOf } from '../trials/trial.ts'

/** For each class of event counts: how many launches reached it, and how many of these rugged at least `delayS` after reaching it. */
export class ReachedClasses {
  readonly #launches: number[] = []
  readonly #hits: number[] = []

  get state(): readonly (readonly number[])[] {
    return [this.#launches, this.#hits]
  }
  restore([launches = [], hits = []]: readonly (readonly number[])[]): void {
    this.#launches.push(...launches)
    this.#hits.push(...hits)
  }
  /** `ruggedAt`: unix seconds; null if the launch did not rug. */
  add({ reachedAt }: Trial, ruggedAt: number | null, delayS: number): void {
    for (const [eventClass, at] of reachedAt.entries()) {
      this.#launches[eventClass] = (this.#launches[eventClass] ?? 0) + 1
      if (ruggedAt !== null && ruggedAt - at >= delayS) this.#hits[eventClass] = (this.#hits[eventClass] ?? 0) + 1
    }
  }
  /** Of the launches that reached the class, the share for which a flag at that moment would have been a hit. */
  hitShareOf(eventClass: number): number {
    return (this.#hits[eventClass] ?? 0) / Math.max(1, this.#launches[eventClass] ?? 0)
  }
}

/** The judged flags of a candidate, by the class of event counts at which they fired. */
export class FlagClasses {
  readonly #flags: number[] = []

  get state(): readonly number[] {
    return this.#flags
  }
  restore(flags: readonly number[]): void {
    this.#flags.push(...flags)
  }
  add({ events }: Firing): void {
    const eventClass = classOf(events)
    this.#flags[eventClass] = (this.#flags[eventClass] ?? 0) + 1
  }
  /** Each class's chance of a hit, and its number of flags. */
  chances(reached: ReachedClasses): readonly { readonly chance: number; readonly flags: number }[] {
    return this.#flags.flatMap((flags, eventClass) => (flags > 0 ? [{ chance: reached.hitShareOf(eventClass), flags }] : []))
  }
}

/** Above this number of flags the number of hits is approximated by a normal distribution of the same mean and variance. */
const EXACT_MAX = 4_000

/**
 * Probability of at least `hits` hits in independent trials, `flags` of them with each `chance`. This is the tail of the Poisson-binomial
 * distribution, computed by its recursion (Hong 2013, "On computing the distribution function for the Poisson binomial distribution",
 * eq. 9). For more than 4,000 trials it is the normal approximation with a continuity correction.
 */
export const tailOf = (chances: readonly { readonly chance: number; readonly flags: number }[], hits: number): number => {
  const trials = chances.reduce((sum, { flags }) => sum + flags, 0)
  if (hits <= 0) return 1
  if (hits > trials) return 0
  if (trials > EXACT_MAX) return normalTail(chances, hits)
  const density = new Float64Array(trials + 1)
  density[0] = 1
  let done = 0
  for (const { chance, flags } of chances)
    for (let n = 0; n < flags; n++) {
      done += 1
      for (let k = done; k > 0; k--) density[k] = (density[k] as number) * (1 - chance) + (density[k - 1] as number) * chance
      density[0] = (density[0] as number) * (1 - chance)
    }
  let tail = 0
  for (let k = trials; k >= hits; k--) tail += density[k] as number
  return Math.min(1, tail)
}

const normalTail = (chances: readonly { readonly chance: number; readonly flags: number }[], hits: number): number => {
  const mean = chances.reduce((sum, { chance, flags }) => sum + chance * flags, 0)
  const variance = chances.reduce((sum, { chance, flags }) => sum + chance * (1 - chance) * flags, 0)
  if (variance === 0) return hits <= mean ? 1 : 0
  return upperTail((hits - 0.5 - mean) / Math.sqrt(variance))
}

/** Upper tail of the standard normal distribution, by expansion 26.2.17 of Abramowitz and Stegun: within 7.5e-8. */
const upperTail = (z: number): number => {
  if (z < 0) return 1 - upperTail(-z)
  const t = 1 / (1 + 0.2316419 * z)
  const terms = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const sum = terms.reduceRight((rest, term) => (rest + term) * t, 0)
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum
}
