// Fault injection. Each fault is drawn from its own name and count, so a run with fewer faults keeps the others unchanged.
import { Dice, hashOf, shareAt } from './dice.ts'

/** Probability of each fault at one opportunity: a step of the scheduler, or a call of the named operation. */
const RATES = {
  'process crashes': 0.004,
  'power is lost': 0.0015,
  'process pauses': 0.005,
  'job is taken over': 0.006,
  'job moves': 0.006,
  'clock jumps': 0.004,
  'commit is refused for a while': 0.03,
  'commit is refused for long': 0.004,
  'commit fails before its effect': 0.01,
  'commit fails after its effect': 0.02,
  'commit is slow': 0.1,
  'commit in flight outlives its process': 0.5,
  'commit is seen late': 0.15,
  'transaction is left open': 0.2,
  'read is late': 0.05,
  'read is short': 0.2,
  'read fails': 0.002,
  'batch is handed over twice': 0.1,
  'batch is handed over late': 0.1,
  'batch is not handed over': 0.1,
  'message is lost': 0.4,
  'sink is slow': 0.15,
  'sink fails before its effect': 0.1,
  'sink fails after its effect': 0.1,
  'restore is overtaken': 0.02,
} as const

export type FaultKind = keyof typeof RATES

export const FAULT_KINDS = Object.keys(RATES) as readonly FaultKind[]

/** Multiplier of a kind of fault in one run: some runs have no fault of a kind, some have many. */
const STRENGTHS = [0, 0.5, 1, 1, 3]

interface Source {
  readonly start: number
  /** Share of the opportunities at which the fault happens. */
  readonly share: number
  count: number
}

export class Faults {
  /** Names of the injected faults, in order. */
  readonly fired: string[] = []
  readonly #seed: number
  readonly #only: ReadonlySet<string> | undefined
  readonly #sources: ReadonlyMap<FaultKind, Source>
  #isCalm = false

  /** With `only`, exactly the faults of these names happen. */
  constructor(seed: number, only?: readonly string[]) {
    this.#seed = seed
    this.#only = only && new Set(only)
    const dice = new Dice(seed, 'strengths')
    this.#sources = new Map(
      FAULT_KINDS.map((kind) => [kind, { start: hashOf(`${seed} ${kind}`), share: RATES[kind] * dice.pick(STRENGTHS), count: 0 }]),
    )
  }
  /** Injects no further faults. */
  calm(): void {
    this.#isCalm = true
  }
  /** True if the fault happens at this opportunity. */
  draw(kind: FaultKind): boolean {
    const source = this.#sources.get(kind) as Source
    const count = source.count++
    if (this.#isCalm) return false
    const happens = this.#only === undefined ? shareAt(source.start, count) < source.share : this.#only.has(`${kind} ${count}`)
    if (happens) this.fired.push(`${kind} ${count}`)
    return happens
  }
  /** Milliseconds, mostly few; zero if the fault does not happen. */
  delayMs(kind: FaultKind, maxMs: number): number {
    if (!this.draw(kind)) return 0
    return 1 + Math.floor(new Dice(this.#seed, `delay ${this.fired.at(-1)}`).share() ** 3 * maxMs)
  }
}

/** Number of each kind among the names. */
export const countKinds = (names: Iterable<string>): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const name of names) {
    const kind = name.replace(/ \d+$/, '')
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}
