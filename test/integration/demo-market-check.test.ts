import { CHECK_RATE, checkMarket, tableOf } from '../tools/market-check/check-market.ts'

test('the simulated market has the figures of the recorded ones', () => {
  const { rows } = checkMarket({ seed: 2, startMs: Date.UTC(2026, 9, 15, 6), rate: CHECK_RATE }, 2)
  expect(rows).toHaveLength(20)
  expect(tableOf(rows.filter(({ verdict }) => verdict === 'no'))).toBe(tableOf([]))
})
