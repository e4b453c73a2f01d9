import fc from 'fast-check'
import { Pad, SUPPLY_UNITS, snipeBpsAt } from '../../topology/simulator/alt/pad.ts'
import { readJson } from './processors/alt/fixtures.ts'

const THRESHOLD_WEI = 42n * 10n ** 17n
const RESERVED = 285714285714285714285714285n
const BUY = '0xec36bf57'
const SELL = '0x8113d738'

interface Recorded {
  readonly topics: readonly string[]
  readonly data: string
}
const wordsOf = ({ data }: Recorded): bigint[] => (data.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))

describe('a curve of the demo', () => {
  test('given the trades of a recorded curve of 1 % creator tax, gives their amounts, fees and taxes to the wei', () => {
    const pad = new Pad(THRESHOLD_WEI, 100n)
    const logs: readonly Recorded[] = readJson('curve').result
    const trades = logs.filter(({ topics }) => topics[0]?.startsWith(BUY) || topics[0]?.startsWith(SELL))
    const made = trades.map((log) => {
      const [amount = 0n] = wordsOf(log)
      if (log.topics[0]?.startsWith(SELL)) {
        const { quote, fee, tax } = pad.sell(amount)
        return [amount, quote, fee, tax]
      }
      const { spent, tokens, fee, tax } = pad.buy(amount, 0n)
      return [spent, tokens, fee, tax]
    })
    expect(made).toHaveLength(30)
    expect(made).toEqual(trades.map(wordsOf))
  })
  test('given a whole second after the launch, takes the snipe tax of the deployed contract', () => {
    expect([0, 1, 2, 3, 4].map((second) => snipeBpsAt(second, 0n))).toEqual([9_800n, 618n, 19n, 0n, 0n])
    expect(snipeBpsAt(0, 200n)).toBe(9_600n)
  })
  test('given any trades, keeps the reserves to what its events tell, and never sells what is reserved', () => {
    const trade = fc.record({
      type: fc.constantFrom('buy' as const, 'buy' as const, 'sell' as const, 'buyback' as const),
      share: fc.bigInt(1n, 1_000_000n),
      snipe: fc.constantFrom(0n, 19n, 618n, 9_600n),
    })
    fc.assert(
      fc.property(fc.constantFrom(0n, 100n, 200n), fc.array(trade, { maxLength: 60 }), (taxBps, trades) => {
        const pad = new Pad(THRESHOLD_WEI, taxBps)
        let [quote, tokens, held] = [0n, SUPPLY_UNITS, 0n]
        for (const { type, share, snipe } of trades) {
          if (tokens === RESERVED) break
          const wei = share * 2n * 10n ** 12n
          if (type === 'buy') {
            const bought = pad.buy(wei, snipe)
            expect(bought.spent + bought.refund).toBe(wei)
            expect(bought.refund >= 0n && bought.tokens >= 0n).toBe(true)
            quote += bought.spent - bought.fee - bought.tax
            tokens -= bought.tokens
            held += bought.tokens
            expect(bought.isFull).toBe(tokens === RESERVED)
          } else if (type === 'sell') {
            const sold = pad.sell((held * share) / 1_000_000n)
            quote -= sold.quote + sold.fee + sold.tax
            tokens += (held * share) / 1_000_000n
            held -= (held * share) / 1_000_000n
          } else {
            const locked = pad.buyback(wei)
            quote += locked === 0n ? 0n : wei
            tokens -= locked
          }
          expect([pad.realQuoteUnits, pad.tokenUnits]).toEqual([quote, tokens])
          expect(quote >= 0n && tokens >= RESERVED).toBe(true)
        }
      }),
      { numRuns: 200 },
    )
  })
})
