// Events removed from a tape are found missing; a whole tape has no findings.

import { solana } from '../../../../processors/chains/solana/chain.ts'
import { deflateBody, encodeBody } from '../../../../processors/chains/solana/frame.ts'
import type { TapeFinding } from '../../../../processors/verify/finding.ts'
import { TapeCheck } from '../../../../processors/verify/tape-check.ts'
import type { RawFrame, TapeEvent } from '../../../../schemas/types.ts'
import { frame, Market, MILLION, SLOT0, SOL, USDC, wallet } from '../mint/market.ts'

const check = (events: readonly TapeEvent[]): readonly TapeFinding[] => {
  const { header } = frame(0)
  return new TapeCheck(solana).batch({ type: 'batch', ...header, events: [...events] })
}
const A = wallet(1)

describe('reserves of curves', () => {
  const whole = (): TapeEvent[] => {
    const market = new Market()
    return [market.launch(), market.buy(A, 5 * MILLION), market.buy(A, MILLION), market.sell(A, 3 * MILLION), market.complete()]
  }
  test('a whole tape gives no finding', () => {
    expect(check(whole())).toEqual([])
  })
  test.each([1, 2])('a launch with trade %i removed is reported at the trade after it', (index) => {
    const events = whole()
    events.splice(index, 1)
    const [finding, ...more] = check(events)
    expect(more).toEqual([])
    expect(finding).toMatchObject({
      finding: 'reserves',
      position: `solana:${SLOT0}.${index + 2}.2.${index + 2}`,
      expected: [expect.any(Number), expect.any(Number)],
    })
  })
  test('without a launch, a curve is checked from its first trade on, and counted in withoutLaunch', () => {
    const tape = new TapeCheck(solana)
    expect(tape.batch({ type: 'batch', ...frame(0).header, events: whole().slice(1) })).toEqual([])
    expect(tape.counts).toMatchObject({ frames: 1, events: 4, launches: 0, trades: 3, checked: 3, withoutLaunch: 1 })
  })
  test('an amount inconsistent with the reserves is reported, and the next trade is checked against the logged reserves', () => {
    const market = new Market()
    const wrong = market.buy(A, 5 * MILLION)
    const next = market.buy(A, MILLION)
    const findings = check([
      market.launch({ virtualQuoteUnits: 30e9 - 7, virtualTokenUnits: 1_073e12 }),
      { ...wrong, quoteUnits: wrong.quoteUnits + 7 },
      next,
    ])
    expect(findings.map(({ finding }) => finding)).toEqual(['formula'])
  })
  test.each([
    ['mayhem', { mayhem: true }],
    ['another quote', { quoteMint: USDC }],
  ])('trades of a curve of %s follow each other, and a removed one is reported', (_what, change) => {
    const market = new Market(change)
    const events = [market.launch(), market.buy(A, 5 * MILLION), market.sell(A, MILLION)]
    const tape = new TapeCheck(solana)
    expect(tape.batch({ type: 'batch', ...frame(0).header, events })).toEqual([])
    expect(tape.counts).toMatchObject({ trades: 2, checked: 2 })
    events.splice(1, 1)
    expect(check(events)).toMatchObject([{ finding: 'reserves' }])
  })
})

describe('reserves of mayhem curves', () => {
  /** The agent changes the virtual quote arbitrarily, the launchpad sets it. */
  const story = (): TapeEvent[] => {
    const market = new Market({ mayhem: true })
    const real = { quote: 0 }
    const agentBuys = (moved: bigint, realQuoteUnits: number): TapeEvent => {
      const trade = market.buy(A, MILLION)
      market.virtualQuote += moved
      const paid = realQuoteUnits - real.quote
      real.quote = realQuoteUnits
      return { ...trade, isAgent: true, quoteUnits: paid, realQuoteUnits, virtualQuoteUnits: Number(market.virtualQuote) }
    }
    const launch = market.launch()
    const first = agentBuys(-9_000_000_000n, 500)
    const user = market.buy(A, MILLION)
    real.quote += user.quoteUnits
    const bought = { ...user, realQuoteUnits: real.quote }
    const second = agentBuys(4_000_000_000n, real.quote + 77)
    market.virtualQuote = 12_000_000_000n
    const set: TapeEvent = {
      ...bought,
      inner: 90,
      type: 'mayhemReserves',
      virtualQuoteUnits: 12_000_000_000,
      virtualTokenUnits: Number(market.virtualToken),
      realTokenUnits: 0,
      realQuoteUnits: real.quote,
    }
    return [launch, first, bought, second, set, market.sell(A, MILLION)]
  }
  test('a whole tape gives no finding, with everything checked against the state before it', () => {
    const tape = new TapeCheck(solana)
    expect(tape.batch({ type: 'batch', ...frame(0).header, events: story() })).toEqual([])
    expect(Object.fromEntries(tape.kinds)).toEqual({ agent: { trades: 2, followed: 2 }, mayhem: { trades: 2, followed: 2 } })
  })
  test.each([1, 2, 3])('with trade %i removed, the event after it is reported', (index) => {
    const events = story()
    events.splice(index, 1)
    expect(check(events)).toMatchObject([{ finding: 'reserves' }])
  })
})

