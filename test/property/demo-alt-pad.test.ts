// The demo's curve against the launchpad's formulas, implemented a second time from the chain's documented rules, and recorded trades.
import fc from 'fast-check'
import { decodeEventLog, type Hex } from 'viem'
import { Pad, SUPPLY_UNITS, snipeBpsAt } from '../../topology/simulator/alt/pad.ts'
import { ABI_EVENTS, readJson } from '../unit/processors/alt/fixtures.ts'

const ETH = 10n ** 18n
const THRESHOLD = (42n * ETH) / 10n
const BPS = 10_000n
/** Snipe tax of a buy after the launch's first seconds; the schedule's steps. */
const SNIPES = [0n, 0n, 0n, 19n, 618n]

type Op =
  | { readonly type: 'buy'; readonly parts: number; readonly snipe: bigint }
  | { readonly type: 'sell'; readonly percent: number }
  | { readonly type: 'buyback'; readonly parts: number }

/** In ten thousandths of the threshold: from zero to three times the threshold. */
const parts = fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 0, max: 900 }) }, fc.integer({ min: 900, max: 30_000 }))
const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('buy' as const), parts, snipe: fc.constantFrom(...SNIPES) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('sell' as const), percent: fc.integer({ min: 1, max: 100 }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('buyback' as const), parts }) },
)
const lives = fc.record({
  threshold: fc.constantFrom(THRESHOLD, 12_600n * 10n ** 6n, 7n * 10n ** 21n, 99_999n),
  taxBps: fc.constantFrom(0n, 100n, 200n, 500n),
  ops: fc.array(op, { maxLength: 40, size: 'max' }),
})

/** Real quote and tokens of a curve according to its logs. */
interface Logged {
  quote: bigint
  tokens: bigint
}

describe('a curve of the demo', () => {
  test('charges fees, tokens and refunds by the formulas for any trades, and its logs give its reserves to the wei', () => {
    let [full, bought] = [0, 0]
    fc.assert(
      fc.property(lives, ({ threshold, taxBps, ops }) => {
        const pad = new Pad(threshold, taxBps)
        const phantom = (threshold * 4n) / 10n
        const reserved = (SUPPLY_UNITS * phantom) / (phantom + threshold)
        const logged: Logged = { quote: 0n, tokens: SUPPLY_UNITS }
        const buy = ({ parts: some, snipe }: Extract<Op, { type: 'buy' }>): boolean => {
          const quoteIn = (threshold * BigInt(some)) / BPS
          const { quote, tokens } = logged
          const made = pad.buy(quoteIn, snipe)
          const { spent, refund, fee, tax } = made
          expect([spent + refund, made.snipe, fee, tax]).toEqual([
            quoteIn,
            (spent * snipe) / BPS,
            spent / 100n + (spent * snipe) / BPS,
            (spent * taxBps) / BPS,
          ])
          const net = spent - fee - tax
          const out = (net * tokens) / (phantom + quote + net)
          expect(made.tokens).toBe(made.isFull ? tokens - reserved : out)
          expect(out >= made.tokens && (refund === 0n || made.isFull)).toBe(true)
          logged.quote += net
          logged.tokens -= made.tokens
          return made.isFull
        }
        const sell = (percent: number): void => {
          const tokensIn = ((SUPPLY_UNITS - logged.tokens) * BigInt(percent)) / 100n
          const gross = (tokensIn * (phantom + logged.quote)) / (logged.tokens + tokensIn)
          const { quote, fee, tax } = pad.sell(tokensIn)
          expect([fee, tax, quote + fee + tax]).toEqual([gross / 100n, (gross * taxBps) / BPS, gross])
          logged.quote -= gross
          logged.tokens += tokensIn
        }
        for (const one of ops) {
          const product = (phantom + logged.quote) * logged.tokens
          let isFull = false
          if (one.type === 'buy') isFull = buy(one)
          else if (one.type === 'sell') sell(one.percent)
          else {
            const quoteIn = (threshold * BigInt(one.parts)) / BPS
            const locked = pad.buyback(quoteIn)
            if (locked > 0n) logged.quote += quoteIn
            logged.tokens -= locked
          }
          expect([pad.realQuoteUnits, pad.tokenUnits]).toEqual([logged.quote, logged.tokens])
          expect(pad.realQuoteUnits >= 0n && pad.tokenUnits >= reserved).toBe(true)
          expect((phantom + logged.quote) * logged.tokens >= product).toBe(true)
          bought += 1
          if (!isFull) continue
          full += 1
          expect([pad.tokenUnits, pad.realQuoteUnits >= threshold]).toEqual([reserved, true])
          break
        }
      }),
      { numRuns: 300 },
    )
    expect([full > 20, bought > 2_000]).toEqual([true, true])
  })

  test("ends at the pool's reserved tokens when filled, and within 1,000 wei of the threshold", () => {
    const ends = fc.array(fc.record({ milli: fc.integer({ min: 1, max: 400 }), snipe: fc.constantFrom(...SNIPES) }), { maxLength: 20 })
    fc.assert(
      fc.property(ends, (buys) => {
        const pad = new Pad(THRESHOLD, 100n)
        const isOver = buys.some(({ milli, snipe }) => pad.buy((BigInt(milli) * ETH) / 1_000n, snipe).isFull)
        if (!isOver) expect(pad.buy(100n * ETH, 0n)).toMatchObject({ isFull: true })
        expect(pad.tokenUnits).toBe(285_714_285_714_285_714_285_714_285n)
        expect(pad.realQuoteUnits - THRESHOLD).toBeLessThan(1_000n)
      }),
    )
  })

  test('takes the snipe tax of the schedule at whole seconds after the launch, and at least a hundredth reaches the curve', () => {
    const schedule = (taxBps: bigint): bigint[] => [0, 1, 2, 3, 4, 3_600].map((elapsedS) => snipeBpsAt(elapsedS, taxBps))
    expect(schedule(0n)).toEqual([9_800n, 618n, 19n, 0n, 0n, 0n])
    expect(schedule(500n)).toEqual([9_300n, 618n, 19n, 0n, 0n, 0n])
  })
})

