// The outcome of a launch as each head's label.
import type { Outcome } from '../../schemas/types.ts'
import { type OddsHead, RUG_HORIZON_S } from './heads.ts'

type ResolvedLabels = Pick<Outcome, 'rugged' | 'rugDtS' | 'graduated' | 'censored'>

/** Whether the head's prediction came true; null where that will never be known: a rug without a time, a censored launch. */
export const labelOf = (head: OddsHead, { rugged, rugDtS, graduated, censored }: ResolvedLabels): boolean | null => {
  if (censored !== null) return null
  if (head === 'true_graduation') return graduated
  if (rugged !== true) return rugged
  return rugDtS === null ? null : rugDtS <= RUG_HORIZON_S
}
