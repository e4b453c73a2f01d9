// The odds of each launch as logged, until two hours after it resolved: the newest values, and the rows of the grade.

import type { Key } from '../../../schemas/keys.ts'
import type { ConclusionForm } from '../../../schemas/record-forms.ts'
import type { Conclusion, Odds, Outcome } from '../../../schemas/types.ts'
import { ODDS_HEADS, type OddsHead } from '../heads.ts'
import { labelOf } from '../labels.ts'
import { type GradedRow, GradedRows } from './graded-rows.ts'
import { gradedFromS } from './graded-value.ts'

/** How long a resolved launch is kept, seconds of stream time: a fork may roll back its outcome, and clients still request its values. */
const KEEP_RESOLVED_S = 7_200
/** Maximum number of launches: about 20 hours of ten times today's load; the oldest are dropped. */
const LAUNCHES_MAX = 300_000
/** Maximum number of frames whose launches are remembered: a retraction names its frame. */
const FRAMES_MAX = 10_000

type OutcomeConclusion = Conclusion & { readonly body: Outcome }

/** A logged value without the fields that its key and order imply, to save memory: ten times today's load has about a million of them. */
export interface BookedOdds extends Pick<Odds, 'head' | 'ageS' | 'ppm' | 'model' | 'shadow'>, Pick<Conclusion, 'number' | 'hash8' | 'at'> {}

interface Launch {
  /** In the order in which they were logged. */
  values: BookedOdds[]
  outcome: OutcomeConclusion | undefined
  readonly partition: number
  rows: readonly { readonly model: string; readonly head: OddsHead; readonly row: GradedRow }[]
}

/** Input: the conclusions of the topics `odds` and `outcomes`, each partition in order. Values may come after the outcome. */
export class OddsBook {
  readonly rows = new GradedRows()
  readonly #form: ConclusionForm
  readonly #launchesMax: number
  /** In the order of their first conclusion, or their outcome if they have one. */
  readonly #launches = new Map<Key, Launch>()
  /** For each frame number, the launches with a conclusion from that frame. */
  readonly #frames = new Map<number, Set<Key>>()
  /** When each launch resolved, unix seconds, in the order of their outcomes. */
  readonly #resolved = new Map<Key, number>()
  readonly #models = new Map<string, string>()
  #newest = 0

  constructor(form: ConclusionForm, launchesMax = LAUNCHES_MAX) {
    this.#form = form
    this.#launchesMax = launchesMax
  }
  put(conclusion: Conclusion, partition: number): void {
    const { body } = conclusion
    if (body.type === 'odds') this.#value(conclusion, body, partition)
    else if (body.type === 'outcome') this.#settle(conclusion as OutcomeConclusion, partition)
    else if (body.type === 'retraction') this.#retract(conclusion, partition)
    else if (body.type === 'revision') this.#revise(body, partition)
  }
  /** The newest value of a model that was in force, for each head; empty for a launch that resolved more than two hours ago. */
  newest(mint: Key): ReadonlyMap<OddsHead, BookedOdds> {
    const shown = (this.#launches.get(mint)?.values ?? []).filter(({ shadow }) => !shadow)
    return new Map(shown.map((value) => [value.head, value]))
  }
  get launches(): number {
    return this.#launches.size
  }

  #value(conclusion: Conclusion, { mint, head, ageS, ppm, model: name, shadow }: Odds, partition: number): void {
    const launch = this.#launchOf(conclusion, mint, partition)
    const { number, hash8, at } = conclusion
    const model = this.#models.get(name) ?? name
    this.#models.set(model, model)
    launch.values.push({ head, ageS, ppm, model, shadow, number, hash8, at })
    if (launch.outcome !== undefined) this.#grade(mint, launch)
  }
  #settle(outcome: OutcomeConclusion, partition: number): void {
    const { mint } = outcome.body
    const launch = this.#launchOf(outcome, mint, partition)
    launch.outcome = outcome
    // Dropped after all older launches: a fork that retracts the outcome must find the launch, to remove its graded rows.
    this.#launches.delete(mint)
    this.#launches.set(mint, launch)
    this.#resolved.delete(mint)
    this.#resolved.set(mint, outcome.at)
    this.#grade(mint, launch)
    this.#forget()
  }
  #launchOf({ number, at }: Conclusion, mint: Key, partition: number): Launch {
    this.#newest = Math.max(this.#newest, at)
    const launch = this.#launches.get(mint) ?? { values: [], outcome: undefined, partition, rows: [] }
    this.#launches.set(mint, launch)
    const frame = this.#frames.get(number) ?? new Set()
    this.#frames.set(number, frame.add(mint))
    if (this.#launches.size > this.#launchesMax) this.#launches.delete(this.#launches.keys().next().value as Key)
    return launch
  }
  #retract({ number, hash8 }: Conclusion, partition: number): void {
    const stays = (one: Pick<Conclusion, 'number' | 'hash8'>): boolean => one.number !== number || one.hash8 !== hash8
    for (const mint of this.#frames.get(number) ?? []) {
      const launch = this.#launches.get(mint)
      if (launch?.partition !== partition) continue
      launch.values = launch.values.filter(stays)
      if (launch.outcome !== undefined && !stays(launch.outcome)) launch.outcome = undefined
      this.#grade(mint, launch)
    }
  }
  /** Revises outcomes only: a logged value is never revised. */
  #revise({ withdrawn, said }: Extract<Conclusion['body'], { type: 'revision' }>, partition: number): void {
    for (const bytes of [withdrawn, said]) {
      const read = bytes === null ? undefined : this.#form.codec.decode(bytes)
      if (read?.ok !== true || read.value.body.type !== 'outcome') continue
      const { mint } = read.value.body
      const launch = this.#launches.get(mint)
      if (bytes === said) this.#settle(read.value as OutcomeConclusion, partition)
      else if (launch?.outcome?.id === read.value.id) {
        launch.outcome = undefined
        this.#grade(mint, launch)
      }
    }
  }
  /** Rebuilds the rows of a launch. */
  #grade(mint: Key, launch: Launch): void {
    for (const { model, head, row } of launch.rows) this.rows.remove(model, head, row)
    launch.rows = ODDS_HEADS.flatMap((head) => rowsOf(mint, head, launch))
    for (const { model, head, row } of launch.rows) this.rows.add(model, head, row)
  }
  #forget(): void {
    const oldest = this.#newest - KEEP_RESOLVED_S
    for (const [mint, at] of this.#resolved) {
      if (at >= oldest) break
      this.#resolved.delete(mint)
      if (this.#launches.get(mint)?.outcome !== undefined) this.#launches.delete(mint)
    }
    for (const number of this.#frames.keys()) {
      if (this.#frames.size <= FRAMES_MAX) break
      this.#frames.delete(number)
    }
  }
}

/** For each model, the launch's first value from the age that `gradedFromS` chooses on. */
const rowsOf = (mint: Key, head: OddsHead, { values, outcome }: Launch): Launch['rows'] => {
  const isTrue = outcome === undefined ? null : labelOf(head, outcome.body)
  if (outcome === undefined || isTrue === null) return []
  const fromS = gradedFromS(head, mint)
  const first = new Map<string, BookedOdds>()
  for (const value of values) {
    const { ageS, model } = value
    if (value.head === head && ageS >= fromS && ageS < (first.get(model)?.ageS ?? Number.POSITIVE_INFINITY)) first.set(model, value)
  }
  const { at, number, tx, outer, inner } = outcome
  return [...first].map(([model, { ageS, ppm }]) => ({ model, head, row: { mint, at, number, tx, outer, inner, ageS, ppm, isTrue } }))
}
