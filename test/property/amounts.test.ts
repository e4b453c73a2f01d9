// Folds over amounts of any size equal plain integer sums.
import fc from 'fast-check'
import { type Amount, amountOf } from '../../schemas/amount.ts'
import type { Key } from '../../schemas/keys.ts'
import type { Balance, MintState, PoolLiquidity, PoolTrade, PostCompleteBuy, TapeEvent, Trade } from '../../schemas/types.ts'
import { CREATOR, frame, handedOut, Market, wallet } from '../unit/processors/mint/market.ts'
import { fold, stateOf } from '../unit/processors/mint/mint-given.ts'

const MOST = 2n ** 256n - 1n
const within = (value: bigint): bigint => (value > MOST ? MOST : value < -MOST ? -MOST : value)

const large = fc.oneof(
  fc.bigInt(0n, 100n),
  fc.bigInt(2n ** 53n - 3n, 2n ** 53n + 3n),
  fc.bigInt(0n, 2n ** 64n - 1n),
  fc.bigInt(0n, MOST),
  fc.constant(MOST),
)
const who = fc.constantFrom(CREATOR, wallet(1), wallet(2))
type Moved = TapeEvent & (Trade | PoolTrade | PoolLiquidity | PostCompleteBuy | Balance)

const market = new Market()
const launch = market.launch()
const move: fc.Arbitrary<Moved> = fc
  .record({ who, units: large, quote: large, real: large, isGain: fc.boolean(), kind: fc.nat(4) })
  .map(({ who: user, units, quote, real, isGain, kind }): Moved => {
    const amounts = { tokenUnits: amountOf(units), quoteUnits: amountOf(quote) }
    if (kind === 0) return { ...market.poolTrade(user, isGain, 1), ...amounts }
    if (kind === 1) return { ...market.deposit(user, 1), isDeposit: !isGain, ...amounts }
    if (kind === 2) return { ...handedOut(user, 1), units: amountOf(isGain ? units : -units) }
    return { ...market.buy(user, 1), isBuy: isGain, ...amounts, realQuoteUnits: amountOf(real) }
  })

/** The history of a coin, in integers. */
class Model {
  readonly units = new Map<Key, bigint>()
  bought = 0n
  sold = 0n
  net = 0n
  peak = 0n

  take(event: Moved): void {
    const isBalance = event.type === 'balance'
    const user = isBalance ? event.owner : event.user
    const isGain = isBalance
      ? event.units > 0
      : event.type === 'poolLiquidity'
        ? !event.isDeposit
        : event.type !== 'postCompleteBuy' && event.isBuy
    const size = BigInt(isBalance ? event.units : event.tokenUnits)
    const change = isBalance || isGain ? size : -size
    this.units.set(user, within((this.units.get(user) ?? 0n) + change))
    if (user === CREATOR && isGain && event.type !== 'poolLiquidity') this.bought = within(this.bought + change)
    if (event.type !== 'trade' && event.type !== 'poolTrade') return
    if (user === CREATOR && !isGain) this.sold = within(this.sold + size)
    this.net = within(this.net + (isGain ? 1n : -1n) * BigInt(event.quoteUnits))
    const real = event.type === 'trade' ? BigInt(event.realQuoteUnits ?? 0) : 0n
    if (real > this.peak) this.peak = real
  }
}

const integer = (value: Amount | undefined): bigint => BigInt(value ?? 0)

test('holders, dev set, flows and peak equal plain integer sums for amounts of any size', () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
      const model = new Model()
      for (const event of moves) model.take(event)
      const events = moves.map((event, tx) => ({ ...event, tx }))
      const { holders, curve, flows }: MintState = stateOf(fold(frame(0, [launch]), frame(1, events)).engine)
      expect(new Map(holders.map(({ wallet: key, units }) => [key, integer(units)]))).toEqual(model.units)
      expect([curve?.devBoughtUnits, curve?.devSoldUnits, curve?.peakQuoteUnits].map(integer)).toEqual([
        model.bought,
        model.sold,
        model.peak,
      ])
      expect(integer(flows[0]?.netQuoteUnits)).toBe(model.net)
      for (const { units } of holders) expect(units).toBe(amountOf(BigInt(units)))
    }),
    { numRuns: 300 },
  )
})
