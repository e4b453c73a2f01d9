// The creator fold: its answers, its rows, and when it deletes them.
import { CHANGES_MAX, RECENT_MAX, SELLS_MAX } from '../../../../processors/creator/horizon.ts'
import { CREATOR, frame, T0 } from '../mint/market.ts'
import { Creator, DAY_S, launched, mintOf, OTHER_QUOTE, settled } from './creator-given.ts'

describe('the prior', () => {
  test('of the first launch is empty, with the start of the observation', () => {
    const { answers } = new Creator(T0 - 500).receive(T0, [1, launched(T0)])
    expect(answers).toEqual([
      { mint: mintOf(1), type: 'prior', launches: 0, resolved: 0, graduated: 0, rugged: 0, medianDevSellS: null, observedSince: T0 - 500 },
    ])
  })

  test('counts earlier launches and outcomes, without the launch itself', () => {
    const creator = new Creator()
      .receive(T0, [1, launched(T0)], [2, launched(T0)], [3, launched(T0)])
      .receive(T0 + 100, [1, settled(T0, T0 + 100, { graduated: true, devFirstSellDtS: 30 })])
      .receive(T0 + 200, [2, settled(T0, T0 + 200, { rugged: true, devFirstSellDtS: 7 })], [4, launched(T0 + 200)])
    expect(creator.answers.slice(1)).toMatchObject([
      { mint: mintOf(2), launches: 1, resolved: 0 },
      { mint: mintOf(3), launches: 2, resolved: 0 },
      { mint: mintOf(4), launches: 3, resolved: 2, graduated: 1, rugged: 1, medianDevSellS: 18.5 },
    ])
  })

  test('takes over the position of the newest outcome', () => {
    const creator = new Creator().receive(T0, [1, launched(T0)])
    const launch = creator.state.figures?.number ?? 0
    creator.receive(T0 + 9, [1, settled(T0, T0 + 9)])
    expect(creator.state.figures).toMatchObject({ number: launch + 1, tx: 0 })
  })

  test('excludes outcomes at later positions of the same frame', () => {
    const creator = new Creator().receive(T0, [1, launched(T0)], [2, launched(T0)], [1, settled(T0, T0, { rugged: true })])
    expect(creator.answers[1]).toMatchObject({ launches: 1, resolved: 0, rugged: 0 })
  })

  test('does not count an outcome without a label as resolved, nor its sell', () => {
    const censored = settled(T0, T0 + 1, { graduated: null, rugged: true, censored: 'quote_not_sol', devFirstSellDtS: 3 })
    const creator = new Creator().receive(T0, [1, launched(T0)]).receive(T0 + 1, [1, censored], [2, launched(T0 + 1)])
    expect(creator.answers[1]).toMatchObject({ launches: 1, resolved: 0, rugged: 0, medianDevSellS: null })
  })

  test('counts launches of 90 days ago on that day and not the day after', () => {
    const then = new Creator(0).receive(T0, [1, launched(T0)]).receive(T0 + 5, [1, settled(T0, T0 + 5, { rugged: true })])
    const onTheDay = then.receive(T0 + 90 * DAY_S, [2, launched(T0 + 90 * DAY_S)])
    const later = onTheDay.receive(T0 + 91 * DAY_S, [3, launched(T0 + 91 * DAY_S)])
    expect(later.answers.slice(1)).toMatchObject([
      { launches: 1, resolved: 1, rugged: 1 },
      { launches: 1, resolved: 0, rugged: 0 },
    ])
    const midnight = (second: number): number => second - (second % DAY_S)
    expect(later.answers.map(({ observedSince }) => observedSince)).toEqual([T0 - 90 * DAY_S, T0, T0 + DAY_S].map(midnight))
  })

  test('does not count the outcome of a launch beyond the horizon', () => {
    const creator = new Creator().receive(T0, [1, launched(T0)]).receive(T0 + 60 * DAY_S, [2, launched(T0 + 60 * DAY_S)])
    const late = T0 + 91 * DAY_S
    creator.receive(late, [1, settled(T0, late, { rugged: true, devFirstSellDtS: 1 })], [3, launched(late)])
    expect(creator.answers[2]).toMatchObject({ launches: 1, resolved: 0, rugged: 0, medianDevSellS: null })
  })

  test('counts a launch at an earlier position than a received message, but does not answer it', () => {
    const creator = new Creator().receive(T0, [1, launched(T0)], [1, settled(T0, T0, { rugged: true })])
    const { header } = frame(0, [], { time: T0 + 1 })
    const position = { number: header.number, tx: 0, outer: 0, inner: 0 }
    const early = { ...position, from: 'mint', fromKey: mintOf(2), n: 0, to: 'creator', toKey: CREATOR }
    creator.engine.frame(header, [{ ...early, body: launched(T0) }])
    expect(creator.answers).toHaveLength(1)
    expect(creator.receive(T0 + 2, [3, launched(T0 + 2)]).answers[1]).toMatchObject({ mint: mintOf(3), launches: 2, resolved: 1 })
  })

  test('sent to a creator is a bug', () => {
    const prior = { type: 'prior' as const, launches: 0, resolved: 0, graduated: 0, rugged: 0, medianDevSellS: null, observedSince: 0 }
    expect(() => new Creator().receive(T0, [1, prior])).toThrow(/a creator receives no prior messages/)
  })
})

