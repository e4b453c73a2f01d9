// Each rug flag of the fold: when it fires, with which evidence, and when it does not.
import { toBase58 } from '../../../../schemas/keys.ts'
import { AGENT, CREATOR, frame, Market, MILLION, MINT, SOL, USDC, USER, wallet } from './market.ts'
import { butRoles, finding, fold, given, shadowFinding, stateOf } from './mint-given.ts'

describe('creator_sold', () => {
  it('fires once at the first sell, with the share and SOL of that sell', () => {
    const market = new Market()
    const opening = frame(0, [market.launch(), market.sameTx().buy(CREATOR, 40 * MILLION)])
    const crowd = frame(1, [market.at(1).buy(wallet(1), 200 * MILLION)])
    const sale = market.at(5).sell(CREATOR, 10 * MILLION)
    given(opening, crowd)
      .when(frame(5, [sale]), frame(6, [market.at(6).sell(CREATOR, 30 * MILLION)]))
      .thenEmits(finding('creator_sold', { tokens_share: 0.01, sol: sale.quoteUnits / SOL }), shadowFinding('dev_unloaded'))
  })

  it('names finding, position, detector, age and the proving events with the cause last', () => {
    const market = new Market()
    const launch = market.launch()
    const opening = frame(0, [launch, market.buy(CREATOR, 40 * MILLION)])
    const sale = market.at(5).sell(CREATOR, 10 * MILLION)
    const position = `solana:1005.${sale.tx}.2.${sale.inner}`
    const { outputs } = given(opening).when(frame(5, [sale], { hash8: 'Later000' }))
    expect(outputs[0]?.conclusion).toMatchObject({
      id: `${position}@Later000:creator-sold:${toBase58(MINT)}`,
      number: 1005,
      at: sale.timestamp,
      body: {
        detector: 'creator-sold',
        detectorVersion: 1,
        mintAgeS: 5,
        events: [`solana:1000.${launch.tx}.2.${launch.inner}@Hash0000`, `${position}@Later000`],
      },
    })
  })

  it('covers both wallets of the dev set', () => {
    const market = new Market()
    const opening = frame(0, [market.launch({ user: USER }), market.buy(USER, MILLION), market.buy(CREATOR, MILLION)])
    given(opening)
      .when(frame(1, [market.copy().sell(CREATOR, MILLION)]))
      .thenEmits(finding('creator_sold'))
    given(opening)
      .when(frame(1, [market.copy().sell(USER, MILLION)]))
      .thenEmits(finding('creator_sold'))
  })

  it('excludes a creator that is a program address', () => {
    const market = new Market()
    const opening = frame(0, [market.launch({ user: USER, creatorIsWallet: false })])
    given(opening)
      .when(frame(1, [market.sell(CREATOR, MILLION)]))
      .thenNothing()
  })

  it('fires for a sell in the pool, and states why SOL is null for another quote', () => {
    const market = new Market()
    const opening = frame(0, [market.launch(), market.buy(CREATOR, 10 * MILLION), market.complete(), market.migrate()])
    given(opening)
      .when(frame(1, [market.poolTrade(CREATOR, false, MILLION)]))
      .thenEmits(finding('creator_sold', { tokens_share: 0.001, sol: 1 }))
    given(opening)
      .when(frame(1, [market.poolTrade(CREATOR, false, MILLION, { quoteMint: USDC })]))
      .thenEmits(finding('creator_sold', { tokens_share: 0.001, sol: null, sol_reason: 'sold for another quote than SOL' }))
  })

  it('does not fire if the creator buys, or another wallet sells', () => {
    const market = new Market()
    const opening = frame(0, [market.launch()])
    given(opening)
      .when(frame(1, [market.buy(CREATOR, MILLION), market.buy(wallet(1), MILLION), market.sell(wallet(1), MILLION)]))
      .thenNothing()
  })
})

