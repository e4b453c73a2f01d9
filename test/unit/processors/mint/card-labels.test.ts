// Status, risk label, confidence and coverage of the card.

import { isAlive } from '../../../../processors/mint/card/labels.ts'
import { confidenceOf } from '../../../../processors/mint/card/moment.ts'
import { mintEvidence } from '../../../shipped.ts'
import { CREATOR, frame, key, Market, MILLION, SOL, T0, wallet } from './market.ts'
import { bareNulls, cardAt, fold, fullAt, GAP, stateOf, thinAt } from './mint-given.ts'

describe('status and labels', () => {
  it('follows the curve from live to the pool', () => {
    const walk = (peak: number) => {
      const market = new Market()
      const open = [frame(0, [market.launch()]), frame(1, [market.level(wallet(1), true, peak)])]
      const complete = [...open, frame(2, [market.complete()])]
      const card = (...frames: ReturnType<typeof frame>[]) => fullAt(fold(...frames), 4)
      return [card(...open), card(...complete), card(...complete, frame(3, [market.migrate()]))].map(({ status, curve }) => [
        status,
        curve.graduated,
      ])
    }
    expect(walk(83 * SOL)).toEqual([
      ['live_curve', null],
      ['curve_complete', false],
      ['migrated_below_grad', false],
    ])
    expect(walk(84 * SOL)).toEqual([
      ['live_curve', true],
      ['curve_complete', true],
      ['migrated_graduated', true],
    ])
  })

  it('takes the first label that applies', () => {
    const label = (options: { mayhem?: boolean; sells?: boolean; share: number }) => {
      const market = new Market(options.mayhem ? { mayhem: true } : {})
      const opened = frame(0, [market.launch(), market.buy(CREATOR, MILLION)])
      const then = fold(
        opened,
        frame(1, [market.at(1).buy(wallet(1), options.share * MILLION), ...(options.sells ? [market.sell(CREATOR, 1)] : [])]),
      )
      return [fullAt(then, 2).risk_label, fullAt(then, 200).risk_label]
    }
    expect(label({ mayhem: true, sells: true, share: 600 })).toEqual(['rug_flagged', 'rug_flagged'])
    expect(label({ mayhem: true, share: 600 })).toEqual(['mayhem', 'mayhem'])
    expect(label({ share: 500 })).toEqual(['concentrated', 'concentrated'])
    expect(label({ share: 498 })).toEqual(['active', 'stalled'])
  })

  it('calls no mint stalled before 120 s', () => {
    const then = fold(frame(0, [new Market().launch()]))
    expect([fullAt(then, 120).risk_label, fullAt(then, 121).risk_label]).toEqual(['active', 'stalled'])
  })

  it('is concentrated by a bundle of 25 % and by insiders of 20 %', () => {
    const bundle = (units: number, sameTx: boolean) => {
      const market = new Market()
      const launch = market.launch()
      return fullAt(fold(frame(0, [launch, (sameTx ? market.sameTx() : market).buy(wallet(1), units)])), 1).risk_label
    }
    expect([bundle(250 * MILLION, false), bundle(250 * MILLION - 1, false)]).toEqual(['concentrated', 'active'])
    expect([bundle(200 * MILLION, true), bundle(200 * MILLION - 1, true)]).toEqual(['concentrated', 'active'])
  })

  it('derives confidence from trades and lag', () => {
    const of = (trades: number, lag: number | null) => confidenceOf('full', trades, lag)
    expect([of(20, 4.9), of(20, 5), of(20, 29.9), of(20, 30), of(19, 4), of(5, 29.9), of(4, 0), of(50, null)]).toEqual([
      'high',
      'medium',
      'medium',
      'low',
      'medium',
      'medium',
      'low',
      'low',
    ])
    expect(confidenceOf('thin', 100, 0)).toBe('low')
  })

  it('is alive while open, not drained and traded in the last 300 s', () => {
    const market = new Market()
    const opened = [frame(0, [market.launch()]), frame(1, [market.at(1).level(wallet(1), true, 10 * SOL)])]
    const alive = (after: number, ...more: ReturnType<typeof frame>[]): boolean =>
      isAlive(stateOf(fold(...opened, ...more).engine), { asOf: T0 + after, gap: null })
    expect([alive(300), alive(301)]).toEqual([true, false])
    expect(alive(3, frame(2, [market.complete()]))).toBe(false)
    expect(alive(3, frame(2, [market.level(wallet(9), false, SOL)]))).toBe(false)
  })
})

describe('coverage', () => {
  const opened = () => {
    const market = new Market()
    return fold(frame(0, [market.launch(), market.buy(wallet(1), MILLION)]))
  }

  it('is thin after more than 2 h of silence', () => {
    expect(cardAt(opened(), 7_200).coverage).toBe('full')
    expect(thinAt(opened(), 7_201).coverage_reason).toBe('silent: no event for more than 2 h')
  })

  it('is thin over a gap after the newest event, unless the launch is `vouched`', () => {
    expect(thinAt(opened(), 20, GAP)).toMatchObject({ coverage_range: { from_slot: 1_010, to_slot: 1_019 }, status: 'live_curve' })
    expect(cardAt(opened(), 20, { from: 990, to: 999 }).coverage).toBe('full')
    const vouched = fold(frame(0, [new Market().launch()], { vouched: true }))
    expect(cardAt(vouched, 20, GAP).coverage).toBe('full')
  })

  it('gives a thin card for an unobserved mint', () => {
    const card = mintEvidence(key(99), stateOf(fold().engine), { asOf: T0, gap: null })
    expect(card).toMatchObject({
      coverage: 'thin',
      status: 'not_observed',
      risk_label: 'unknown',
      history: null,
      onchain: null,
      creator_prior: null,
    })
    expect(bareNulls(card)).toEqual([])
  })
})