type Args = Readonly<Record<string, bigint>>
interface Event {
  readonly name: string
  readonly args: Args
}
const abi = [...ABI_EVENTS.values()]
const eventsIn = (logs: readonly { readonly topics: [Hex, ...Hex[]]; readonly data: Hex }[]): Event[] =>
  logs.flatMap(({ topics, data }) => {
    const isKnown = abi.some((one) => ['CurveBuy', 'CurveSell', 'SnipeTaxCharged'].includes(one.name) && matches(one.name, topics[0]))
    if (!isKnown) return []
    const { eventName, args } = decodeEventLog({ abi, topics, data }) as unknown as { eventName: string; args: Args }
    return [{ name: eventName, args }]
  })
const TOPICS: Readonly<Record<string, string>> = {
  CurveBuy: '0xec36bf571f136799e8dc0b0b8bea4b04d8bd3d43de838aab0d5fc21d4cbfc455',
  CurveSell: '0x8113d738abdcb6b38357e9d53a54a7157861a09031b453651f0fe7fe151f59df',
  SnipeTaxCharged: '0x3bc39a5562b28f5fe8f36cecabfbaa12bb969acf05717994709225fc412a9934',
}
const matches = (name: string, topic: string): boolean => TOPICS[name] === topic
const traded = (pad: Pad, { name, args }: Event, snipe: bigint): object => {
  if (name === 'CurveSell') {
    const { quote, fee, tax } = pad.sell(args.tokensIn as bigint)
    return { tokensIn: args.tokensIn, quoteOut: quote, fee, tax }
  }
  const { spent, tokens, fee, tax } = pad.buy(args.quoteIn as bigint, snipe)
  return { quoteIn: spent, tokensOut: tokens, fee, tax }
}
const figuresOf = ({ args }: Event): object => Object.fromEntries(Object.entries(args).filter(([, value]) => typeof value === 'bigint'))

describe('recorded trades', () => {
  test("the first thirty trades of a curve give the same figures on the demo's curve", () => {
    const trades = eventsIn(readJson('curve').result).filter(({ name }) => name !== 'SnipeTaxCharged')
    expect(trades).toHaveLength(30)
    const first = (trades[0] as Event).args as { tax: bigint; quoteIn: bigint }
    const pad = new Pad(THRESHOLD, (first.tax * BPS) / first.quoteIn)
    for (const trade of trades) expect(traded(pad, trade, 0n)).toEqual(figuresOf(trade))
    expect([pad.realQuoteUnits, pad.tokenUnits]).toEqual([1_001_227_946_752_784_009n, 626_578_580_174_295_135_537_342_258n])
  })

  test("a launch with a buy, and a taxed buy two seconds later, give the chain's figures", () => {
    const [launched, ...taxed] = [...eventsIn(readJson('launch').result.logs), ...eventsIn(readJson('taxedBuy').result.logs)]
    const buy = taxed.find(({ name }) => name === 'CurveBuy') as Event
    const charged = taxed.find(({ name }) => name === 'SnipeTaxCharged') as Event
    const { tax, quoteIn } = (launched as Event).args as { tax: bigint; quoteIn: bigint }
    const pad = new Pad(THRESHOLD, (tax * BPS) / quoteIn)
    expect(traded(pad, launched as Event, 0n)).toEqual(figuresOf(launched as Event))
    const snipe = snipeBpsAt(2, pad.taxBps)
    expect(traded(pad, buy, snipe)).toEqual(figuresOf(buy))
    expect(((buy.args.quoteIn as bigint) * snipe) / BPS).toBe(charged.args.amount)
  })
})
