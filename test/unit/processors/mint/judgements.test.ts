// When a launch is judged, and when not: ages, ticks that jump, gaps, completion, other quotes, missing answers.

import type { FactBody } from '../../../../processors/contract.ts'
import type { MintOutput } from '../../../../processors/mint/rows.ts'
import { JUDGED_AGES_S } from '../../../../processors/odds/heads.ts'
import { tickOf } from '../../../../schemas/position.ts'
import type { Conclusion, Fact, TapeEvent } from '../../../../schemas/types.ts'
import { givenOn } from '../../../given.ts'
import { mintProcessor } from '../../../shipped.ts'
import { AGENT, CREATOR, frame, handedOut, Market, MILLION, MINT, SOL, T0, USDC, wallet } from './market.ts'
import { GAP, type MintEngine, type MintThen } from './mint-given.ts'

type Judgement = Extract<Conclusion['body'], { type: 'judgement' }>

const fold = (...frames: readonly ReturnType<typeof frame>[]): MintThen => givenOn(mintProcessor).when(...frames)
const judgementsIn = (outputs: readonly MintOutput[]): readonly Judgement[] =>
  outputs.flatMap(({ conclusion: { body } }) => (body.type === 'judgement' ? [body] : []))
const agesIn = ({ outputs }: MintThen): readonly number[] => judgementsIn(outputs).map(({ ageS }) => ageS)
const lastOf = ({ outputs }: MintThen): Judgement => {
  const last = judgementsIn(outputs).at(-1)
  if (last === undefined) throw new Error('nothing was judged')
  return last
}
const ticks = (...seconds: readonly number[]) => seconds.map((second) => frame(second))
/** A frame that begins with the launch: the market counts its events in call order. */
const launched = (market: Market, more: () => readonly TapeEvent[] = () => []) => frame(0, [market.launch(), ...more()])

describe('a launch is judged', () => {
  test('once at each age, at the first tick at or after it', () => {
    const every = Array.from({ length: 1_000 }, (_, second) => second + 1)
    const then = fold(launched(new Market()), ...ticks(...every))
    expect(agesIn(then)).toEqual(JUDGED_AGES_S)
    const judgements = then.outputs.filter(({ topic }) => topic === 'judgements').map(({ conclusion }) => conclusion)
    expect(judgements.map(({ at }) => at - T0)).toEqual(JUDGED_AGES_S)
    expect(judgements[0]).toMatchObject({ ...tickOf('solana', 1_005), hash8: 'Hash0000', body: { mint: MINT, t0: T0, slot0: 1_000 } })
    expect(new Set(judgements.map(({ id }) => id)).size).toBe(JUDGED_AGES_S.length)
    expect(judgements[0]?.id).toMatch(/^solana:1005\.~@Hash0000:mint:[^:]+:4$/)
  })
  test.each([
    ['over three ages: at the newest of them, then as usual', [3, 31, 59, 60], [30, 60]],
    ['late for one age: not again at the next tick', [6, 7, 11], [5, 10]],
    ['over all ages: at the last', [4, 2_000], [900]],
    ['never: a tick before the first age judges nothing', [4], []],
  ])('for ticks that jump %s', (_name, seconds, ages) => {
    expect(agesIn(fold(launched(new Market()), ...ticks(...seconds)))).toEqual(ages)
  })
  test('at the tick of a frame, after its trades', () => {
    const market = new Market()
    const then = fold(launched(market), frame(5, [market.at(5).buy(wallet(1), MILLION), market.buy(wallet(2), MILLION)]))
    expect(judgementsIn(then.outputs)).toMatchObject([{ ageS: 5, buys: 2, uniqueBuyers: 2 }])
  })
  test('on a mayhem curve too, without the trades of its agent', () => {
    const market = new Market({ mayhem: true })
    const then = fold(launched(market), frame(1, [market.at(1).buy(AGENT, MILLION, { isAgent: true })]), ...ticks(5))
    expect(lastOf(then)).toMatchObject({ mayhem: true, buys: 0, uniqueBuyers: 0, holders: 0, hhiPpm: 0 })
  })
  test('and has no timer after the last age', () => {
    const timersAt = (second: number): object => fold(launched(new Market()), ...ticks(second)).engine.timers(MINT)
    expect(timersAt(899)).toHaveProperty('judge', T0 + 900)
    expect(timersAt(900)).not.toHaveProperty('judge')
  })
})