describe('bundle_dumped', () => {
  const bundled = () => {
    const market = new Market()
    const opening = frame(0, [
      market.launch(),
      market.buy(CREATOR, 50 * MILLION),
      market.buy(wallet(1), 10 * MILLION),
      market.buy(wallet(2), 10 * MILLION),
    ])
    return { market, opening }
  }

  it('does not fire at exactly half, and fires above it', () => {
    const { market, opening } = bundled()
    const half = frame(3, [market.sell(wallet(1), 10 * MILLION)])
    given(opening).when(half).thenNothing()
    given(opening, half)
      .when(frame(4, [market.sell(wallet(2), 1)]))
      .thenEmits(finding('bundle_dumped', { n_wallets: 2, bought_share: 0.02, sold_share: 0.010000000000001 }))
  })

  it('counts for each wallet at most what it bought in the create slot', () => {
    const { market, opening } = bundled()
    const more = frame(1, [market.buy(wallet(1), 90 * MILLION)])
    given(opening, more)
      .when(frame(2, [market.sell(wallet(1), 100 * MILLION)]))
      .thenNothing()
  })

  it('ignores wallets that bought a slot later, and the dev set', () => {
    const { market, opening } = bundled()
    const later = frame(1, [market.buy(wallet(3), 20 * MILLION)])
    given(opening, later)
      .when(frame(2, [market.sell(wallet(3), 20 * MILLION), market.sell(CREATOR, 50 * MILLION)]))
      .thenEmits(finding('creator_sold'), shadowFinding('dev_unloaded'))
  })

  it('waits for the end of the create slot, which decides its members', () => {
    const market = new Market()
    const roundTrip = [market.launch(), market.buy(wallet(1), 10 * MILLION), market.sell(wallet(1), 10 * MILLION)]
    expect(butRoles(fold(frame(0, [...roundTrip, market.buy(wallet(2), 20 * MILLION)])))).toEqual([])
    const then = fold(frame(0, roundTrip))
    const outputs = butRoles(then)
    expect(outputs).toMatchObject([finding('bundle_dumped', { n_wallets: 1, bought_share: 0.01, sold_share: 0.01 })])
    expect(outputs[0]?.conclusion.id).toMatch(/^solana:1000\.~@/)
    expect(outputs[0]?.conclusion.body).toMatchObject({ events: expect.arrayContaining(['solana:1000.3.2.3@Hash0000']) })
  })

  it('is proven by launch, purchases and sells in order, and then drops the proofs', () => {
    const { market, opening } = bundled()
    const { outputs, engine } = given(opening).when(
      frame(2, [market.sell(wallet(1), 9 * MILLION)]),
      frame(3, [market.sell(wallet(2), 9 * MILLION)]),
    )
    expect(outputs[0]?.conclusion.body).toMatchObject({
      events: [
        'solana:1000.1.2.1@Hash0000',
        'solana:1000.3.2.3@Hash0000',
        'solana:1000.4.2.4@Hash0000',
        'solana:1002.5.2.5@Hash0000',
        'solana:1003.6.2.6@Hash0000',
      ],
    })
    expect(stateOf(engine).proofs).toEqual([])
  })
})

describe('curve_drained', () => {
  const peaked = (peakLamports: number, market = new Market()) => ({
    market,
    opening: frame(0, [market.launch()]),
    peak: frame(1, [market.level(wallet(1), true, peakLamports)]),
  })

  it('fires at exactly 20 % of a peak of exactly 1 SOL', () => {
    const { market, opening, peak } = peaked(SOL)
    given(opening, peak)
      .when(frame(2, [market.copy().level(wallet(9), false, SOL / 5 + 1)]))
      .thenNothing()
    given(opening, peak)
      .when(frame(2, [market.copy().level(wallet(9), false, SOL / 5)]))
      .thenEmits(finding('curve_drained', { peak_rs: 1, rs: 0.2 }))
  })

  it('does not fire below a peak of 1 SOL', () => {
    const { market, opening, peak } = peaked(SOL - 1)
    given(opening, peak)
      .when(frame(2, [market.level(wallet(9), false, 0)]))
      .thenNothing()
  })

  it('is proven by the peak in its own block and the cause', () => {
    const market = new Market()
    const peak = market.level(wallet(1), true, 10 * SOL)
    const cause = market.level(wallet(5), false, SOL)
    const { outputs } = given(frame(0, [market.launch()]), frame(1, [peak], { hash8: 'PeakPeak' })).when(
      frame(2, [cause], { hash8: 'Cause000' }),
    )
    expect(outputs[0]?.conclusion.body).toMatchObject({
      events: [`solana:1001.${peak.tx}.2.1@PeakPeak`, `solana:1002.${cause.tx}.2.2@Cause000`],
    })
  })

  it('does not fire once the curve is closed, nor for another quote', () => {
    const closed = peaked(80 * SOL)
    given(closed.opening, closed.peak, frame(2, [closed.market.complete()]))
      .when(frame(3, [closed.market.level(wallet(9), false, 0)]))
      .thenNothing()
    const usdc = peaked(80 * SOL, new Market({ quoteMint: USDC }))
    given(usdc.opening, usdc.peak)
      .when(frame(2, [usdc.market.level(wallet(9), false, 0)]))
      .thenNothing()
  })

  it("uses the agent's reserves on mayhem curves, and reserves set without a trade", () => {
    const market = new Market({ mayhem: true })
    const opening = frame(0, [market.launch(), { ...market.level(AGENT, true, 10 * SOL), isAgent: true }])
    const set = {
      type: 'mayhemReserves' as const,
      tx: 9,
      outer: 1,
      inner: 1,
      signature: market.launch().signature,
      mint: MINT,
      timestamp: 1_763_000_003,
      virtualTokenUnits: 1,
      virtualQuoteUnits: 1,
      realTokenUnits: 5,
      realQuoteUnits: SOL,
    }
    given(opening)
      .when(frame(3, [set]))
      .thenEmits(finding('curve_drained', { peak_rs: 10, rs: 1 }))
    const { curve, holders, flows } = stateOf(fold(opening).engine)
    expect({ trades: curve?.trades, buyers: curve?.uniqueBuyers, holders, flows }).toEqual({ trades: 0, buyers: 0, holders: [], flows: [] })
  })
})
