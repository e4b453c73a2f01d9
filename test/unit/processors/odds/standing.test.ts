// When odds are shown, withdrawn and shown again, and when a model takes over: seeded markets with known truth.
import fc from 'fast-check'
import { solana } from '../../../../processors/chains/solana/chain.ts'
import { ODDS_HEADS } from '../../../../processors/odds/heads.ts'
import { expectedCount } from '../../../../processors/odds/standing/expected-count.ts'
import { faultOf, RESOLVED_MIN } from '../../../../processors/odds/standing/fault.ts'
import { gradedFromS } from '../../../../processors/odds/standing/graded-value.ts'
import { inForceAt, scoringAt } from '../../../../processors/odds/standing/model-states.ts'
import { OddsBook } from '../../../../processors/odds/standing/odds-book.ts'
import { decideTrial, TRIAL_S_MAX } from '../../../../processors/odds/standing/trial.ts'
import { Seeded } from '../../../../processors/seeded.ts'
import { DAY_S, type Forecast, GivenMarket, givenModel, givenOdds, givenOutcome, HOUR_S, mintOf } from './standing-given.ts'

const exact: Forecast = (truth) => truth
const squared: Forecast = (truth) => truth ** 2
const PER_HOUR = 100

describe('the rule', () => {
  const rowsOf = (n: number, forecast: Forecast, seed = 3) => {
    const dice = new Seeded(seed)
    return Array.from({ length: n }, () => {
      const truth = dice.next() ** 2
      return { ppm: Math.round(forecast(truth) * 1e6), isTrue: dice.next() < truth }
    })
  }
  test.each(ODDS_HEADS)('shows %s if the odds are right', (head) => expect(faultOf(head, rowsOf(2_000, exact))).toBeNull())
  test.each(ODDS_HEADS)('withdraws squared odds of %s', (head) =>
    expect(faultOf(head, rowsOf(2_000, squared))).toMatch(
      /^withdrawn: over the last 2000 resolved launches observed \/ expected is 1\.\d+, outside/,
    ),
  )
  test('withdraws odds that are worse than the base rate', () =>
    expect(
      faultOf(
        'true_graduation',
        rowsOf(2_000, (truth) => 1 - truth),
      ),
    ).toMatch(/Brier skill against the base rate is -\d\.\d+, below 0$/))
  test('withdraws rug odds that are right overall and wrong in parts', () => {
    const tilted = rowsOf(2_000, (truth) => (truth < 1 / 3 ? truth * 0.2 : Math.min(1, truth * 1.17)))
    expect(faultOf('rug_within_300s', tilted)).toMatch(/ECE\) is 0\.\d+, over 0\.05$/)
    expect(faultOf('true_graduation', tilted)).toBeNull()
  })
  test('needs 1,000 resolved launches, and states how many there are', () =>
    expect(faultOf('rug_within_300s', rowsOf(RESOLVED_MIN - 1, exact))).toBe('999 of the 1000 launches that a grade needs have resolved'))
  test('needs both outcomes', () =>
    expect(
      faultOf(
        'true_graduation',
        rowsOf(1_000, exact).map((row) => ({ ...row, isTrue: false })),
      ),
    ).toMatch(/the same outcome/))
  test('shows right odds over a thousand launches in more than nine of ten markets', () => {
    const shown = Array.from({ length: 100 }, (_, seed) => faultOf('rug_within_300s', rowsOf(1_000, exact, seed))).filter(
      (fault) => fault === null,
    )
    expect(shown.length).toBeGreaterThan(90)
  })
})

