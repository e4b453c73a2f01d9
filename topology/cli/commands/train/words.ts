// The figures of a model as text.
import { ODDS_HEADS } from '../../../../processors/odds/heads.ts'
import type { ModelBody } from '../../../../processors/odds/model-file.ts'

const shown = (value: unknown): string => (typeof value === 'number' ? value.toFixed(4) : '-')

/** One line per head, for its test window. */
export const wordsOf = (heads: ModelBody['heads']): readonly string[] =>
  ODDS_HEADS.map((head) => {
    const { test = {}, creator_disjoint: disjoint = {} } = heads[head].metrics
    const skill = `Brier skill ${shown(test.brier_skill)} (for creators not in the training data ${shown(disjoint.brier_skill)}; base rates by age and flags alone ${shown(test.table_brier_skill)})`
    const error = `ECE ${shown(test.ece)} (by chance ${shown(test.ece_by_chance)})`
    return `${head}: ${test.n} judgements of ${test.launches} later launches, ${shown(test.base_rate)} with the outcome; ${skill}, ${error}`
  })