describe('a launch is not judged', () => {
  const endsWith = (then: MintThen, ages: readonly number[]): void => {
    expect(agesIn(then)).toEqual(ages)
    expect(then.engine.timers(MINT)).not.toHaveProperty('judge')
  }
  test('once its curve is complete', () => {
    const market = new Market()
    endsWith(fold(launched(market), frame(5), frame(7, [market.at(7).complete()]), ...ticks(10, 20)), [5])
  })
  test('once it has migrated and is settled', () => {
    const market = new Market()
    endsWith(fold(launched(market), ...ticks(5, 10), frame(12, [market.at(12).migrate()]), ...ticks(20)), [5, 10])
  })
  test('after a gap, even before a trade reveals it', () => {
    const gap = { gapFrom: GAP.from, gapTo: GAP.to }
    endsWith(fold(launched(new Market()), frame(5), frame(20, [], gap), frame(30, [], gap)), [5])
  })
  test('after a gap without a lost trade: holders are unknown', () => {
    const market = new Market()
    const gap = { gapFrom: GAP.from, gapTo: GAP.to }
    const before = [
      launched(market, () => [market.buy(wallet(1), MILLION)]),
      frame(5),
      frame(20, [market.at(20).buy(wallet(2), MILLION)], gap),
    ]
    endsWith(fold(...before, frame(30, [], gap)), [5])
  })
  test('if its quote is not SOL, named at the launch or by a trade', () => {
    endsWith(fold(launched(new Market({ quoteMint: USDC })), ...ticks(5, 10)), [])
    const market = new Market()
    const named = fold(launched(market), ...ticks(5), frame(6, [market.at(6).buy(wallet(1), MILLION, { quoteMint: USDC })]), ...ticks(10))
    endsWith(named, [5])
  })
  test('if its slot is unknown, or its launch was not observed', () => {
    endsWith(fold(frame(0, [new Market().launch()], { placed: false }), ...ticks(5)), [])
    const market = new Market()
    endsWith(fold(frame(0, [market.buy(wallet(1), MILLION)]), ...ticks(5)), [])
  })
  test('while no event has the reserve, and is again once one does', () => {
    const market = new Market({ mayhem: true })
    const create = launched(market)
    const blind = frame(4, [market.at(4).buy(wallet(1), MILLION, { realQuoteUnits: null, realTokenUnits: null })])
    const then = fold(create, blind, frame(5), frame(9, [market.at(9).buy(wallet(1), MILLION)]), frame(10))
    expect(agesIn(then)).toEqual([10])
  })
})

