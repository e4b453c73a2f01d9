// Gaps, thin mints and forgotten mints.
import type { TapeHeader } from '../../../../processors/tape.ts'
import { mintEvidence } from '../../../shipped.ts'
import { CREATOR, frame, Market, MILLION, MINT, SOL, T0, wallet } from './market.ts'
import { finding, fold, given, outcome, shadowFinding, stateOf, thinAt } from './mint-given.ts'

const HOUR = 3_600
const DAY = 86_400

describe('gaps', () => {
  const gap: Partial<TapeHeader> = { gapFrom: 1_010, gapTo: 1_019 }
  const traded = () => {
    const market = new Market()
    return { market, opening: [frame(0, [market.launch()]), frame(1, [market.buy(wallet(1), 10 * MILLION), market.buy(CREATOR, MILLION)])] }
  }

  it('is cleared when the next trade is consistent with the reserves, and detectors continue', () => {
    const { market, opening } = traded()
    const then = given(...opening).when(frame(30, [market.sell(CREATOR, MILLION)], gap))
    then.thenEmits(finding('creator_sold'), shadowFinding('dev_unloaded'))
    expect(stateOf(then.engine).curve).toMatchObject({ gapTrades: 2, gapFrom: 1_010, gapNumber: 1_019 })
  })

  it('makes the card thin permanently if the next trade is not consistent, and detectors stop', () => {
    const { market, opening } = traded()
    market.buy(wallet(2), MILLION)
    const then = given(...opening).when(frame(30, [market.sell(CREATOR, MILLION)], gap), frame(31, [market.sell(wallet(1), MILLION)], gap))
    then.thenNothing()
    expect(stateOf(then.engine).curve?.gapTrades).toBe(3)
    expect(thinAt(then, 40)).toMatchObject({
      coverage_range: { from_slot: 1_010, to_slot: 1_019 },
      risk_label: 'unknown',
      status: 'live_curve',
    })
  })

  it('is found by a trade that does not follow from the reserves, although no frame is known to be missing', () => {
    const { market, opening } = traded()
    market.buy(wallet(2), MILLION)
    const then = given(...opening).when(frame(30, [market.sell(CREATOR, MILLION)]), frame(31, [market.sell(wallet(1), MILLION)], gap))
    then.thenNothing()
    expect(thinAt(then, 40)).toMatchObject({
      coverage_reason:
        'reserves: a trade in slot 1030 does not follow from the reserves in slot 1001, trades between them are missing or out of order',
      coverage_range: { from_slot: 1_001, to_slot: 1_030 },
    })
  })

  it('is a call without its event, which names itself, until a trade shows that none is missing', () => {
    const { market, opening } = traded()
    const silent = frame(2, [market.missingEvent('sell')])
    const reason = 'event missing: sell in slot 1002 has no event in the record of the node, trades of this mint may be missing'
    expect(thinAt(given(...opening).when(silent), 3)).toMatchObject({ coverage_reason: reason, risk_label: 'unknown' })
    const cleared = given(...opening).when(silent, frame(3, [market.buy(wallet(1), MILLION)]))
    expect(stateOf(cleared.engine).curve).toMatchObject({ gapTrades: 2, gapCall: 'sell', gapNumber: 1_002 })
    expect(mintEvidence(MINT, stateOf(cleared.engine), { asOf: T0 + 4, gap: null })).toMatchObject({
      coverage: 'full',
      holders: { top5_share: null, top5_share_reason: expect.stringContaining('by sell in slot 1002') },
    })
    market.buy(wallet(2), MILLION)
    const lost = given(...opening).when(silent, frame(3, [market.buy(wallet(1), MILLION)]))
    expect(thinAt(lost, 4)).toMatchObject({ coverage_reason: reason })
  })

  it('is a launch without its event: the mint is thin with that reason, not merely unknown', () => {
    const market = new Market()
    expect(thinAt(fold(frame(0, [market.missingEvent('create')])), 1)).toMatchObject({
      coverage_reason: expect.stringContaining('create in slot 1000'),
    })
  })

  it('makes a launch thin whose own frame is partial, although its trades are consistent', () => {
    const market = new Market()
    const part = { gapFrom: 1_000, gapTo: 1_000 }
    const then = fold(frame(0, [market.launch(), market.buy(CREATOR, MILLION)], part))
    expect(stateOf(then.engine).curve?.gapTrades).toBe(2)
    expect(mintEvidence(MINT, stateOf(then.engine), { asOf: T0 + 1, gap: { from: 1_000, to: 1_000 } })).toMatchObject({ coverage: 'thin' })
    expect(mintEvidence(MINT, stateOf(then.engine), { asOf: T0 + 1, gap: { from: 900, to: 999 } })).toMatchObject({ coverage: 'full' })
  })

  it('is checked again after every gap', () => {
    const { market, opening } = traded()
    const next = { gapFrom: 1_040, gapTo: 1_041 }
    const cleared = frame(30, [market.buy(wallet(1), MILLION)], gap)
    expect(stateOf(fold(...opening, cleared, frame(50, [market.buy(wallet(1), MILLION)], next)).engine).curve).toMatchObject({
      gapTrades: 2,
      gapNumber: 1_041,
    })
    market.buy(wallet(2), MILLION)
    expect(stateOf(fold(...opening, cleared, frame(50, [market.buy(wallet(1), MILLION)], next)).engine).curve?.gapTrades).toBe(3)
  })

  it('stays open for mayhem curves: their reserves move without trades', () => {
    const market = new Market({ mayhem: true })
    const then = fold(frame(0, [market.launch()]), frame(30, [market.buy(wallet(1), MILLION)], gap))
    expect(stateOf(then.engine).curve?.gapTrades).toBe(1)
  })

  it('does not affect later launches, nor `vouched` frames', () => {
    const market = new Market()
    const launched = fold(frame(25, [market.launch()], gap), frame(30, [market.buy(wallet(1), MILLION)], gap))
    expect(stateOf(launched.engine).curve?.gapTrades).toBe(0)
    const { market: other, opening } = traded()
    const next = (): number | undefined =>
      stateOf(fold(...opening, frame(30, [other.buy(wallet(1), MILLION)], { ...gap, vouched: true })).engine).curve?.gapTrades
    expect(next()).toBe(0)
    // The reserves contradict the importer.
    expect(next()).toBe(4)
  })

  it('censors the outcome of a mint that was open during the gap', () => {
    const { opening } = traded()
    given(...opening)
      .when(frame(2 * HOUR, [], gap))
      .thenEmits(outcome({ graduated: null, rugged: null, censored: 'gap' }))
    const censored = thinAt(fold(...opening, frame(2 * HOUR, [], gap)), 2 * HOUR, { from: 1_010, to: 1_019 })
    expect(censored).toMatchObject({
      status: 'historical',
      history: { rugged: null, rugged_reason: expect.stringContaining('gap'), n_trades: 2 },
    })
    given(...opening)
      .when(frame(2 * HOUR))
      .thenEmits(outcome({ graduated: false, rugged: false, censored: null }))
  })
})

