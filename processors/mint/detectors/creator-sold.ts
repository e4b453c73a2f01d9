// creator_sold: the first sell of the dev set, on the curve or in a pool.
import { shareOf, solOf } from '../card/amounts.ts'
import type { Detector } from './detector.ts'

/** Proven by the launch and the sell. */
export const creatorSold: Detector = {
  id: 'creator-sold',
  version: 1,
  tier: 'active',
  flag: 'creator_sold',
  bit: 1,
  firesWhen: 'the first sell by a wallet of the dev set, on the curve or in the pool',
  evidence: {
    tokens_share: { type: 'share', words: 'tokens sold / total supply' },
    sol: { type: 'amount', unit: 'SOL', isNullable: true, words: 'received for them, without fees' },
  },
  headline: { is: 'soldShare', field: 'tokens_share' },
  settings: {},
  find: ({ launch, curve }) => {
    if (curve.devFirstSellAt === 0) return undefined
    const tokensShare = shareOf(curve.devFirstSellUnits, launch.supplyUnits)
    if (curve.quoteMint === null && curve.devFirstSellQuoteUnits >= 0)
      return { tokens_share: tokensShare, sol: solOf(curve.devFirstSellQuoteUnits) }
    return { tokens_share: tokensShare, sol: null, sol_reason: 'sold for another quote than SOL' }
  },
  proof: ({ launch }) => [launch],
}
