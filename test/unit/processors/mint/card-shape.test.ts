// Other quotes and layouts, hostile text, nulls with their reasons.
import { toBase58 } from '../../../../schemas/keys.ts'
import { launchItem } from '../../../shipped.ts'
import { CREATOR, frame, Market, MILLION, MINT, SOL, T0, USDC, wallet } from './market.ts'
import { bareNulls, fold, fullAt, GAP, stateOf, thinAt } from './mint-given.ts'

describe('other quotes and layouts', () => {
  it('has no SOL figures, no sums across quotes, and progress by coins sold', () => {
    const market = new Market({ quoteMint: USDC })
    const then = fold(
      frame(0, [market.launch(), market.buy(CREATOR, 79_310_000_000_000)]),
      frame(1, [{ ...market.poolTrade(wallet(1), true, MILLION), quoteMint: null }]),
    )
    const card = fullAt(then, 2)
    expect(card.curve).toMatchObject({
      rs_sol: null,
      peak_rs_sol: null,
      dev_buy_sol: null,
      graduated: null,
      progress: 0.1,
      quote_mint: toBase58(USDC),
    })
    expect(card.curve).toHaveProperty('rs_sol_reason', `the curve is paired with ${toBase58(USDC)}, not SOL`)
    expect(card).toMatchObject({ demand: { net_sol_60s: null, buys_60s: 2 }, flags: { curve_drained: null } })
    expect(stateOf(then.engine).flows.reduce((sum, { netQuoteUnits }) => sum + Number(netQuoteUnits), 0)).toBe(
      stateOf(then.engine).curve?.devBuyQuoteUnits,
    )
    expect(bareNulls(card)).toEqual([])
  })

  it("keeps the launch's quote if an old layout has none", () => {
    const market = new Market({ quoteMint: USDC })
    const then = fold(frame(0, [market.launch(), market.buy(wallet(1), MILLION, { quoteMint: null })]))
    expect(fullAt(then, 1).curve).toMatchObject({ rs_sol: null, quote_mint: toBase58(USDC) })
  })

  it('computes the real reserves of the oldest layout from the virtual ones', () => {
    const market = new Market()
    const old = { realQuoteUnits: null, realTokenUnits: null, layout: 'G0' }
    const bought = market.launch({
      virtualQuoteUnits: null,
      virtualTokenUnits: null,
      realTokenUnits: null,
      supplyUnits: null,
      timestamp: null,
      layout: 'V0',
    })
    const then = fold(frame(0, [bought, market.buy(wallet(1), 100 * MILLION, old)]))
    expect(stateOf(then.engine).curve).toMatchObject({
      realQuoteUnits: Number(market.virtualQuote) - 30 * SOL,
      realTokenUnits: 693_100_000_000_000,
    })
    expect(fullAt(then, 1)).toMatchObject({ created_at: T0, holders: { top5_share: 0.1 } })
    const mayhem = new Market({ mayhem: true })
    const unknown = fold(frame(0, [mayhem.launch(), mayhem.buy(wallet(1), MILLION, old)]))
    expect(fullAt(unknown, 1).curve).toMatchObject({
      rs_sol: null,
      rs_sol_reason: 'the reserves of the curve are not known',
      progress: null,
    })
    expect(bareNulls(fullAt(unknown, 1))).toEqual([])
  })

  it('counts the part of a buy that went to the future pool once', () => {
    const market = new Market()
    const beyond = {
      ...market.complete(wallet(1)),
      type: 'postCompleteBuy' as const,
      tokenUnits: 7 * MILLION,
      quoteUnits: SOL,
      poolTokenUnitsAfter: 1,
      poolQuoteUnitsAfter: 1,
    }
    const then = fold(frame(0, [new Market().launch()]), frame(1, [market.at(1).buy(wallet(1), MILLION), { ...beyond, tx: 9 }]))
    expect(stateOf(then.engine).curve).toMatchObject({ trades: 1, buys: 1, uniqueBuyers: 1 })
    expect(stateOf(then.engine).holders).toMatchObject([{ units: 8 * MILLION }])
  })
})

describe('text and shape', () => {
  it('shows hostile names without invisible characters, truncated and well-formed', () => {
    const name = `\u202Eevil\u200B\u0000\n\uD800<script>${'x'.repeat(100)}`
    const card = fullAt(fold(frame(0, [new Market().launch({ name, symbol: '\u2066SYM\u3164'.repeat(9) })])), 1)
    expect(card.name).toBe(`evil<script>${'x'.repeat(20)}`)
    expect(card.symbol).toBe('SYM'.repeat(9).slice(0, 16))
  })

  it('gives every null of a full card its reason, and every field of the contract', () => {
    const market = new Market()
    const then = fold(frame(0, [market.launch(), market.buy(CREATOR, MILLION)]), frame(1, [market.sell(CREATOR, MILLION)]))
    const card = fullAt(then, 2)
    expect(bareNulls(card)).toEqual([])
    expect(Object.keys(card)).toEqual(
      expect.arrayContaining(
        'mint name symbol creator created_at age_s coverage status risk_label why curve demand holders exit_signals creator_prior_at_launch warm_launch rug_flags flags'.split(
          ' ',
        ),
      ),
    )
    expect(card.rug_flags).toMatchObject([
      { flag: 'creator_sold', detector_id: 'creator-sold', detector_version: 1, first_seen_at: T0, evidence: { tokens_share: 0.001 } },
    ])
    expect(card.flags).toMatchObject({
      creator_sold: true,
      bundle_dumped: false,
      curve_drained: false,
      pool_drained: false,
      migrate_below_grad: false,
    })
  })

  it('gives launch items the field names of the card, thin ones the last seen values', () => {
    const market = new Market()
    const then = fold(frame(0, [market.launch(), market.buy(wallet(1), MILLION)]))
    const full = launchItem(MINT, stateOf(then.engine), { asOf: T0 + 1, gap: null })
    const thin = launchItem(MINT, stateOf(then.engine), { asOf: T0 + 20, gap: GAP })
    expect(full).toMatchObject({
      mint: toBase58(MINT),
      age_s: 1,
      curve: { progress: expect.any(Number) },
      holders: { bundle_share: 0.001 },
      demand: { unique_buyers: 1 },
      rug_flags: [],
    })
    expect(thin).toMatchObject({ coverage: 'thin', risk_label: 'unknown', curve: { rs_sol: expect.any(Number) }, holders: null })
    expect([bareNulls(full), bareNulls(thin)]).toEqual([[], []])
  })

  it('gives thin cards of every kind their reasons', () => {
    const market = new Market()
    const lost = fold(
      frame(0, [market.launch(), market.buy(CREATOR, MILLION)]),
      frame(3_000, [market.sell(CREATOR, MILLION)]),
      frame(7_000),
    )
    expect(bareNulls(thinAt(lost, 11_000))).toEqual([])
    expect(thinAt(lost, 11_000)).toMatchObject({ status: 'historical', history: { rugged: true }, rug_flags: [{ flag: 'creator_sold' }] })
    const usdc = new Market({ quoteMint: USDC })
    expect(bareNulls(thinAt(fold(frame(0, [usdc.launch()]), frame(4_000)), 8_000))).toEqual([])
  })
})
