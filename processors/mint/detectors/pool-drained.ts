// pool_drained: the pool that the curve migrated to is down to a fifth of what it opened with.
import { toBase58 } from '../../../schemas/keys.ts'
import { solOf } from '../amounts.ts'
import { isAtMostPercent } from '../reserves.ts'
import { BIT_POOL_DRAINED } from '../rows.ts'
import { DRAINED_PERCENT } from '../thresholds.ts'
import type { Detector } from './detector.ts'

/**
 * Evidence {opening_quote, quote}: SOL, real and virtual; base units with `quote_mint` in pools with another quote. Pools that others
 * opened for the coin are not looked at: whoever opens one could drain it at will. Proven by the opening and the causing event.
 */
export const poolDrained: Detector = {
  id: 'pool-drained',
  version: 1,
  flag: 'pool_drained',
  bit: BIT_POOL_DRAINED,
  find: ({ pool }) => {
    if (pool === undefined || !isAtMostPercent(pool.quoteUnits, pool.openingQuoteUnits, DRAINED_PERCENT)) return undefined
    const { openingQuoteUnits, quoteUnits, quoteMint } = pool
    if (quoteMint === null) return { opening_quote: solOf(openingQuoteUnits), quote: solOf(quoteUnits) }
    return { opening_quote: openingQuoteUnits, quote: quoteUnits, quote_mint: toBase58(quoteMint) }
  },
  proof: ({ pool }) => (pool === undefined ? [] : [pool]),
}
