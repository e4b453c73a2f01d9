// The odds of a mint in answers: the newest logged value of each head while the head is shown; else null with the reason.

import { explain } from '../../../processors/mint/card/explain.ts'
import { GRADUATION_BUYS_MIN, JUDGED_AGES_S, ODDS_HEADS, type OddsHead, RUG_AGE_S_MAX } from '../../../processors/odds/heads.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { HeadState, LoggedOdds, OddsView } from '../../../topology/ports/odds.ts'

const NO_MODEL = 'no model of the odds is active'

const RUG_AGES = JUDGED_AGES_S.filter((ageS) => ageS <= RUG_AGE_S_MAX)
const AGE_S_MAX = JUDGED_AGES_S[JUDGED_AGES_S.length - 1]

/** Why a mint has no value of a head that is shown. */
const UNJUDGED: Readonly<Record<OddsHead, string>> = {
  rug_within_300s: `no prediction: launches are predicted at ages ${RUG_AGES.join(', ')} s`,
  true_graduation: `no prediction: launches are predicted from ${GRADUATION_BUYS_MIN} buys on, up to an age of ${AGE_S_MAX} s`,
}

/** The odds of a mint that may be shown now; a head without such odds is absent. */
export const shownOdds = (odds: OddsView, mint: Key): Readonly<Partial<Record<OddsHead, LoggedOdds>>> => {
  const logged = odds.of(mint)
  return Object.fromEntries(ODDS_HEADS.flatMap((head) => (logged[head] && odds.headState(head).isShown ? [[head, logged[head]]] : [])))
}

const reasonOf = ({ head, isShown, reason }: HeadState): string => (isShown ? UNJUDGED[head] : (reason ?? NO_MODEL))

/** `probabilities` of rows and items, with the ids of shown values for their proofs. */
export const probabilitiesOf = (odds: OddsView, mint: Key) => {
  const shown = shownOdds(odds, mint)
  const [rug, graduation] = ODDS_HEADS.map((head) => odds.headState(head)) as [HeadState, HeadState]
  return {
    ...explain(
      { rug_within_300s: shown.rug_within_300s?.probability ?? null, true_graduation: shown.true_graduation?.probability ?? null },
      { rug_within_300s: reasonOf(rug), true_graduation: reasonOf(graduation) },
    ),
    logged: Object.values(shown).map(({ head, id, modelId, at, ageS }) => ({ head, odds_id: id, model_id: modelId, at, age_s: ageS })),
  }
}
