// What became of a launch, as each head asks it.
import type { Outcome } from '../../../schemas/types.ts'
import { type OddsHead, RUG_HORIZON_S } from '../heads.ts'

type Settled = Pick<Outcome, 'rugged' | 'rugDtS' | 'graduated' | 'censored'>

/** Whether what the head says came true; null where that is not known, and never will be: a rug without a time, a launch cut short. */
export const labelOf = (head: OddsHead, { rugged, rugDtS, graduated, censored }: Settled): boolean | null => {
  if (censored !== null) return null
  if (head === 'true_graduation') return graduated
  if (rugged !== true) return rugged
  return rugDtS === null ? null : rugDtS <= RUG_HORIZON_S
}
