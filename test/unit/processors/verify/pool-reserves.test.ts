// The required opening of a pool after a buy beyond its curve: checked once against the pool.
import { PoolReserves } from '../../../../processors/verify/pool-reserves.ts'
import type { Position } from '../../../../schemas/position.ts'
import { key } from '../mint/market.ts'

const AT: Position = { chain: 'solana', number: 9, tx: 1, outer: 0, inner: 0 }
const [MINT, POOL] = [key(1), key(3)]
const opening = { type: 'poolCreate' as const, pool: POOL, coinIsBase: true, tokenUnits: 700, quoteUnits: 85 }
const migration = { type: 'migrate' as const, mint: MINT, pool: POOL }
const beyond = (quote: number) => ({ type: 'postCompleteBuy' as const, mint: MINT, poolTokenUnitsAfter: 700, poolQuoteUnitsAfter: quote })

test('the pool must open with the remainder of a buy beyond the curve, and a second migration is not checked', () => {
  const reserves = new PoolReserves()
  expect(reserves.migrate(migration)).toBeUndefined()
  reserves.beyond(beyond(85))
  reserves.open(opening, AT)
  const first = reserves.migrate(migration)
  expect(first).toBeDefined()
  expect(reserves.migrate(migration)).toBeUndefined()
  const other = new PoolReserves()
  other.beyond(beyond(86))
  other.open(opening, AT)
  expect(other.migrate(migration)).not.toEqual(first)
})