describe('the interval of an expected count', () => {
  test.each([
    [[0.5], 0, 1],
    [Array(10).fill(0.5), 1, 9],
    [Array(20).fill(0.01), 0, 2],
    [Array(3).fill(1), 3, 3],
  ])('of %j is %i to %i', (probabilities, low, high) =>
    expect(expectedCount(Float64Array.from(probabilities as number[]))).toMatchObject({ low, high }),
  )
  test('excludes at most one in a hundred, exactly and by the normal approximation', () => {
    for (const [n, p] of [
      [300, 0.01],
      [2_000, 0.004],
      [2_000, 0.3],
    ] as const) {
      const { low, high } = expectedCount(new Float64Array(n).fill(p))
      const dice = new Seeded(n + p * 1_000)
      const counts = Array.from({ length: 400 }, () => Array.from({ length: n }, () => Number(dice.next() < p)).reduce((a, b) => a + b, 0))
      expect(counts.filter((count) => count < low || count > high).length).toBeLessThanOrEqual(10)
    }
  })
})

describe('the graded value', () => {
  test('is the first from an age that depends only on the mint, each age about equally often', () => {
    const ages = Array.from({ length: 4_000 }, (_, n) => gradedFromS('rug_within_300s', mintOf(n)))
    for (const age of [5, 10, 20, 30]) expect(ages.filter((one) => one === age).length / 1_000).toBeCloseTo(1, 0)
  })
  test('does not depend on the order of values and outcome, and is removed with an outcome that a fork retracts', () => {
    const values = [5, 10, 20, 30].map((ageS) => givenOdds(1, 1_000 + ageS, { ageS, ppm: ageS * 1_000 }))
    const all = [...values, givenOutcome(1, 1_100, { rugged: true, rugDtS: 3 })]
    const rowsOf = (order: typeof all) => {
      const market = new GivenMarket(1, 1)
      for (const one of order) market.book.put(one, 0)
      return market.book
    }
    const ageS = gradedFromS('rug_within_300s', mintOf(1))
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (order) => {
        expect(rowsOf(order).rows.before('a', 'rug_within_300s', 2_000)).toMatchObject([
          { ageS, ppm: ageS * 1_000, isTrue: true, at: 1_100 },
        ])
      }),
      { numRuns: 30 },
    )
    const book = rowsOf(all)
    book.put({ ...givenOutcome(1, 1_100), body: { type: 'retraction', sequence: 1 } }, 0)
    expect(book.rows.before('a', 'rug_within_300s', 2_000)).toEqual([])
    expect(book.newest(mintOf(1)).get('rug_within_300s')).toMatchObject({ ageS: 30 })
    book.put(givenOutcome(1, 1_105, { rugged: null, censored: 'gap' }), 0)
    expect(book.rows.before('a', 'rug_within_300s', 2_000)).toEqual([])
  })
  test('is removed with a retracted outcome even if the book is full of launches, of which older ones are dropped first', () => {
    const book = new OddsBook(solana.conclusions, 2)
    for (const one of [givenOdds(1, 1_030), givenOdds(2, 1_031), givenOutcome(1, 1_100), givenOdds(3, 1_101)]) book.put(one, 0)
    expect(book.rows.before('a', 'rug_within_300s', 2_000)).toMatchObject([{ mint: mintOf(1) }])
    expect([book.launches, book.newest(mintOf(2)).size]).toEqual([2, 0])
    book.put({ ...givenOutcome(1, 1_100), body: { type: 'retraction', sequence: 1 } }, 0)
    expect(book.rows.before('a', 'rug_within_300s', 2_000)).toEqual([])
  })
})

describe('the models at a time', () => {
  const models = [
    givenModel('a', { state: 'retired', since: 300 }),
    givenModel('b', { sequence: 2, trialSince: 100, inForceSince: 300, since: 300 }),
    givenModel('c', { sequence: 3, trialSince: 200, inForceSince: null, state: 'retired', since: 250 }),
  ]
  test.each([
    [50, 'a', ['a']],
    [299, 'a', ['a', 'b/shadow']],
    [240, 'a', ['a', 'b/shadow', 'c/shadow']],
    [300, 'b', ['b']],
  ])('at %i s: %s is in force, and the models %j score', (at, inForce, scoring) => {
    expect(inForceAt(models, at)?.id).toBe(inForce)
    expect(scoringAt(models, at).map(({ id, shadow }) => (shadow ? `${id}/shadow` : id))).toEqual(scoring)
  })
})