describe('the inputs', () => {
  const answer = (engine: MintEngine, second: number, body: FactBody, from: Fact['fromKey'] = CREATOR): void => {
    const { header } = frame(second)
    engine.fact(header, { ...tickOf('solana', header.number), from: 'x', fromKey: from, to: 'mint', toKey: MINT, n: 0, body })
  }
  const prior = { type: 'prior' as const, launches: 7, resolved: 5, graduated: 1, rugged: 3, medianDevSellS: 2.5, observedSince: 0 }
  const payment = { funder: wallet(9), amountLamports: 3 * SOL, at: T0 - 40, number: 900, tx: 1, outer: 0, inner: 0 }

  test('of holders, flow, dev set and bundle are those of the tick', () => {
    const market = new Market()
    const create = launched(market, () => [
      market.buy(CREATOR, 40 * MILLION),
      market.buy(wallet(1), 30 * MILLION),
      market.buy(wallet(2), 20 * MILLION),
    ])
    const later = frame(3, [
      market.at(3).sell(CREATOR, 10 * MILLION),
      market.sell(wallet(1), 5 * MILLION),
      market.buy(wallet(3), 9 * MILLION),
    ])
    const judged = lastOf(fold(create, later, frame(4, [handedOut(wallet(4), 6 * MILLION)]), ...ticks(5)))
    const units = [30, 25, 20, 9, 6].map((n) => n * MILLION)
    const circulating = 90 * MILLION
    expect(judged).toMatchObject({
      ...{ ageS: 5, buys: 4, sells: 2, uniqueBuyers: 4, buys60: 4, sells60: 2, uniqueBuyers60: 4, lastBuyAgeS: 2, lastNewBuyerAgeS: 2 },
      ...{ holders: 5, top1Units: 30 * MILLION, top5Units: circulating, circulatingUnits: circulating, supplyUnits: 1_000 * MILLION },
      hhiPpm: Math.floor((units.reduce((sum, n) => sum + n * n, 0) / circulating ** 2) * 1e6),
      ...{ devUnits: 30 * MILLION, devBoughtUnits: 40 * MILLION, devSoldUnits: 10 * MILLION },
      ...{ bundleWallets: 2, bundleUnits: 45 * MILLION, bundleBoughtUnits: 50 * MILLION, bundleSoldUnits: 5 * MILLION },
      ...{ insiderUnits: 0, flagBits: 1, mayhem: false },
    })
    expect(judged.net60QuoteUnits).toBe(judged.realQuoteUnits)
    expect(judged.peakQuoteUnits).toBeGreaterThan(Number(judged.realQuoteUnits))
  })
  test('of the last 60 s exclude older trades', () => {
    const market = new Market()
    const create = launched(market)
    const early = frame(1, [market.at(1).buy(wallet(1), MILLION), market.buy(wallet(2), MILLION)])
    const judged = lastOf(fold(create, early, frame(70, [market.at(70).buy(wallet(1), MILLION)]), ...ticks(120)))
    expect(judged).toMatchObject({
      ageS: 120,
      buys: 3,
      buys60: 1,
      uniqueBuyers: 2,
      uniqueBuyers60: 1,
      lastBuyAgeS: 50,
      lastNewBuyerAgeS: 119,
    })
  })
  test('are null until the dev set and the funder have answered, and before the first buy', () => {
    const unknown = {
      priorLaunches: null,
      priorResolved: null,
      priorGraduated: null,
      priorRugged: null,
      warmQuoteUnits: null,
      warmBeforeS: null,
    }
    expect(lastOf(fold(launched(new Market()), ...ticks(5)))).toMatchObject({
      ...{ ...unknown, funderLaunches: null, funderResolved: null, funderRugged: null, lastBuyAgeS: null, lastNewBuyerAgeS: null },
    })
  })
  test('equal the answers about the dev set and the funder', () => {
    const judgedAfter = (...answers: readonly FactBody[]): Judgement => {
      const { engine } = fold(launched(new Market()))
      for (const body of answers) answer(engine, 4, body)
      engine.frame(frame(5).header, [])
      return judgementsIn(engine.outputs.map(({ output }) => output))[0] as Judgement
    }
    const paid = { type: 'funded' as const, launched: true, observedSince: 0, payments: [payment] }
    expect(judgedAfter(prior, paid)).toMatchObject({
      ...{ priorLaunches: 7, priorResolved: 5, priorGraduated: 1, priorRugged: 3 },
      ...{ warmQuoteUnits: 3 * SOL, warmBeforeS: 40, funderLaunches: null, funderResolved: null, funderRugged: null },
    })
    const ofFunder = { type: 'funderPrior' as const, launches: 4, resolved: 2, rugged: 1 }
    expect(judgedAfter(paid, ofFunder)).toMatchObject({ priorLaunches: null, funderLaunches: 4, funderResolved: 2, funderRugged: 1 })
    expect(judgedAfter({ ...paid, payments: [] })).toMatchObject({ warmQuoteUnits: 0, warmBeforeS: null, funderLaunches: null })
  })
})
