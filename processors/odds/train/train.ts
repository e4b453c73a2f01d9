// Trains a model: cards of points from one window, calibrated on a later one, tested on a still later one.
import { compiled, ppmAt, scoreOf } from '../card.ts'
import { FEATURE_NAMES } from '../features.ts'
import { FEATURES_HASH } from '../features-hash.ts'
import { JUDGED_AGES_S, ODDS_HEADS, type OddsHead } from '../heads.ts'
import { type Card, type HeadBody, MODEL_FORMAT, type ModelBody } from '../model-file.ts'
import { knotsOf } from './calibrate.ts'
import { fitCard } from './fit-card.ts'
import { figuresOf, type Predicted, skillByDay } from './metrics.ts'
import type { TrainingRows } from './rows.ts'
import { type RowsWindow, SETTLE_S, type Split, splitOf, WINDOWS } from './split.ts'
import { cellOf, tableOf } from './table.ts'

/** Minimum settled launches in each window; with fewer, chance alone gives a calibration error of several per cent. */
export const LAUNCHES_MIN = 300
/**
 * Minimum launches with the outcome, and without it, for each head in each window: with 30 the relative standard error of a rate is about a
 * sixth.
 */
export const POSITIVES_MIN = 30
/** A card with this many calibration rows of its rarer label or more is calibrated on its own rows, any other on the rows of all ages. */
const OWN_CALIBRATION_MIN = 150
const MILLION = 1_000_000

const WIDTH = FEATURE_NAMES.length

/** A model, or why there is none. */
export type Training = { readonly ok: true; readonly body: ModelBody } | { readonly ok: false; readonly reason: string }

/**
 * `untilS`: stream time up to which outcomes are known. `left`: judgements without a row, by reason. A step takes below a second. The same
 * rows in the same order give the same model.
 */
export function* trainModel(
  set: TrainingRows,
  untilS: number,
  left: Readonly<Record<string, number>> = {},
): Generator<void, Training, void> {
  if (set.length === 0) return { ok: false, reason: `no launch with a judgement has settled; ${LAUNCHES_MIN} are needed in each window` }
  const split = splitOf(set, untilS)
  const reason = tooFew(set, split)
  if (reason !== undefined) return { ok: false, reason }
  const { windows, purged } = split
  const described = Object.fromEntries(
    WINDOWS.map((name) => {
      const { fromS, toS, launches, rows } = windows[name]
      return [name, { fromS, toS, launches, rows: rows.length }]
    }),
  ) as Pick<ModelBody['data'], 'train' | 'calibration' | 'test'>
  const heads: Partial<Record<OddsHead, HeadBody>> = {}
  for (const head of ODDS_HEADS) heads[head] = yield* headOf(set, split, head)
  return {
    ok: true,
    body: {
      format: MODEL_FORMAT,
      features: { names: [...FEATURE_NAMES], hash: FEATURES_HASH },
      data: { ...described, left: { ...left, dropped: set.dropped, purged } },
      heads: heads as ModelBody['heads'],
    },
  }
}

const tooFew = (set: TrainingRows, { windows }: Split): string | undefined => {
  for (const name of WINDOWS) {
    const { launches, rows } = windows[name]
    if (launches < LAUNCHES_MIN)
      return `${launches} launches of the ${name} window have settled; ${LAUNCHES_MIN} are needed, without those of the last ${SETTLE_S / 3_600} h of each window`
    for (const head of ODDS_HEADS) {
      const seen = [new Set<number>(), new Set<number>()] as const
      for (const row of rows) if (set.has(head, row)) seen[set.labels[head][row] as 0 | 1].add(set.launch[row] as number)
      for (const [label, words] of [
        [1, 'with'],
        [0, 'without'],
      ] as const)
        if (seen[label].size < POSITIVES_MIN)
          return `${seen[label].size} launches of the ${name} window are ${words} ${head}; ${POSITIVES_MIN} are needed`
    }
  }
  return undefined
}

function* headOf(set: TrainingRows, { windows }: Split, head: OddsHead): Generator<void, HeadBody, void> {
  const rowsOf = ({ rows }: RowsWindow, ageS?: number): Uint32Array =>
    rows.filter((row) => set.has(head, row) && (ageS === undefined || set.ageS[row] === ageS))
  const ages = JUDGED_AGES_S.filter((ageS) => rowsOf(windows.train, ageS).length > 0)
  const fitted: Card[] = []
  for (const ageS of ages) fitted.push({ ageS, ...(yield* fitCard(set, head, rowsOf(windows.train, ageS))), knots: [[0, 0]] })
  const later = fitted.map((card) => scored(set, head, card, rowsOf(windows.calibration, card.ageS)))
  const pooled = knotsOf(
    Float64Array.from(later.flatMap(({ scores }) => [...scores])),
    Uint8Array.from(later.flatMap(({ labels }) => [...labels])),
  )
  const cards = fitted.map((card, at): Card => {
    const { scores, labels } = later[at] as Scored
    const positives = labels.reduce((sum, label) => sum + label, 0)
    const isOwn = Math.min(positives, labels.length - positives) >= OWN_CALIBRATION_MIN
    return { ...card, knots: isOwn ? knotsOf(scores, labels) : pooled }
  })
  return { cards, metrics: metricsOf(set, head, cards, windows) }
}

interface Scored {
  readonly scores: Float64Array
  readonly labels: Uint8Array
}
const scored = (set: TrainingRows, head: OddsHead, card: Card, rows: Uint32Array): Scored => {
  const of = compiled(card)
  return {
    scores: Float64Array.from(rows, (row) => scoreOf(of, set.features, row * WIDTH)),
    labels: Uint8Array.from(rows, (row) => set.labels[head][row] as number),
  }
}

const metricsOf = (set: TrainingRows, head: OddsHead, cards: readonly Card[], windows: Split['windows']): HeadBody['metrics'] => {
  const byAge = new Map(cards.map((card) => [card.ageS, compiled(card)]))
  const judged = (rows: Uint32Array): Uint32Array => rows.filter((row) => set.has(head, row) && byAge.has(set.ageS[row] as number))
  const predicted = (rows: Uint32Array): Predicted => ({
    probabilities: Float64Array.from(rows, (row) => {
      const card = byAge.get(set.ageS[row] as number) as ReturnType<typeof compiled>
      return ppmAt(card, scoreOf(card, set.features, row * WIDTH)) / MILLION
    }),
    labels: Uint8Array.from(rows, (row) => set.labels[head][row] as number),
    launch: Float64Array.from(rows, (row) => set.launch[row] as number),
  })
  const before = [...judged(windows.train.rows), ...judged(windows.calibration.rows)]
  const table = tableOf(set, head, before)
  const tableAt = (rows: Uint32Array): Float64Array => Float64Array.from(rows, (row) => table(cellOf(set, row)))
  const known = new Set(before.map((row) => set.creator[row] as number))
  const test = judged(windows.test.rows)
  const disjoint = test.filter((row) => !known.has(set.creator[row] as number))
  const ages = cards.map(({ ageS }) => {
    const rows = test.filter((row) => set.ageS[row] === ageS)
    return [`age_${ageS}_s`, figuresOf(predicted(rows), tableAt(rows))] as const
  })
  return {
    test: figuresOf(predicted(test), tableAt(test)),
    creator_disjoint: figuresOf(predicted(disjoint), tableAt(disjoint)),
    skill_by_day: skillByDay(
      predicted(test),
      Float64Array.from(test, (row) => set.t0[row] as number),
    ),
    ...Object.fromEntries(ages),
  }
}
