// A classifier two-sample test (Lopez-Paz and Oquab 2017): if a classifier cannot tell simulated launches from recorded ones, their
// distributions agree in the compared columns. Scores are of launches that the scoring model has not seen.
import { Seeded } from '../../../../processors/seeded.ts'
import { type Auc, aucOf } from './auc.ts'
import { fitLogistic } from './logistic.ts'
import type { Sample, Train } from './model.ts'
import { fitStumps } from './stumps.ts'

const FOLDS = 5
/** Random assignments to folds; a launch's score is the mean over them, so that the result depends less on one assignment. */
const ASSIGNMENTS = 5

/** One launch. */
export interface Row {
  readonly mint: string
  readonly figures: readonly number[]
}
export interface Compared {
  readonly columns: readonly string[]
  readonly recorded: readonly Row[]
  readonly simulated: readonly Row[]
}
export interface Result extends Auc {
  readonly classifier: string
  /** Of a model of all rows: which columns tell the two apart. */
  readonly explanation: string
}

const CLASSIFIERS: Readonly<Record<string, Train>> = { 'logistic regression': fitLogistic, 'boosted stumps': fitStumps }

/** The fold of each mint; each fold gets the same share of `rows`. All rows of a mint are in one fold. */
export const foldsOf = (rows: readonly Row[], random: Seeded): Map<string, number> => {
  const mints = [...new Set(rows.map(({ mint }) => mint))].sort()
  for (let last = mints.length - 1; last > 0; last--) {
    const other = random.int(last + 1)
    const mint = mints[last] as string
    mints[last] = mints[other] as string
    mints[other] = mint
  }
  return new Map(mints.map((mint, n) => [mint, n % FOLDS]))
}

const sampleOf = (recorded: readonly Row[], simulated: readonly Row[]): Sample => ({
  rows: [...recorded, ...simulated].map(({ figures }) => figures),
  labels: [...recorded.map(() => 1), ...simulated.map(() => 0)],
  weights: [...recorded.map(() => 1 / recorded.length), ...simulated.map(() => 1 / simulated.length)],
})

/** For each row its score by models that were fitted without its fold. */
const unseenScores = ({ recorded, simulated }: Compared, train: Train, seed: number): { recorded: number[]; simulated: number[] } => {
  const scores = { recorded: recorded.map(() => 0), simulated: simulated.map(() => 0) }
  const add = (into: number[], rows: readonly Row[], isIn: (row: Row) => boolean, score: (row: readonly number[]) => number): void => {
    for (const [n, row] of rows.entries()) if (isIn(row)) into[n] = (into[n] as number) + score(row.figures) / ASSIGNMENTS
  }
  for (let assignment = 0; assignment < ASSIGNMENTS; assignment++) {
    const random = new Seeded(seed, assignment)
    const folds = new Map([...foldsOf(recorded, random), ...foldsOf(simulated, random)])
    for (let fold = 0; fold < FOLDS; fold++) {
      const isIn = ({ mint }: Row): boolean => folds.get(mint) === fold
      const rest = (rows: readonly Row[]): Row[] => rows.filter((row) => !isIn(row))
      const { score } = train(sampleOf(rest(recorded), rest(simulated)))
      add(scores.recorded, recorded, isIn, score)
      add(scores.simulated, simulated, isIn, score)
    }
  }
  return scores
}

/** Both classifiers, the one that tells the two better apart first. Needs at least ten rows of each kind. */
export const compare = (compared: Compared, seed = 1): Result[] =>
  Object.entries(CLASSIFIERS)
    .map(([classifier, train]) => {
      const { recorded, simulated } = unseenScores(compared, train, seed)
      const explanation = train(sampleOf(compared.recorded, compared.simulated)).explain(compared.columns)
      return { classifier, explanation, ...aucOf(recorded, simulated) }
    })
    .sort((a, b) => b.auc - a.auc)
