// pool_drained: the pool that the curve migrated to is down to a fifth of what it opened with.
import type { Amount } from '../../../schemas/amount.ts'
import { keyText } from '../../../schemas/keys.ts'
import { solOf } from '../card/amounts.ts'
import { noPoolOf } from '../card/nulls.ts'
import { isAtMostPercent } from '../fold/reserves.ts'
import { DRAINED_PERCENT } from '../thresholds.ts'
import type { Detector, Evidence } from './detector.ts'

const RESERVE = { type: 'amount', unit: 'SOL, or base units of quote_mint', isNullable: true } as const

/** JSON numbers are exact below 2^53. */
const baseUnits = (name: string, units: Amount): Evidence =>
  typeof units === 'number' ? { [name]: units } : { [name]: null, [`${name}_reason`]: `${units} base units: more than a JSON number holds` }

/** Ignores pools that others opened for the coin: their owner could drain them at will. Proof: the opening, and the causing event. */
export const poolDrained: Detector<{ percent: number }> = {
  id: 'pool-drained',
  version: 1,
  tier: 'active',
  flag: 'pool_drained',
  bit: 8,
  firesWhen: `the quote reserve (real and virtual) of the pool that the curve moved to is at most ${DRAINED_PERCENT} % of what it opened with; pools that others opened are not looked at`,
  evidence: {
    opening_quote: { ...RESERVE, words: 'reserve at the opening of the pool' },
    quote: { ...RESERVE, words: 'reserve when the flag fired' },
    quote_mint: { type: 'address', isOptional: true, words: 'the quote of the pool where it is not SOL' },
  },
  headline: { is: 'loss', before: 'opening_quote', after: 'quote' },
  settings: { percent: DRAINED_PERCENT },
  notJudged: (curve, pool) => (curve.migratedAt !== 0 && pool === undefined ? noPoolOf(curve) : undefined),
  find: ({ pool }, { percent }) => {
    if (pool === undefined || !isAtMostPercent(pool.quoteUnits, pool.openingQuoteUnits, percent)) return undefined
    const { openingQuoteUnits, quoteUnits, quoteMint } = pool
    if (quoteMint === null) return { opening_quote: solOf(openingQuoteUnits), quote: solOf(quoteUnits) }
    return { ...baseUnits('opening_quote', openingQuoteUnits), ...baseUnits('quote', quoteUnits), quote_mint: keyText(quoteMint) }
  },
  proof: ({ pool }) => (pool === undefined ? [] : [pool]),
}
