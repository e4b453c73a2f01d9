// Rows about rules and limits that a running demo can show; of the others, the test that checks each.
import { ruleRows } from '../../conformance/rule-rows.ts'
import type { Answers } from './answers.ts'
import type { Demo, Json } from './demo.ts'
import { REFUSED } from './refused.ts'
import { CHECKS, cardsOf, dataOf } from './rule-checks.ts'
import { heldBy } from './unobserved.ts'
import { judged, unobserved, type Verdict } from './verdict.ts'

const LEADS_ON = 'ThinMintCard next.creator leads to the creator that the card names'
/** In addition to the rows. Mints with evicted rows: only their record names them. */
const leadsOn = (answers: Answers): Verdict => {
  const forgotten = cardsOf(answers).flatMap((card) => {
    const { history, next, last_seen: seen } = dataOf(card) as { history: Json | null; next: Json; last_seen?: Json }
    return typeof history?.creator === 'string' && seen === undefined
      ? [{ path: card.path, creator: history.creator, to: next.creator }]
      : []
  })
  if (forgotten.length === 0) return unobserved(LEADS_ON, 'no card of a forgotten mint')
  const lost = forgotten.find(({ to }) => !String(to).startsWith('/v1/creator/'))
  return judged(LEADS_ON, lost && `${lost.path} names ${lost.creator}, and next.creator is ${lost.to}`)
}

export const holdRules = async (demo: Demo, answers: Answers): Promise<readonly Verdict[]> => {
  const verdicts: Verdict[] = [leadsOn(answers)]
  for (const { row, file } of ruleRows) {
    const check = CHECKS[row] ?? REFUSED[row]
    verdicts.push(check === undefined ? unobserved(row, heldBy(file)) : judged(row, await check(demo, answers)))
  }
  return verdicts
}
