// A curve from its launch to its end: completion, graduation, silence, forgetting, gaps.
import { cardAt, figuresOf, fold, fullAt, given, itemAt, outcome, stateOf, thinAt, transition } from './curve-given.ts'
import { BLOCK0, block, DEPLOYER_WALLET, ETH, OWN, Pad, T0, TOKEN, wallet } from './launchpad.ts'

const filled = () => {
  const pad = new Pad()
  return { pad, launch: block(0, pad.launch()), fill: block(12, pad.buy(wallet(1), 6n * ETH)) }
}

describe('a curve that sells out', () => {
  test('is complete with the reserves that it has then; the excess is refunded, and the migration to the pool settles the launch', () => {
    const { pad, launch, fill } = filled()
    const then = given(launch).when(fill, block(15, pad.graduate()))
    then.thenEmits(transition('curve_complete'), outcome({ graduated: true, rugged: false, selfGraduated: false }), transition('graduated'))
    const card = fullAt(then, 20)
    expect(card.status).toBe('graduated')
    expect(card.raised).toMatchObject({ quote_units: String(pad.real), progress: 1 })
    expect(card.raised.price_multiple_vs_launch).toBeCloseTo(12.25, 6)
    expect(card.lifecycle).toMatchObject({
      ...{ state: 'graduated', completed_block: BLOCK0 + 12, graduated_block: BLOCK0 + 15, graduated_after_s: 1, n_refunds: 1 },
    })
    // The factory, which receives the reserve, is not a holder.
    expect(card.structure).toMatchObject({ n_holders: 1, top1_share: 1, hhi: 1 })
  })

  test("counts a failed graduation and the factory's forced takeover on the card", () => {
    const { pad, launch, fill } = filled()
    const then = fold(launch, fill, block(13, [pad.failGraduation()]), block(40, [...pad.forceSweep(), ...pad.rescue()]))
    expect(fullAt(then, 50)).toMatchObject({
      status: 'curve_complete',
      lifecycle: { state: 'complete', n_failed_graduations: 1, is_force_swept: true, swept_block: BLOCK0 + 40, n_rescues: 1 },
    })
  })

  test('graduated itself if that happens in the block of the launch', () => {
    const pad = new Pad()
    given()
      .when(block(0, [...pad.launch(), ...pad.buy(DEPLOYER_WALLET, 6n * ETH)]), block(3, pad.graduate()))
      .thenEmits(transition('curve_complete'), outcome({ selfGraduated: true }), transition('graduated'))
  })
})

describe('a buyback', () => {
  test('moves both reserves like a buy, and no wallet receives its tokens', () => {
    const pad = new Pad()
    const then = fold(block(0, [...pad.launch(), ...pad.buy(wallet(1), ETH / 2n)]), block(5, pad.buyback(ETH / 100n)))
    expect(figuresOf(then)).toMatchObject({ realQuoteUnits: pad.real, tokenUnits: pad.tokens, buybacks: 1, buys: 1 })
    expect(fullAt(then, 9)).toMatchObject({ structure: { n_holders: 1 }, lifecycle: { n_buybacks: 1 } })
  })

  test("through the launchpad's own contract is one too: reserves move, and it is no buy, buyer or volume", () => {
    const pad = new Pad()
    const first = block(0, [...pad.launch(), ...pad.buy(wallet(1), ETH / 2n)])
    const own = pad.buy(wallet(9), ETH / 10n).map((event) => (event.type === 'trade' ? { ...event, user: OWN, recipient: OWN } : event))
    const before = figuresOf(fold(first))
    const after = figuresOf(fold(first, block(5, own)))
    expect(after).toMatchObject({ realQuoteUnits: pad.real, tokenUnits: pad.tokens, buybacks: 1 })
    for (const name of ['buys', 'uniqueBuyers', 'resolvedBuys', 'buyQuoteUnits', 'lastTradeAt'] as const)
      expect(after[name]).toEqual(before[name])
  })
})

