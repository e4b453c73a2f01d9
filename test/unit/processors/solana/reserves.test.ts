import { decodeFrame } from '../../../../processors/chains/solana/decode-frame.ts'
import { readTrade } from '../../../../processors/chains/solana/events/pump-trade.ts'
import { CurveReserves } from '../../../../processors/verify/curve-reserves.ts'
import type { InLong } from '../../../../schemas/amount.ts'
import type { Trade } from '../../../../schemas/types.ts'
import { bytesOf, framesOf, frameTransaction, namesIn, open, sequences, vectors } from './fixtures.ts'

const anyTransaction = frameTransaction(open('tx/sell-V1tx-4DqvQfnU.json.gz'))

/** Every trade of the files and of the separate events, once per content. */
const trades = (): InLong<Trade>[] => {
  const files = [
    ...namesIn('tx').map((name) => `tx/${name}.gz`),
    'blocks/mainnet-285000037.getBlock.json.gz',
    'blocks/mainnet-332254908.ConfirmedBlock.pb.gz',
  ]
  const chain = files.flatMap((file) => framesOf(open(file)).flatMap((frame) => decodeFrame(frame).events))
  const loose = [...vectors, ...sequences.flatMap(({ events }) => events)]
    .filter(({ event }) => event === 'TradeEvent')
    .map((vector) => readTrade({ program: 'pump', outer: 0, inner: 1, bytes: bytesOf(vector), accounts: undefined }, anyTransaction))
    .flatMap((trade) => (trade.ok ? [trade.value] : []))
  return [...chain.flatMap((event) => (event.type === 'trade' ? [event] : [])), ...loose] as InLong<Trade>[]
}

/** The state before a trade, from the state after it. */
const before = (trade: Trade): { quote: bigint; token: bigint } => {
  const sign = trade.isBuy ? 1n : -1n
  return {
    quote: BigInt(trade.virtualQuoteUnits) - sign * BigInt(trade.quoteUnits),
    token: BigInt(trade.virtualTokenUnits) + sign * BigInt(trade.tokenUnits),
  }
}

/** The curve's integer formulas. An exact amount costs its price rounded up; an exact price gets what one unit less would buy. */
const follows = (trade: Trade): boolean => {
  const { quote, token } = before(trade)
  const amount = BigInt(trade.tokenUnits)
  const paid = BigInt(trade.quoteUnits)
  if (!trade.isBuy) return paid === (amount * quote) / (token + amount)
  return paid === (amount * quote) / (token - amount) + 1n || amount === ((paid - 1n) * token) / (quote + paid - 1n)
}

describe('reserves of the curve', () => {
  const all = trades()
  const checked = all.filter((trade) => trade.quoteMint === null && !trade.mayhem && !trade.isAgent)

  test('the formula gives the state after every decoded trade from the state before', () => {
    expect(checked.filter((trade) => !follows(trade))).toEqual([])
    expect(checked.filter((trade) => new CurveReserves().trade(trade).isByFormula !== true)).toEqual([])
    const cheaper = checked.map((trade) => ({ ...trade, quoteUnits: trade.quoteUnits - 1 }))
    expect(cheaper.filter((trade) => new CurveReserves().trade(trade).isByFormula !== follows(trade))).toEqual([])
    expect({ all: all.length, checked: checked.length, sells: checked.filter(({ isBuy }) => !isBuy).length }).toEqual({
      all: 104,
      checked: 102,
      sells: 39,
    })
  })

  test('virtual and real reserves keep their initial difference in every decoded trade', () => {
    const withReal = checked.filter(({ realQuoteUnits }) => realQuoteUnits !== null)
    const gaps = withReal.map((trade) => [
      trade.virtualQuoteUnits - (trade.realQuoteUnits as number),
      trade.virtualTokenUnits - (trade.realTokenUnits as number),
    ])
    expect(gaps.filter(([quote, token]) => quote !== 30_000_000_000 || token !== 279_900_000_000_000)).toEqual([])
    expect(gaps.length).toBeGreaterThan(50)
  })

  test('the formula detects a wrong reserve', () => {
    const [trade] = checked as [InLong<Trade>, ...InLong<Trade>[]]
    expect(follows({ ...trade, virtualQuoteUnits: trade.virtualQuoteUnits + 1_000_000 })).toBe(false)
  })
})