describe('reserves of pools', () => {
  const trades = (): TapeEvent[] => {
    const market = new Market()
    const at = (poolTokenUnits: number, poolQuoteSol: number, isBuy: boolean) =>
      market.poolTrade(A, isBuy, MILLION, { poolTokenUnits, poolQuoteUnits: poolQuoteSol * SOL })
    return [
      at(200 * MILLION, 85, true),
      at(199 * MILLION, 86, false),
      { ...market.deposit(A, 5 * MILLION), poolTokenUnits: 200 * MILLION, poolQuoteUnits: 85 * SOL },
      at(205 * MILLION, 86, true),
    ]
  }
  test('a whole tape of trades and deposits gives no finding', () => {
    expect(check(trades())).toEqual([])
  })
  test.each([1, 2])('with event %i removed, the one after it is reported', (index) => {
    const events = trades()
    events.splice(index, 1)
    expect(check(events)).toMatchObject([{ finding: 'reserves', pool: expect.any(String), words: expect.stringContaining('pool') }])
  })
  test('a removed buy and sale of equal coins are detected by the fees they left in the pool', () => {
    const market = new Market()
    const at = (poolQuoteUnits: number, isBuy: boolean) =>
      market.poolTrade(A, isBuy, MILLION, { poolTokenUnits: (isBuy ? 200 : 199) * MILLION, poolQuoteUnits, poolFeeUnits: 3 })
    const events = [at(85 * SOL, true), at(86 * SOL + 3, false), at(85 * SOL + 6, true), at(86 * SOL + 9, false), at(85 * SOL + 12, true)]
    expect(check(events)).toEqual([])
    events.splice(1, 2)
    expect(check(events)).toMatchObject([{ finding: 'reserves', expected: [199 * MILLION, 86 * SOL + 3] }])
  })
  test('a boosted pool is followed from its opening, and a removed trade is reported', () => {
    const market = new Market()
    const opening = [market.poolCreate(), market.sameTx().poolBoost(17 * SOL, 68 * SOL)]
    const at = (poolTokenUnits: number, poolQuoteSol: number) =>
      market.poolTrade(A, true, MILLION, { poolTokenUnits, poolQuoteUnits: poolQuoteSol * SOL, virtualQuoteUnits: 17 * SOL })
    const events = [...opening, at(206_900_000_000_000, 68), at(206_900_000_000_000 - MILLION, 69)]
    const tape = new TapeCheck(solana)
    expect(tape.batch({ type: 'batch', ...frame(0).header, events })).toEqual([])
    expect(Object.fromEntries(tape.kinds)).toEqual({ boosted_pool: { trades: 2, followed: 2 } })
    expect(check([...opening, ...events.slice(3)])).toMatchObject([{ finding: 'reserves' }])
  })
  test('a boost that buys coins and burns them later leaves their number unknown, and the trades after it are consistent', () => {
    const market = new Market()
    const at = (poolTokenUnits: number, poolQuoteSol: number) =>
      market.poolTrade(A, true, MILLION, { poolTokenUnits, poolQuoteUnits: poolQuoteSol * SOL, virtualQuoteUnits: 17 * SOL })
    const events = [at(200 * MILLION, 68), market.poolBoost(16 * SOL, 70 * SOL)]
    const after = [
      { ...at(150 * MILLION, 70), virtualQuoteUnits: 16 * SOL },
      { ...at(149 * MILLION, 71), virtualQuoteUnits: 16 * SOL },
    ]
    expect(check([...events, ...after])).toEqual([])
    expect(check([...events, ...after.slice(0, 1), ...after.slice(0, 1)])).toMatchObject([{ finding: 'reserves' }])
  })
  test('a pool that does not open with the remainder of a buy beyond the curve is reported', () => {
    const market = new Market()
    const beyond: TapeEvent = {
      ...market.complete(A),
      type: 'postCompleteBuy',
      tokenUnits: 6_900_000_000_000,
      quoteUnits: SOL,
      poolTokenUnitsAfter: 200_000_000_000_000,
      poolQuoteUnitsAfter: 86 * SOL,
    }
    const opens = (change: object) => [beyond, market.poolCreate({ tokenUnits: 200_000_000_000_000, ...change }), market.migrate()]
    expect(check(opens({ quoteUnits: 86 * SOL }))).toEqual([])
    expect(check(opens({ quoteUnits: 85 * SOL }))).toMatchObject([{ finding: 'reserves', words: expect.stringContaining('did not open') }])
  })
})

