// The figures of a model in words.
import { ODDS_HEADS } from '../../../../processors/odds/heads.ts'
import type { ModelBody } from '../../../../processors/odds/model-file.ts'

const shown = (value: unknown): string => (typeof value === 'number' ? value.toFixed(4) : '-')

/** A line a head, of its test window. */
export const wordsOf = (heads: ModelBody['heads']): readonly string[] =>
  ODDS_HEADS.map((head) => {
    const { test = {}, creator_disjoint: disjoint = {} } = heads[head].metrics
    const skill = `Brier skill ${shown(test.brier_skill)} (of creators that were not seen ${shown(disjoint.brier_skill)}, of base rates by age and flags ${shown(test.table_brier_skill)})`
    const error = `ECE ${shown(test.ece)} (by chance ${shown(test.ece_by_chance)})`
    return `${head}: ${test.n} judgements of ${test.launches} later launches, ${shown(test.base_rate)} with the outcome; ${skill}, ${error}`
  })
