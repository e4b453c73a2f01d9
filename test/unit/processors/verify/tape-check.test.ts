// What is taken out of a tape is found missing; what is whole has no findings.

import { deflateBody, encodeBody } from '../../../../processors/solana/frame.ts'
import type { TapeFinding } from '../../../../processors/verify/finding.ts'
import { TapeCheck } from '../../../../processors/verify/tape-check.ts'
import type { RawFrame, TapeEvent } from '../../../../schemas/types.ts'
import { frame, Market, MILLION, POOL, SLOT0, USDC, wallet } from '../mint/market.ts'

const check = (events: readonly TapeEvent[]): readonly TapeFinding[] => {
  const { header } = frame(0)
  return new TapeCheck().batch({ type: 'batch', ...header, events: [...events] })
}
const A = wallet(1)

describe('reserves of curves', () => {
  const whole = (): TapeEvent[] => {
    const market = new Market()
    return [market.launch(), market.buy(A, 5 * MILLION), market.buy(A, MILLION), market.sell(A, 3 * MILLION), market.complete()]
  }
  test('given every trade, then nothing is found', () => {
    expect(check(whole())).toEqual([])
  })
  test.each([1, 2])('given a launch with trade %i taken out, then the trade after it tells', (index) => {
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
  test('given no launch, then its first trade is the start, and it is counted', () => {
    const tape = new TapeCheck()
    expect(tape.batch({ type: 'batch', ...frame(0).header, events: whole().slice(1) })).toEqual([])
    expect(tape.counts).toMatchObject({ frames: 1, events: 4, launches: 0, trades: 3, checked: 3, withoutLaunch: 1 })
  })
  test('given an amount that the reserves do not give, then the formula tells, and the next trade fits the reserves as they were logged', () => {
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
  ])('given a curve of %s, then it is left out and counted', (_what, change) => {
    const market = new Market(change)
    const events = [market.launch(), market.buy(A, 5 * MILLION), market.sell(A, MILLION)]
    events.splice(1, 1)
    const tape = new TapeCheck()
    expect(tape.batch({ type: 'batch', ...frame(0).header, events })).toEqual([])
    expect(tape.counts).toMatchObject({ trades: 1, checked: 0 })
  })
})

describe('reserves of pools', () => {
  const trades = (): TapeEvent[] => {
    const market = new Market()
    const at = (poolTokenUnits: number, isBuy: boolean, change = {}) => market.poolTrade(A, isBuy, MILLION, { poolTokenUnits, ...change })
    return [
      at(200 * MILLION, true),
      at(199 * MILLION, false),
      { ...market.deposit(A, 5 * MILLION), poolTokenUnits: 200 * MILLION },
      at(205 * MILLION, true),
    ]
  }
  test('given every trade and deposit, then nothing is found', () => {
    expect(check(trades())).toEqual([])
  })
  test.each([1, 2])('given event %i taken out, then the one after it tells', (index) => {
    const events = trades()
    events.splice(index, 1)
    expect(check(events)).toMatchObject([{ finding: 'reserves', pool: expect.any(String), words: expect.stringContaining('pool') }])
  })
  test('given a boosted pool, whose coins others burn, then it is left out', () => {
    const market = new Market()
    const boost: TapeEvent = {
      ...market.poolTrade(A, true, MILLION),
      type: 'poolBoost',
      pool: POOL,
      virtualQuoteUnits: 5,
      realQuoteUnitsAfter: 7,
    }
    const events = trades()
    events.splice(1, 1, boost)
    expect(check(events)).toEqual([])
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
    const tape = new TapeCheck()
    return frames
      .flatMap((one) => tape.frame(one))
      .map(({ finding, from, to }) => (from === undefined ? finding : `${finding} ${from}-${to}`))
  }
  test('that follow each other, also over skipped slots, have no findings', () => {
    expect(found(raw(10), raw(11), raw(14, { parentNumber: 11, parentHash: 'hash11' }))).toEqual([])
  })
  test('that are missing are named by what the next one builds on', () => {
    expect(found(raw(10), raw(14))).toEqual(['gap 11-13'])
    expect(found(raw(10), raw(14, { parentNumber: null, parentHash: null }))).toEqual(['gap 11-13'])
  })
  test('of another branch, of part of a block, out of order, or that cannot be opened are named', () => {
    expect(found(raw(10), raw(11, { parentHash: 'other' }))).toEqual(['fork'])
    expect(found(raw(10, { whole: false }))).toEqual(['partial'])
    expect(found(raw(10), raw(10))).toEqual(['order'])
    expect(found(raw(10, { body: Buffer.from('no body') }))).toEqual(['unreadable'])
  })
  test('that were vouched for count as whole', () => {
    expect(found(raw(10, { vouched: true, whole: false }), raw(20, { vouched: true, whole: false }))).toEqual([])
  })
  test('of a tape tell the gaps that their decoder saw, once', () => {
    const tape = new TapeCheck()
    const gap = { gapFrom: 5, gapTo: 9 }
    const findings = [frame(0), frame(1, [], gap), frame(2, [], gap)].flatMap(({ header }) =>
      tape.batch({ type: 'batch', ...header, events: [] }),
    )
    expect(findings).toMatchObject([{ finding: 'gap', from: 5, to: 9 }])
  })
})
