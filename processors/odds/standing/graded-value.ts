// Which of a launch's values is graded: one for each head and model, so that launches count alike and their values depend on no other.
import { hash } from 'node:crypto'
import type { Key } from '../../../schemas/keys.ts'
import { JUDGED_AGES_S, type OddsHead, RUG_AGE_S_MAX } from '../heads.ts'

const HASH_DIGITS = 8
const AGES: Readonly<Record<OddsHead, readonly number[]>> = {
  rug_within_300s: JUDGED_AGES_S.filter((ageS) => ageS <= RUG_AGE_S_MAX),
  true_graduation: JUDGED_AGES_S,
}

/**
 * The age of a launch from which on its first value is graded, seconds: one of the judged ages of the head, by the hash of the mint.
 *
 * The choice may know nothing that came after the value. The newest value before the outcome does: of two launches with the same odds, one
 * that ends soon keeps this value and one that goes on replaces it, so that perfect odds would look wrong.
 */
export const gradedFromS = (head: OddsHead, mint: Key): number => {
  const ages = AGES[head]
  const digest = hash('sha256', Buffer.from(`${head}:${mint}`, 'latin1'))
  return ages[Number.parseInt(digest.slice(0, HASH_DIGITS), 16) % ages.length] as number
}
