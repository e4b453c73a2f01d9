import { CREATOR, frame, Market, MILLION, SOL, T0, USDC, wallet } from './market.ts'
import { finding, fold, given, outcome, stateOf, transition } from './mint-given.ts'

const HOUR = 3_600

describe('outcome', () => {
  it('settles at the first tick with 3,600 s of silence, not a second before', () => {
    const market = new Market()
    const opening = frame(0, [market.launch()])
    const trade = frame(100, [market.at(100).buy(wallet(1), MILLION)])
    given(opening, trade)
      .when(frame(HOUR), frame(100 + HOUR - 1))
      .thenNothing()
    given(opening, trade, frame(HOUR))
      .when(frame(100 + HOUR))
      .thenEmits(outcome({ graduated: false, rugged: false, rugKind: null, trades: 1, buyers: 1, censored: null }))
  })

  it('settles a launch that never traded, and settles once', () => {
    const market = new Market()
    given(frame(0, [market.launch()]))
      .when(frame(HOUR), frame(2 * HOUR - 1))
      .thenEmits(outcome({ t0: T0, slot0: 1000, trades: 0, graduated: false }))
  })

  it('is a drain if the curve falls from at least 5 SOL to at most a quarter of its peak', () => {
    const market = new Market()
    const opening = frame(0, [market.launch()])
    const fall = (peak: number, low: number) => [
      frame(1, [market.at(1).level(wallet(1), true, peak)]),
      frame(9, [market.at(9).level(wallet(9), false, low)]),
    ]
    const settled = (peak: number, low: number) => fold(opening, ...fall(peak, low), frame(2 * HOUR)).outputs.at(-1)
    expect(settled(5 * SOL, 1_250_000_000)).toMatchObject(outcome({ rugged: true, rugKind: 'drain', rugDtS: 9, peakQuoteUnits: 5 * SOL }))
    expect(settled(5 * SOL, 1_250_000_001)).toMatchObject(outcome({ rugged: false }))
    expect(settled(5 * SOL - 1, 0)).toMatchObject(outcome({ rugged: false }))
  })

  it('is a dev dump if the dev set sells at least half of everything it received', () => {
    const market = new Market()
    const opening = frame(0, [market.launch(), market.buy(CREATOR, 10 * MILLION)])
    const sold = (units: number) => fold(opening, frame(7, [market.copy().at(7).sell(CREATOR, units)]), frame(2 * HOUR)).outputs.at(-1)
    expect(sold(5 * MILLION)).toMatchObject(outcome({ rugged: true, rugKind: 'dev_dump', rugDtS: 7, devFirstSellDtS: 7 }))
    expect(sold(5 * MILLION - 1)).toMatchObject(outcome({ rugged: false, devFirstSellDtS: 7 }))
  })

  it('names the first of two rugs, and the drain if one trade was both', () => {
    const market = new Market()
    const opening = frame(0, [market.launch(), market.buy(CREATOR, 10 * MILLION)])
    const peak = frame(1, [market.at(1).level(wallet(1), true, 8 * SOL)])
    const rug = (...frames: ReturnType<typeof frame>[]) => fold(opening, peak, ...frames, frame(2 * HOUR)).outputs.at(-1)
    const both = (of: Market) => frame(5, [of.at(5).level(CREATOR, false, SOL, 9 * MILLION)])
    expect(rug(both(market.copy()))).toMatchObject(outcome({ rugKind: 'drain', rugDtS: 5 }))
    expect(rug(frame(4, [market.at(4).level(CREATOR, false, 7 * SOL, 9 * MILLION)]), both(market))).toMatchObject(
      outcome({ rugKind: 'dev_dump', rugDtS: 4 }),
    )
  })

  it('settles at the migration: graduated from 84 observed SOL, not below', () => {
    const closed = (peak: number) => {
      const market = new Market()
      return given(frame(0, [market.launch()]), frame(1, [market.level(wallet(1), true, peak)])).when(
        frame(2, [market.at(2).complete(), market.migrate()]),
      )
    }
    closed(84 * SOL).thenEmits(
      transition('curve_complete'),
      outcome({ graduated: true, selfGraduated: false, terminalQuoteUnits: 84 * SOL }),
      transition('migrated_graduated'),
    )
    const low = { peak_rs: 83.999999999 }
    closed(84 * SOL - 1).thenEmits(
      transition('curve_complete'),
      finding('curve_closed_low', low),
      outcome({ graduated: false }),
      transition('migrated_below_grad'),
      finding('migrate_below_grad'),
    )
  })

  it('recognizes a creator that bought out its own curve in the create slot', () => {
    const market = new Market()
    const { engine } = fold(frame(0, [market.launch(), market.level(CREATOR, true, 85 * SOL), market.complete(CREATOR)]))
    expect(stateOf(engine).curve?.selfGraduated).toBe(true)
    const later = new Market()
    const other = fold(frame(0, [later.launch()]), frame(1, [later.level(CREATOR, true, 85 * SOL), later.complete(CREATOR)]))
    expect(stateOf(other.engine).curve?.selfGraduated).toBe(false)
  })

  it('notes a trade that reopens a settled mint, and never labels it again', () => {
    const market = new Market()
    const settled = [frame(0, [market.launch()]), frame(HOUR)]
    const { engine } = given(...settled)
      .when(
        frame(HOUR + 5, [market.at(HOUR + 5).buy(wallet(1), MILLION)]),
        frame(HOUR + 6, [market.at(HOUR + 6).buy(wallet(1), MILLION)]),
        frame(3 * HOUR),
      )
      .thenNothing()
    expect(stateOf(engine).outcome).toMatchObject({ reopenedAt: T0 + HOUR + 5, graduated: false })
  })

  it('does not note pool trades after a migration as reopening', () => {
    const market = new Market()
    const { engine } = fold(
      frame(0, [market.launch()]),
      frame(1, [market.complete(), market.migrate()]),
      frame(2, [market.poolTrade(wallet(1), true, MILLION)]),
    )
    expect(stateOf(engine).outcome?.reopenedAt).toBeNull()
  })

  it('gives curves of another quote no SOL label, but a dev dump', () => {
    const quiet = (units: number) => {
      const market = new Market({ quoteMint: USDC })
      const opening = frame(0, [market.launch(), market.level(CREATOR, true, 90 * SOL, 10 * MILLION)])
      return fold(opening, frame(1, [market.level(CREATOR, false, SOL, units)]), frame(2 * HOUR)).outputs.at(-1)
    }
    expect(quiet(MILLION)).toMatchObject(outcome({ graduated: null, rugged: null, censored: 'quote_not_sol' }))
    expect(quiet(9 * MILLION)).toMatchObject(outcome({ graduated: null, rugged: true, rugKind: 'dev_dump' }))
  })
})

describe('creator changes', () => {
  it('lists the newest 20 and leaves the dev set unchanged', () => {
    const market = new Market()
    const changes = Array.from({ length: 25 }, (_, n) => market.creatorChange(wallet(n)))
    const { engine } = given(frame(0, [market.launch()]))
      .when(frame(1, [...changes, market.sell(wallet(24), MILLION)]))
      .thenNothing()
    expect(
      stateOf(engine)
        .changes.map(({ n }) => n)
        .sort((a, b) => a - b),
    ).toEqual(Array.from({ length: 20 }, (_, n) => n + 5))
  })
})

describe('pools', () => {
  it('move holdings by pool trades and liquidity without counting a deposit as a sell', () => {
    const market = new Market()
    const opening = [frame(0, [market.launch(), market.buy(CREATOR, 10 * MILLION), market.complete(), market.migrate()])]
    const deposit = market.deposit(CREATOR, 4 * MILLION)
    const then = given(...opening)
      .when(frame(1, [deposit, { ...deposit, tx: 51, isDeposit: false, tokenUnits: MILLION }]))
      .thenNothing()
    expect(stateOf(then.engine).holders).toMatchObject([{ wallet: CREATOR, units: 7 * MILLION }])
  })
})
