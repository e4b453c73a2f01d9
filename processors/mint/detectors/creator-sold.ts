// creator_sold: the first sell of the dev set, on the curve or in a pool.
import { shareOf, solOf } from '../amounts.ts'
import { BIT_CREATOR_SOLD } from '../rows.ts'
import type { Detector } from './detector.ts'

/** Evidence {tokens_share: of total supply, sol: without fees}. */
export const creatorSold: Detector = {
  id: 'creator-sold',
  version: 1,
  flag: 'creator_sold',
  bit: BIT_CREATOR_SOLD,
  find: ({ launch, curve }) => {
    if (curve.devFirstSellAt === 0) return undefined
    const tokensShare = shareOf(curve.devFirstSellUnits, launch.supplyUnits)
    if (curve.quoteMint === null && curve.devFirstSellQuoteUnits >= 0)
      return { tokens_share: tokensShare, sol: solOf(curve.devFirstSellQuoteUnits) }
    return { tokens_share: tokensShare, sol: null, sol_reason: 'sold for another quote than SOL' }
  },
  proof: ({ launch }) => [launch],
}