describe('a market', () => {
  const shown = (market: GivenMarket): boolean[] => ODDS_HEADS.map((head) => market.headStates.headState(head).isShown)

  test('shows odds once enough launches have resolved, and never shows squared ones', () => {
    const market = new GivenMarket(1, PER_HOUR)
    market.models.set('a', givenModel('a'))
    market.run(9 * HOUR_S, { a: exact })
    expect(shown(market)).toEqual([false, false])
    expect(market.headStates.headState('rug_within_300s').reason).toMatch(/^\d+ of the 1000 launches/)
    market.run(6 * HOUR_S, { a: exact })
    expect(shown(market)).toEqual([true, true])
    const off = new GivenMarket(1, PER_HOUR)
    off.models.set('a', givenModel('a'))
    off.run(14 * HOUR_S, { a: squared })
    expect(shown(off)).toEqual([false, false])
    expect(off.headStates.headState('rug_within_300s').reason).toMatch(/^withdrawn/)
  })

  test('withdraws odds within a day after a regime change, and shows them again once a retrained model takes over', () => {
    const market = new GivenMarket(2, PER_HOUR)
    const regime: Forecast = (truth) => truth ** 3
    market.models.set('a', givenModel('a'))
    market.run(14 * HOUR_S, { a: exact })
    expect(shown(market)).toEqual([true, true])
    const changedS = market.nowS
    market.run(DAY_S, { a: exact }, regime)
    expect(shown(market)).toEqual([false, false])
    expect(market.headStates.withheldS('rug_within_300s', changedS, market.nowS)).toBeGreaterThan(DAY_S / 2)
    const trialSince = market.nowS
    market.models.set('b', givenModel('b', { sequence: 2, state: 'trial', inForceSince: null, trialSince, since: trialSince }))
    let tookOverS: number | undefined
    market.run(DAY_S + 4 * HOUR_S, { a: exact, b: regime }, regime, () => {
      const decided = decideTrial(market.models.values(), market.book.rows, market.nowS)
      if (decided.length > 0) tookOverS ??= market.nowS
      for (const record of decided) market.models.set(record.id, record)
    })
    expect(tookOverS).toBeGreaterThanOrEqual(trialSince + DAY_S)
    expect(tookOverS).toBeLessThan(trialSince + DAY_S + HOUR_S)
    expect(market.models.get('a')).toMatchObject({
      state: 'retired',
      reason: expect.stringMatching(/^b took over: mean Brier skill 0\.\d+ against/),
    })
    expect(shown(market)).toEqual([true, true])
    const withheldS = market.headStates.withheldS('rug_within_300s', 0, market.nowS)
    expect(market.headStates.withheldS('rug_within_300s', 0, market.nowS + DAY_S)).toBe(withheldS)
  })

  test('retires a model on trial that is worse, and after three days one without launches', () => {
    const market = new GivenMarket(3, PER_HOUR)
    market.models.set('a', givenModel('a'))
    const trial = givenModel('b', { sequence: 2, state: 'trial', inForceSince: null })
    market.run(12 * HOUR_S, { a: exact, b: squared })
    const decide = (nowS: number, id = 'b') => decideTrial([givenModel('a'), { ...trial, id }], market.book.rows, nowS)
    expect(decide(DAY_S - 1)).toEqual([])
    expect(decide(DAY_S)).toMatchObject([
      { id: 'b', state: 'retired', inForceSince: null, reason: expect.stringContaining('common launches per head') },
    ])
    expect(decide(DAY_S, 'unheard')).toEqual([])
    expect(decide(TRIAL_S_MAX, 'unheard')).toMatchObject([
      { state: 'retired', reason: expect.stringContaining('after 3 days 0 of the 1000') },
    ])
  })
})