describe('silence', () => {
  test('settles the launch after an hour without a trade; a later trade is noted and changes no label', () => {
    const pad = new Pad()
    const launch = block(0, [...pad.launch(), ...pad.buy(wallet(1), ETH / 2n)])
    const then = given(launch).when(block(36_000), block(36_100, pad.buy(wallet(2), ETH / 10n)), block(100_000))
    then.thenEmits(outcome({ graduated: false, rugged: false, trades: 1, buyers: 1 }))
    expect(stateOf(then.engine).outcome).toMatchObject({ cause: 'quiet', settledAt: T0 + 3_600, reopenedAt: T0 + 3_610 })
  })

  test.each([
    ['a sold-out reserve', 'drain', wallet(1)],
    ['the deployer sold half', 'dev_dump', DEPLOYER_WALLET],
  ])('%s settles as rugged: %s', (_what, rugKind, seller) => {
    const pad = new Pad()
    const sizes = seller === DEPLOYER_WALLET ? [ETH / 20n, 55n] : [ETH / 2n, 90n]
    const launch = pad.launch()
    const bought = pad.buy(seller, sizes[0] as bigint)
    const trade = bought.find(({ type }) => type === 'trade')
    const units = trade?.type === 'trade' ? (BigInt(trade.tokenUnits) * (sizes[1] as bigint)) / 100n : 0n
    const { outputs } = given(block(0, [...launch, ...bought]), block(50, pad.sell(seller, units))).when(block(40_000))
    expect(outputs).toMatchObject([outcome({ rugged: true, rugKind, rugDtS: 5, graduated: false })])
  })

  test('makes the card thin with the reason after two hours; after six the rows are forgotten, except for a stub, kept for a day', () => {
    const pad = new Pad()
    const launch = block(0, [...pad.launch(), ...pad.buy(wallet(1), ETH)])
    expect(thinAt(fold(launch), 72_011)).toMatchObject({
      known: true,
      status: 'unknown',
      coverage_reason: 'silent: no event for more than 2 h',
    })
    const forgotten = fold(launch, block(216_000))
    expect(stateOf(forgotten.engine)).toMatchObject({ launch: null, figures: null, holders: [], flows: [] })
    expect(thinAt(forgotten, 216_001)).toMatchObject({
      ...{ known: true, coverage_reason: 'forgotten: silent for 2 h', launch_block: BLOCK0, lifecycle: { state: 'live' } },
    })
    const late = fold(launch, block(216_000), block(216_500, pad.graduate()))
    expect(thinAt(late, 216_501)).toMatchObject({ lifecycle: { state: 'graduated', graduated_block: BLOCK0 + 216_500 } })
    const gone = fold(launch, block(216_000), block(216_000 + 864_000))
    expect(gone.engine.rows(TOKEN, 'stub')).toEqual([])
    expect(thinAt(gone, 1_080_001)).toMatchObject({ known: false, coverage_reason: expect.stringContaining('in the last 6 hours') })
  })
})

describe('a token whose launch was not observed', () => {
  test('leaves no row', () => {
    const pad = new Pad()
    pad.launch()
    const then = fold(block(5, [...pad.buy(wallet(1), ETH), ...pad.exempt(wallet(2))]))
    expect(then.outputs).toEqual([])
    expect(then.engine.keys()).toEqual([])
    expect(thinAt(then, 9)).toMatchObject({ known: false, status: 'unknown' })
  })
})

describe('a gap', () => {
  const gap = { gapFrom: BLOCK0 + 10, gapTo: BLOCK0 + 19 }

  test('followed by a trade that is consistent with the reserves gives a full card with unknown holders', () => {
    const pad = new Pad()
    const open = fold(block(0, [...pad.launch(), ...pad.buy(wallet(1), ETH / 4n)]))
    expect(thinAt(open, 30, { from: gap.gapFrom, to: gap.gapTo })).toMatchObject({
      ...{ coverage_reason: expect.stringContaining('gap: blocks'), coverage_range: { from_block: gap.gapFrom, to_block: gap.gapTo } },
    })
    const again = new Pad()
    const first = block(0, [...again.launch(), ...again.buy(wallet(1), ETH / 4n)])
    const card = fullAt(fold(first, block(30, again.buy(wallet(2), ETH / 9n), gap)), 31)
    expect(card.structure).toMatchObject({ n_holders: null, n_holders_reason: expect.stringContaining('which were not delivered') })
    expect(card.raised.quote_units).toBe(String(again.real))
  })

  test('followed by the buy that fills the curve is checked with the amounts that were cut to the rest of the curve', () => {
    const pad = new Pad()
    const then = fold(block(0, [...pad.launch(), ...pad.buy(wallet(1), ETH)]), block(30, pad.buy(wallet(2), 9n * ETH), gap))
    expect(cardAt(then, 31)).toMatchObject({ coverage: 'full', status: 'curve_complete' })
  })

  test.each([
    ['a trade', (pad: Pad) => pad.sell(wallet(1), 10n ** 24n)],
    ['the completion', (pad: Pad) => pad.buy(wallet(2), 9n * ETH)],
  ])('followed by %s that is not consistent gives a thin card permanently, censored labels and no finding', (_what, after) => {
    const pad = new Pad()
    const launch = block(0, [...pad.launch(), ...pad.buy(wallet(1), ETH / 4n)])
    pad.buy(wallet(3), ETH / 50n)
    const then = given(launch).when(block(30, after(pad), gap), block(70_000))
    expect(then.outputs.filter(({ topic }) => topic === 'flags')).toEqual([])
    expect(then.outputs.at(-1)).toMatchObject(outcome({ censored: 'gap', graduated: null, rugged: null }))
    expect(thinAt(then, 40)).toMatchObject({ known: true })
    expect(itemAt(then, 40)).toMatchObject({ coverage: 'thin', structure: null, structure_reason: 'null: coverage is thin' })
  })
})
