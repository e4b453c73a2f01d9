// Selects the value of a launch that is graded: one for each head and model, so all launches weigh the same and their values are
// independent.
import { hash } from 'node:crypto'
import type { Key } from '../../../schemas/keys.ts'
import { JUDGED_AGES_S, type OddsHead, RUG_AGE_S_MAX } from '../heads.ts'

const HASH_DIGITS = 8
const AGES: Readonly<Record<OddsHead, readonly number[]>> = {
  rug_within_300s: JUDGED_AGES_S.filter((ageS) => ageS <= RUG_AGE_S_MAX),
  true_graduation: JUDGED_AGES_S,
}

/**
 * The age of a launch from which on its first value is graded, seconds: one of the judged ages of the head, chosen by the hash of the mint.
 *
 * The choice must not depend on anything after the value. The newest value before the outcome would depend on the outcome's time:
 * of two launches with the same odds, the one that settles soon keeps them and the other's are replaced, so perfect odds would look wrong.
 */
export const gradedFromS = (head: OddsHead, mint: Key): number => {
  const ages = AGES[head]
  const digest = hash('sha256', Buffer.from(`${head}:${mint}`, 'latin1'))
  return ages[Number.parseInt(digest.slice(0, HASH_DIGITS), 16) % ages.length] as number
}