describe('thin mints', () => {
  it('keep only the reserves of an unobserved launch: no holders, flows, findings or outcome', () => {
    const market = new Market()
    const then = fold(frame(0, [market.level(CREATOR, true, 10 * SOL)]), frame(1, [market.level(CREATOR, false, SOL)]), frame(1 + HOUR))
    then.thenNothing()
    expect(stateOf(then.engine)).toMatchObject({
      launch: null,
      holders: [],
      flows: [],
      flags: [],
      outcome: null,
      curve: { realQuoteUnits: SOL, lastNumber: 1001 },
    })
    expect(thinAt(then, 2)).toMatchObject({ status: 'onchain_only', last_seen: { rs_sol: 1 } })
  })

  it('are deleted completely after 2 h of silence', () => {
    const market = new Market()
    const seen = frame(0, [market.buy(wallet(1), MILLION)])
    expect(fold(seen, frame(2 * HOUR - 1)).engine.keys()).toEqual([MINT])
    expect(fold(seen, frame(2 * HOUR)).engine.keys()).toEqual([])
  })

  it('include those whose launch slot is unknown', () => {
    const market = new Market()
    const then = fold(
      frame(0, [market.launch(), market.buy(CREATOR, MILLION)], { placed: false }),
      frame(1, [market.sell(CREATOR, MILLION)], { placed: false }),
    )
    then.thenNothing()
    expect(thinAt(then, 1)).toMatchObject({ name: 'Coin', coverage_reason: 'the slot of the launch is not known' })
  })
})

describe('forgetting', () => {
  const opening = () => frame(0, [new Market().launch()])

  it('keeps a silent mint until it is 6 h old, then its stub for a day', () => {
    expect(stateOf(fold(opening(), frame(6 * HOUR - 1)).engine).launch).not.toBeNull()
    const forgotten = fold(opening(), frame(6 * HOUR))
    expect(stateOf(forgotten.engine)).toMatchObject({
      launch: null,
      curve: null,
      outcome: null,
      stub: { forgottenAt: T0 + 6 * HOUR, launchAt: T0, flags: '' },
    })
    expect(thinAt(forgotten, 7 * HOUR)).toMatchObject({ status: 'historical', history: { graduated: false, t0: T0, n_trades: 0 } })
    expect(fold(opening(), frame(6 * HOUR), frame(6 * HOUR + DAY - 1)).engine.keys()).toEqual([MINT])
    expect(fold(opening(), frame(6 * HOUR), frame(6 * HOUR + DAY)).engine.keys()).toEqual([])
  })

  it('keeps an old mint while it has events', () => {
    const market = new Market()
    const opened = frame(0, [market.launch()])
    const frames = [opened, frame(5 * HOUR, [market.at(5 * HOUR).buy(wallet(1), MILLION)]), frame(6 * HOUR)]
    expect(stateOf(fold(...frames, frame(7 * HOUR - 1)).engine).launch).not.toBeNull()
    expect(stateOf(fold(...frames, frame(7 * HOUR)).engine).launch).toBeNull()
  })

  it('does not reopen a forgotten mint', () => {
    const { engine } = fold(opening(), frame(6 * HOUR), frame(6 * HOUR + 1, [new Market().at(6 * HOUR + 1).launch()]))
    expect(stateOf(engine)).toMatchObject({ launch: null, stub: { launchAt: T0 } })
  })

  it('remembers the flags that fired, and fires none twice', () => {
    const market = new Market()
    const opened = frame(0, [market.launch()])
    const sold = frame(1, [market.buy(CREATOR, 2 * MILLION), market.sell(CREATOR, MILLION)])
    const frames = [opened, sold, frame(6 * HOUR)]
    const then = given(...frames).when(frame(6 * HOUR + 1, [market.at(6 * HOUR + 1).sell(CREATOR, MILLION)]), frame(9 * HOUR))
    then.thenNothing()
    expect(thinAt(then, 9 * HOUR)).toMatchObject({ flags_fired: ['creator_sold'], history: { rugged: true, rug_kind: 'dev_dump' } })
    expect(then.engine.timers(MINT)).toEqual({ stub: T0 + 6 * HOUR + DAY })
  })
})
