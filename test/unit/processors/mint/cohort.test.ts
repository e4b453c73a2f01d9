// Shapes of launches: bands that partition all launches, the chosen cohort, and the shape that the fold emits once per launch.
import fc from 'fast-check'
import { bundleBandOf, creatorKindOf, devBuyBandOf } from '../../../../processors/mint/cohort/bands.ts'
import { COHORT_LAUNCHES_MIN, chooseCohort, cohortKeyOf, SHAPE_PARTS } from '../../../../processors/mint/cohort/cohort.ts'
import { type Shape, shapeFactsOf, shapeOf } from '../../../../processors/mint/cohort/shape.ts'
import { tickOf } from '../../../../schemas/position.ts'
import type { Fact, PriorFact } from '../../../../schemas/types.ts'
import { cohortOf } from '../../../fakes/set-history.ts'
import { CREATOR, frame, Market, MILLION, MINT, SOL, T0, wallet } from './market.ts'
import { fold, type MintThen, stateOf } from './mint-given.ts'

const lamports = fc.oneof(fc.nat(12 * SOL), fc.constantFrom(0, 1, SOL - 1, SOL, SOL + 1, 5 * SOL, 5 * SOL + 1, 2n ** 80n))

describe('bands', () => {
  const DEV_BUYS = ['none', 'under_1_sol', '1_to_5_sol', 'over_5_sol']
  const BUNDLES = ['none', '1_to_4', '5_or_more']
  test('are monotone: a larger buy or bundle is never in a lower band', () => {
    fc.assert(
      fc.property(lamports, lamports, fc.nat(30), fc.nat(30), (a, b, few, many) => {
        const bands = [a, b].map((one) => DEV_BUYS.indexOf(devBuyBandOf(one))) as [number, number]
        const wallets = [few, many].map((one) => BUNDLES.indexOf(bundleBandOf(one))) as [number, number]
        expect(Math.min(...bands, ...wallets)).toBeGreaterThanOrEqual(0)
        if (a <= b) expect(bands[0]).toBeLessThanOrEqual(bands[1])
        if (few <= many) expect(wallets[0]).toBeLessThanOrEqual(wallets[1])
      }),
    )
  })
  test.each([
    [0, 'none'],
    [1, 'under_1_sol'],
    [SOL - 1, 'under_1_sol'],
    [SOL, '1_to_5_sol'],
    [5 * SOL, '1_to_5_sol'],
    [5 * SOL + 1, 'over_5_sol'],
    [2n ** 80n, 'over_5_sol'],
  ])('%s lamports are %s', (units, band) => expect(devBuyBandOf(units)).toBe(band))
  test.each([
    [0, 'none'],
    [1, '1_to_4'],
    [4, '1_to_4'],
    [5, '5_or_more'],
  ])('%s wallets are %s', (wallets, band) => expect(bundleBandOf(wallets)).toBe(band))
  test.each([
    [[0, 0, 0, 0], 'first_time'],
    [[1, 0, 0, 0], 'mixed'],
    [[9, 2, 0, 2], 'mixed'],
    [[9, 3, 0, 1], 'mixed'],
    [[9, 4, 0, 2], 'serial_rugger'],
    [[9, 4, 1, 4], 'has_graduated'],
  ] as const)('launches, resolved, graduated, rugged %j are %s', ([launches, resolved, graduated, rugged], kind) =>
    expect(creatorKindOf({ launches, resolved, graduated, rugged })).toBe(kind),
  )
})

describe('the cohort of a shape', () => {
  const shape: Shape = { isMayhem: false, devBuy: 'none', bundle: '1_to_4', creatorKind: 'mixed' }
  const sizes = fc.array(fc.nat(60), { minLength: 4, maxLength: 4 })
  test('has the most parts that leave enough launches, for any sizes', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 4 }), (ns, known) => {
        const cohorts = new Map(ns.map((n, at) => [cohortKeyOf(shape, at + 1) as string, cohortOf(n)]))
        const [devBuy, bundle, creatorKind] = [
          known > 1 ? shape.devBuy : null,
          known > 2 ? shape.bundle : null,
          known > 3 ? shape.creatorKind : null,
        ]
        const enough = [4, 3, 2, 1].find((parts) => parts <= known && (ns[parts - 1] ?? 0) >= COHORT_LAUNCHES_MIN)
        expect(chooseCohort({ ...shape, devBuy, bundle, creatorKind }, cohorts)?.parts).toBe(enough)
      }),
    )
  })
  test('has a key of its common parts', () => {
    expect([1, 2, 3, 4].map((parts) => cohortKeyOf(shape, parts))).toEqual([
      ...['false', 'false/none', 'false/none/1_to_4', 'false/none/1_to_4/mixed'],
    ])
    expect(SHAPE_PARTS).toHaveLength(4)
  })
})

describe('the fold emits the shape', () => {
  const prior = (launches: number): PriorFact => ({
    type: 'prior',
    ...{ launches, resolved: 2, graduated: 1, rugged: 1, medianDevSellS: null, observedSince: T0 - 900 },
  })
  const answered = (then: MintThen, from: Fact['fromKey'], launches: number) => {
    const before = then.engine.outputs.length
    const fact = { ...tickOf('solana', 1_010), from: 'creator', fromKey: from, to: 'mint', toKey: MINT, n: 0, body: prior(launches) }
    then.engine.fact(frame(10).header, fact)
    return then.engine.outputs
      .slice(before)
      .map(({ output: { topic, conclusion } }) => ({ topic, at: conclusion.at, body: conclusion.body }))
  }
  const launched = (named = CREATOR): MintThen => {
    const market = new Market()
    const deals = [{ ...market.launch(), creator: named }, market.buy(CREATOR, MILLION), market.buy(wallet(1), MILLION)]
    return fold(frame(0, [...deals, market.buy(wallet(2), MILLION)]), frame(1, [market.at(1).buy(wallet(3), MILLION)]))
  }

  test('once the dev set has answered, over the create slot only', () => {
    const then = launched()
    const [answer, ...more] = answered(then, CREATOR, 4)
    const { curve } = stateOf(then.engine)
    expect(more).toEqual([])
    expect(answer).toMatchObject({
      topic: 'outcomes',
      at: frame(10).header.time,
      body: { type: 'shape', mint: MINT, t0: T0, slot0: 1_000, bundleWallets: 2, devBuyQuoteUnits: curve?.devBuyQuoteUnits },
    })
    expect(answer?.body).toMatchObject({ priorOf: CREATOR, priorLaunches: 4, priorResolved: 2, priorGraduated: 1, priorRugged: 1 })
    expect(curve?.devBuyQuoteUnits).toBeGreaterThan(0)
  })
  test('with the last of two answers, of the member with more launches', () => {
    const then = launched(wallet(7))
    expect(answered(then, wallet(7), 9)).toEqual([])
    expect(answered(then, CREATOR, 4)).toMatchObject([{ body: { type: 'shape', priorOf: wallet(7), priorLaunches: 9 } }])
  })
  test('as given by the rows, which have none for an unobserved launch', () => {
    const then = launched()
    answered(then, CREATOR, 4)
    const facts = shapeFactsOf(stateOf(then.engine))
    expect(facts && shapeOf(facts)).toMatchObject({ isMayhem: false, bundle: '1_to_4', creatorKind: 'has_graduated' })
    expect(shapeFactsOf({ ...stateOf(then.engine), launch: null })).toBeUndefined()
  })
})
