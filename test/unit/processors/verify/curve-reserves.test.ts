// The state of a curve before a trade, for impossible or unknown numbers.
import { CurveReserves } from '../../../../processors/verify/curve-reserves.ts'
import { MINT } from '../mint/market.ts'

const PLAIN = { type: 'trade' as const, mint: MINT, isAgent: false, mayhem: false, quoteMint: null, realQuoteUnits: null }
/** A sale of 10 coins to a curve of 90 and 100: floor(10 x 90 / 110) = 8. */
const SALE = { ...PLAIN, isBuy: false, tokenUnits: 10, quoteUnits: 8, virtualQuoteUnits: 82, virtualTokenUnits: 110 }

test.each([
  ['a sale by the formula', SALE, true],
  ['a sale for one unit more', { ...SALE, quoteUnits: 9, virtualQuoteUnits: 81 }, false],
  ['a sale from an empty reserve', { ...SALE, quoteUnits: 0, virtualQuoteUnits: 0 }, false],
  ['a sale to a curve without coins', { ...SALE, virtualTokenUnits: 10 }, false],
  ['a purchase of all coins', { ...SALE, isBuy: true, tokenUnits: 100, virtualTokenUnits: 0 }, false],
  ['a trade of the agent', { ...SALE, isAgent: true }, undefined],
  ['a trade in mayhem', { ...SALE, mayhem: true }, undefined],
  ['a trade for another quote', { ...SALE, quoteMint: MINT }, undefined],
])('%s', (_, trade, isByFormula) => {
  expect(new CurveReserves().trade(trade).isByFormula).toBe(isByFormula)
})

test('paid-in quote carries over from trade to trade of the agent, where it is known', () => {
  const curve = new CurveReserves()
  const trade = { ...SALE, isAgent: true, realQuoteUnits: 52 }
  expect(curve.trade(trade)).toMatchObject({ isFollowed: false, before: { quote: 90, token: 100 } })
  const next = { ...trade, virtualTokenUnits: 120, realQuoteUnits: 44 }
  expect(curve.trade(next)).toMatchObject({ isFollowed: true, mismatch: undefined })
  expect(curve.trade({ ...next, virtualTokenUnits: 130, realQuoteUnits: 35 }).mismatch).toMatchObject({
    expected: [44, 120],
    found: [43, 120],
  })
})