describe('frames', () => {
  const body = deflateBody(encodeBody({ transactions: [], transfers: [], failedOthers: 0, transactionsTotal: 0, balances: [] }))
  const raw = (number: number, change: Partial<RawFrame> = {}): RawFrame => ({
    type: 'frame',
    chain: 'solana',
    number,
    hash: `hash${number}`,
    hashSynthetic: false,
    parentNumber: number - 1,
    parentHash: `hash${number - 1}`,
    status: 'finalized',
    blockTime: 1_763_000_000,
    whole: true,
    placed: true,
    vouched: false,
    part: 0,
    parts: 1,
    missing: [],
    body,
    ...change,
  })
  const found = (...frames: readonly RawFrame[]): string[] => {
    const tape = new TapeCheck(solana)
    return frames
      .flatMap((one) => tape.frame(one))
      .map(({ finding, from, to }) => (from === undefined ? finding : `${finding} ${from}-${to}`))
  }
  test('that link up, also over skipped slots, have no findings', () => {
    expect(found(raw(10), raw(11), raw(14, { parentNumber: 11, parentHash: 'hash11' }))).toEqual([])
  })
  test("that are missing are identified by the next one's parent", () => {
    expect(found(raw(10), raw(14))).toEqual(['gap 11-13'])
    expect(found(raw(10), raw(14, { parentNumber: null, parentHash: null }))).toEqual(['gap 11-13'])
  })
  test('that are missing are reported with the reasons within the gap, and not with others', () => {
    const why = (from: number, to: number, signature: string | null = null) => ({
      from,
      to,
      signature,
      reason: `${from} to ${to}`,
      mints: [],
    })
    const missing = [why(5, 10), why(8, 11), why(12, 12), why(13, 20), why(14, 15), why(12, 12, '1'.repeat(64))]
    const tape = new TapeCheck(solana)
    const [gap] = [raw(10), raw(14, { missing })].flatMap((one) => tape.frame(one))
    expect(['8 to 11', '12 to 12', '13 to 20'].filter((reason) => gap?.words?.includes(reason))).toHaveLength(3)
    expect(['5 to 10', '14 to 15'].filter((reason) => gap?.words?.includes(reason))).toEqual([])
  })
  test('of another branch, of part of a block, out of order, or unreadable are reported', () => {
    expect(found(raw(10), raw(11, { parentHash: 'other' }))).toEqual(['fork'])
    expect(found(raw(10, { whole: false }))).toEqual(['partial'])
    expect(found(raw(10), raw(10))).toEqual(['order'])
    expect(found(raw(10, { body: Buffer.from('no body') }))).toEqual(['unreadable'])
  })
  test('that are `vouched` count as whole', () => {
    expect(found(raw(10, { vouched: true, whole: false }), raw(20, { vouched: true, whole: false }))).toEqual([])
  })
  test('of a tape: each gap that the decoder recorded is reported once', () => {
    const tape = new TapeCheck(solana)
    const gap = { gapFrom: 5, gapTo: 9 }
    const findings = [frame(0), frame(1, [], gap), frame(2, [], gap)].flatMap(({ header }) =>
      tape.batch({ type: 'batch', ...header, events: [] }),
    )
    expect(findings).toMatchObject([{ finding: 'gap', from: 5, to: 9 }])
  })
})
