// Collects the runs of both sides and prints them: one line per run, then the ratios.
import type { Cache } from './comparator.ts'
import { CACHES, type Case, isGoal, nameOf, type Plan, processesOf } from './plan.ts'
import type { Figures } from './together.ts'

export const round = (value: number): number => Math.round(value * 1_000) / 1_000
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return ((sorted[(sorted.length - 1) >> 1] ?? Number.NaN) + (sorted[sorted.length >> 1] ?? Number.NaN)) / 2
}

/** Extracts one figure from the runs. */
export const field =
  (name: string) =>
  (figures: Figures): number =>
    figures[name] ?? Number.NaN

/** A compared figure, which has the same name on both sides. */
export interface Compared {
  readonly bench: string
  readonly figure: string
}

const streamsName = (cache: Cache, threads: number): string => `${cache}-${threads}`

export class Report {
  readonly #kind: string
  readonly #plan: Plan
  /** Figures of the runs of each variant, in the order of the rounds. */
  readonly #runs = new Map<string, Figures[]>()

  /** `kind`: what each run does. */
  constructor(kind: string, plan: Plan) {
    this.#kind = kind
    this.#plan = plan
  }
  addMintfold(variant: Case, figures: Figures): void {
    const { layout, undo, threads } = variant
    this.#add(nameOf(variant), { side: 'mintfold', layout, undo, threads, processes: processesOf(threads) }, figures)
  }
  addKafkaStreams(cache: Cache, threads: number, figures: Figures): void {
    this.#add(streamsName(cache, threads), { side: 'kafka-streams', cache, threads }, figures)
  }
  /** Prints for each case the median over the rounds of mintfold's value divided by that of Kafka Streams, and all values. */
  ratios(cases: readonly Case[], compared: readonly Compared[]): void {
    for (const { bench, figure } of compared)
      for (const variant of cases) {
        const mintfold = this.#values(nameOf(variant), figure)
        const streams = Object.fromEntries(CACHES.map((cache) => [cache, this.#values(streamsName(cache, variant.threads), figure)]))
        const ratio = (cache: Cache): number => round(median(mintfold.map((value, i) => value / (streams[cache]?.[i] ?? Number.NaN))))
        const { layout, undo, threads } = variant
        const detail = {
          ratio_to_object: ratio('object'),
          mintfold: mintfold.map(round),
          cache_on: streams.on?.map(round),
          object: streams.object?.map(round),
        }
        this.#plan.print({ bench, goal: isGoal(variant), layout, undo, threads, value: ratio('on'), unit: 'ratio', detail })
      }
  }

  #add(name: string, labels: object, figures: Figures): void {
    const runs = this.#runs.get(name) ?? []
    this.#runs.set(name, [...runs, figures])
    const values = Object.entries(figures).filter(([, value]) => typeof value === 'number')
    const rounded = Object.fromEntries(values.map(([key, value]) => [key, round(value)]))
    this.#plan.print({ run: this.#kind, round: runs.length + 1, ...labels, ...rounded })
  }
  #values(name: string, figure: string): number[] {
    return (this.#runs.get(name) ?? []).map(field(figure))
  }
}

/** Runs the steps of every round, every second round in reverse order, so that a drift of the machine's speed favours neither side. */
export const inRounds = async (rounds: number, steps: readonly ((round: number) => Promise<void>)[]): Promise<void> => {
  for (let n = 0; n < rounds; n++) for (const step of n % 2 === 0 ? steps : [...steps].reverse()) await step(n)
}