describe('the prior of a funder', () => {
  const asked = (creator: Creator, framesBefore: number) => {
    const position = { number: frame(framesBefore).header.number, tx: 0, outer: 0, inner: 0 }
    return creator.receive(T0 + 60, [9, { type: 'funderAsked', mint: mintOf(9), at: T0 + 30, ...position }]).funderAnswers.at(-1)
  }
  const story = () =>
    new Creator()
      .receive(T0, [1, launched(T0)], [2, launched(T0)])
      .receive(T0 + 5, [1, settled(T0, T0 + 5, { rugged: true })])
      .receive(T0 + 40, [3, launched(T0 + 40)], [2, settled(T0, T0 + 40, { rugged: true })])

  test('excludes launches and outcomes since the launch that was paid for', () => {
    expect(asked(story(), 3)).toEqual({ mint: mintOf(9), type: 'funderPrior', launches: 2, resolved: 1, rugged: 1 })
    expect(asked(story(), 2)).toMatchObject({ launches: 2, resolved: 0, rugged: 0 })
    expect(asked(story(), 4)).toMatchObject({ launches: 3, resolved: 2, rugged: 2 })
  })

  test('is empty for a wallet that never launched', () => {
    expect(asked(new Creator(), 1)).toMatchObject({ type: 'funderPrior', launches: 0, resolved: 0, rugged: 0 })
  })

  test('keeps the newest changes beyond the limit', () => {
    const creator = new Creator()
    for (let n = 0; n < 50; n += 1) creator.receive(T0 + n, [n, launched(T0 + n)])
    expect(creator.state.changes).toHaveLength(CHANGES_MAX)
    expect(asked(creator, 41)).toMatchObject({ launches: 40 })
  })
})

describe('rows of a creator', () => {
  test('keep the newest 25 launches one by one, and count all', () => {
    const creator = new Creator()
    for (let n = 0; n < 40; n += 1) creator.receive(T0 + n, [n, launched(T0 + n)])
    expect(creator.answers.at(-1)).toMatchObject({ launches: 39 })
    expect(new Set(creator.state.launches.map(({ mint }) => mint))).toEqual(
      new Set(Array.from({ length: RECENT_MAX }, (_, n) => mintOf(15 + n))),
    )
  })

  test('count the outcome of a launch that is no longer kept', () => {
    const creator = new Creator()
    for (let n = 0; n < 40; n += 1) creator.receive(T0 + n, [n, launched(T0 + n)])
    creator.receive(T0 + 50, [0, settled(T0, T0 + 50, { rugged: true })], [99, launched(T0 + 50)])
    expect(creator.answers.at(-1)).toMatchObject({ launches: 40, resolved: 1, rugged: 1 })
    expect(creator.state.launches.every(({ settledAt }) => settledAt === null)).toBe(true)
  })

  test('stay bounded for a creator that launches constantly, with the median of the newest sells', () => {
    const creator = new Creator()
    const sells = SELLS_MAX + 5
    for (let n = 0; n < sells; n += 1)
      creator.receive(T0 + n, [n, launched(T0 + n)], [n, settled(T0 + n, T0 + n, { devFirstSellDtS: n < 5 ? 1_000_000 : n })])
    creator.receive(T0 + sells, [sells, launched(T0 + sells)])
    expect(creator.state.sells).toHaveLength(SELLS_MAX)
    expect(creator.answers.at(-1)).toMatchObject({ launches: sells, resolved: sells, medianDevSellS: (5 + sells - 1) / 2 })
  })

  test('hold at most the days of the horizon and two more, for a launch a day during half a year', () => {
    const creator = new Creator()
    for (let n = 0; n < 182; n += 1) creator.receive(T0 + n * DAY_S, [n, launched(T0 + n * DAY_S)])
    expect(creator.state.days.length).toBeLessThanOrEqual(93)
    expect(creator.answers.at(-1)).toMatchObject({ launches: 90 })
  })

  test('sum dev buys on SOL curves, including censored ones', () => {
    const creator = new Creator()
      .receive(T0, [1, launched(T0)], [2, launched(T0)], [3, launched(T0)])
      .receive(T0 + 1, [1, settled(T0, T0 + 1, { devBuyQuoteUnits: 5 })])
      .receive(T0 + 1, [2, settled(T0, T0 + 1, { devBuyQuoteUnits: 6, graduated: null, rugged: null, censored: 'gap' })])
      .receive(T0 + 1, [3, settled(T0, T0 + 1, { devBuyQuoteUnits: 7, quoteMint: OTHER_QUOTE, graduated: null, rugged: null })])
    expect(creator.state.days).toMatchObject([{ launches: 3, resolved: 1, devBuyLamports: 11 }])
  })
})

describe('deletion of a creator', () => {
  const opened = () => new Creator(0).receive(T0, [1, launched(T0)])

  test('happens without a launch within the horizon, and the creator is new again', () => {
    const creator = opened().receive(T0 + 93 * DAY_S)
    expect(creator.engine.keys()).toEqual([])
    expect(creator.engine.timers(CREATOR)).toEqual({})
    expect(creator.receive(T0 + 94 * DAY_S, [2, launched(T0 + 94 * DAY_S)]).answers[1]).toMatchObject({ launches: 0 })
  })

  test('is postponed by another launch', () => {
    const again = T0 + 50 * DAY_S
    const creator = opened()
      .receive(again, [2, launched(again)])
      .receive(T0 + 93 * DAY_S)
    expect(creator.state.launches).toHaveLength(2)
    expect(creator.receive(again + 93 * DAY_S).engine.keys()).toEqual([])
  })

  test('is final: a later outcome restores nothing', () => {
    const creator = opened()
      .receive(T0 + 93 * DAY_S)
      .receive(T0 + 93 * DAY_S, [1, settled(T0, T0 + 93 * DAY_S)])
    expect(creator.engine.keys()).toEqual([])
  })
})
