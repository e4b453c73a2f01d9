// Pools of a coin, the flags of a curve's end, and the steps of its lifecycle.
import { solana } from '../../../../processors/chains/solana/chain.ts'
import { poolPart } from '../../../../processors/mint/card/card-parts.ts'
import { POOLS_MAX } from '../../../../processors/mint/thresholds.ts'
import { toBase58 } from '../../../../schemas/keys.ts'
import type { CurveRow, PoolTrade } from '../../../../schemas/types.ts'
import { CREATOR, frame, key, Market, MILLION, MINT, POOL, SOL, T0, USDC, wallet } from './market.ts'
import { bareNulls, butRoles, finding, fold, fullAt, GAP, given, outcome, stateOf, transition } from './mint-given.ts'

/** A curve that reached `peak` and migrated to a pool. */
const migrated = (market = new Market(), peak = 85 * SOL) => {
  const opening = frame(0, [market.launch(), market.level(wallet(1), true, peak)])
  const end = frame(1, [market.at(1).complete(), market.poolCreate(), market.migrate()])
  return { market, opening, end }
}
const sale = (market: Market, change: Partial<PoolTrade>) => market.poolTrade(wallet(9), false, MILLION, change)

describe('reserves of the pool', () => {
  it('are those after each event: the earlier reserves, the moved amounts, and the fee that the pool keeps', () => {
    const { market, opening, end } = migrated()
    const buy = market.at(2).poolTrade(wallet(2), true, MILLION, { poolQuoteUnits: 85 * SOL, quoteUnits: SOL, poolFeeUnits: 200_000 })
    const sell = sale(market, { poolQuoteUnits: 86 * SOL + 200_000, quoteUnits: 2 * SOL, poolFeeUnits: 400_000 })
    const state = stateOf(fold(opening, end, frame(2, [buy, sell])).engine)
    expect(state.pools).toMatchObject([{ openingQuoteUnits: 85 * SOL, quoteUnits: 84 * SOL + 600_000, virtualQuoteUnits: 0, trades: 2 }])
  })

  it('include the virtual part, which a boost takes from the real one and which may be negative', () => {
    const { market, opening, end } = migrated()
    const boost = frame(2, [market.at(2).poolBoost(17 * SOL, 68 * SOL)])
    expect(stateOf(fold(opening, end, boost).engine).pools).toMatchObject([{ quoteUnits: 85 * SOL, virtualQuoteUnits: 17 * SOL }])
    const trade = frame(3, [sale(market.at(3), { poolQuoteUnits: 70 * SOL, quoteUnits: SOL, virtualQuoteUnits: -2 * SOL })])
    expect(stateOf(fold(opening, end, boost, trade).engine).pools).toMatchObject([{ quoteUnits: 67 * SOL, virtualQuoteUnits: -2 * SOL }])
  })

  it('move with what the launchpad buys for itself, which is a boost and no trade, buyer or holder', () => {
    const { market, opening, end } = migrated()
    const burn = { isAgent: true, poolQuoteUnits: 85 * SOL, quoteUnits: SOL, userQuoteUnits: SOL }
    const boost = market.at(2).poolTrade(key(240), true, MILLION, burn)
    const before = stateOf(fold(opening, end).engine)
    const state = stateOf(fold(opening, end, frame(2, [boost])).engine)
    expect(state.pools).toMatchObject([{ quoteUnits: 86 * SOL, trades: 0, boosts: 1, boostQuoteUnits: SOL, boostTokenUnits: MILLION }])
    expect(poolPart(state.curve as CurveRow, state.pools, solana).pool).toMatchObject({
      n_trades: 0,
      boosts: { n: 1, spent_sol: 1, burnt_tokens: MILLION / 1e6 },
    })
    expect([state.holders.length, state.curve?.uniqueBuyers, state.curve?.lastNewBuyerAt]).toEqual([
      before.holders.length,
      before.curve?.uniqueBuyers,
      before.curve?.lastNewBuyerAt,
    ])
  })

  it('are those of the migration even if others opened as many pools as are kept in the same second, with higher keys', () => {
    const { market, opening } = migrated()
    const others = Array.from({ length: POOLS_MAX }, (_, n) => market.at(1).poolCreate({ pool: key(200 + n) }))
    const end = frame(1, [market.at(1).complete(), ...others, market.poolCreate(), market.migrate()])
    const state = stateOf(fold(opening, end).engine)
    expect(state.pools.map(({ pool }) => pool)).toEqual([POOL, ...others.slice(1).map(({ pool }) => pool)])
  })

  it('are exact beyond 2^53, through trades, liquidity and a boost', () => {
    const { market, opening, end } = migrated()
    const units = 2n ** 64n - 1n
    const buy = market.at(2).poolTrade(wallet(2), true, 5, { poolQuoteUnits: units, quoteUnits: 3, poolFeeUnits: 1, poolTokenUnits: units })
    const state = stateOf(fold(opening, end, frame(2, [buy])).engine)
    expect(state.pools).toMatchObject([{ quoteUnits: units + 4n, tokenUnits: units - 5n }])
    const withdrawal = { ...market.deposit(wallet(1), MILLION), isDeposit: false, poolQuoteUnits: units, quoteUnits: units - 7n }
    expect(stateOf(fold(opening, end, frame(2, [withdrawal])).engine).pools).toMatchObject([{ quoteUnits: 7 }])
    const boost = frame(2, [{ ...market.poolBoost(0, 0), virtualQuoteUnits: -(2n ** 127n), realQuoteUnitsAfter: units }])
    expect(stateOf(fold(opening, end, boost).engine).pools).toMatchObject([{ quoteUnits: units - 2n ** 127n }])
    expect(poolPart(state.curve as CurveRow, state.pools, solana).pool).toMatchObject({
      quote_sol: Number(units) / SOL,
      opening_quote_sol: 85,
    })
  })

  it('of pools that others opened are kept separately, for the newest 7, and do not replace those of the pool', () => {
    const { market, opening, end } = migrated()
    const others = Array.from({ length: 20 }, (_, n) => market.at(2 + n).poolCreate({ pool: key(60 + n), quoteUnits: SOL }))
    const { pools } = stateOf(fold(opening, end, frame(22, others)).engine)
    expect(pools.map(({ pool }) => pool).sort()).toEqual([POOL, ...Array.from({ length: 7 }, (_, n) => key(73 + n))].sort())
  })
})

describe('pool_drained', () => {
  it('fires once at a fifth of the opening, proven by opening and cause', () => {
    const { market, opening, end } = migrated()
    const above = sale(market.at(2), { poolQuoteUnits: 18 * SOL, quoteUnits: SOL - 1 })
    const at = sale(market.at(3), { poolQuoteUnits: 18 * SOL, quoteUnits: SOL })
    given(opening, end)
      .when(frame(2, [above]))
      .thenNothing()
    const { outputs } = given(opening, end)
      .when(frame(3, [at]), frame(4, [sale(market.at(4), { poolQuoteUnits: 17 * SOL, quoteUnits: SOL })]))
      .thenEmits(finding('pool_drained', { opening_quote: 85, quote: 17 }))
    expect(outputs[0]?.conclusion.body).toMatchObject({
      events: [`solana:1001.${end.events[1]?.tx}.2.${end.events[1]?.inner}@Hash0000`, `solana:1003.${at.tx}.2.${at.inner}@Hash0000`],
    })
  })

  it('accounts for a fee that lifts the pool above the fifth, and for withdrawn liquidity', () => {
    const { market, opening, end } = migrated()
    given(opening, end)
      .when(frame(2, [sale(market.at(2), { poolQuoteUnits: 18 * SOL, quoteUnits: SOL, poolFeeUnits: 1 })]))
      .thenNothing()
    const withdrawal = { ...market.deposit(wallet(1), MILLION), isDeposit: false, poolQuoteUnits: 85 * SOL, quoteUnits: 70 * SOL }
    given(opening, end)
      .when(frame(2, [withdrawal]))
      .thenEmits(finding('pool_drained', { opening_quote: 85, quote: 15 }))
  })

  it('does not fire for pools that others opened for the coin', () => {
    const { market, opening, end } = migrated()
    const foreign = market.at(2).poolCreate({ pool: key(60), quoteUnits: 10 * SOL })
    given(opening, end)
      .when(frame(2, [foreign]), frame(3, [sale(market.at(3), { pool: key(60), poolQuoteUnits: 10 * SOL, quoteUnits: 9 * SOL })]))
      .thenNothing()
  })

  it('also fires for another quote, with amounts in its base units', () => {
    const { market, opening, end } = migrated(new Market({ quoteMint: USDC }))
    const evidence = { opening_quote: 85 * SOL, quote: 17 * SOL, quote_mint: toBase58(USDC) }
    given(opening, end)
      .when(frame(2, [sale(market.at(2), { poolQuoteUnits: 18 * SOL, quoteUnits: SOL })]))
      .thenEmits(finding('pool_drained', evidence))
  })

  it('is exact beyond 2^53: at a fifth to the unit, as digits where a JSON number is not exact', () => {
    const opened = 5n * 2n ** 200n
    const market = new Market({ quoteMint: USDC })
    const opening = frame(0, [market.launch(), market.level(wallet(1), true, 85 * SOL)])
    const end = frame(1, [market.at(1).complete(), market.poolCreate({ quoteUnits: opened }), market.migrate()])
    const sell = (quoteUnits: bigint) => frame(2, [sale(market.at(2), { poolQuoteUnits: opened, quoteUnits, tokenUnits: 1 })])
    given(opening, end)
      .when(sell(4n * 2n ** 200n - 1n))
      .thenNothing()
    given(opening, end)
      .when(sell(4n * 2n ** 200n))
      .thenEmits(
        finding('pool_drained', {
          opening_quote: null,
          opening_quote_reason: `${opened} base units: more than a JSON number holds`,
          quote: null,
          quote_reason: `${2n ** 200n} base units: more than a JSON number holds`,
          quote_mint: toBase58(USDC),
        }),
      )
  })
})

describe('the end of a curve', () => {
  it('below 84 SOL is a flag at the completion and one at the migration', () => {
    const { market, opening } = migrated(new Market(), 84 * SOL - 1)
    given(opening)
      .when(frame(1, [market.at(1).complete()]))
      .thenEmits(transition('curve_complete'), finding('curve_closed_low', { peak_rs: 83.999999999 }))
    const { outputs } = given(opening, frame(1, [market.at(1).complete()])).when(frame(2, [market.at(2).migrate()]))
    expect(outputs).toMatchObject([
      { topic: 'outcomes' },
      transition('migrated_below_grad'),
      finding('migrate_below_grad', { peak_rs: 83.999999999, pool: toBase58(POOL) }),
    ])
  })

  it('at 84 SOL, or of a coin paired with another quote, is no flag', () => {
    for (const { opening, end } of [migrated(new Market(), 84 * SOL), migrated(new Market({ quoteMint: USDC }), SOL)])
      expect(butRoles(fold(opening, end)).map(({ topic }) => topic)).toEqual(['outcomes', 'outcomes', 'outcomes'])
  })

  it('has a flag that the launch proves if the curve migrated without a trade', () => {
    const market = new Market()
    const launch = market.launch()
    const { outputs } = given(frame(0, [launch])).when(frame(1, [market.at(1).migrate()]))
    expect(outputs.at(-1)?.conclusion.body).toMatchObject({
      flag: 'migrate_below_grad',
      events: [`solana:1000.${launch.tx}.2.${launch.inner}@Hash0000`, expect.stringMatching(/^solana:1001/)],
    })
  })

  it('emits each step at its position, and whether the curve graduated', () => {
    const { opening, end } = migrated()
    const [complete, , migrate] = end.events
    const outputs = butRoles(fold(opening, end))
    const common = { mint: MINT, creator: CREATOR, t0: T0, slot0: 1_000, graduated: true, peakQuoteUnits: 85 * SOL, quoteMint: null }
    expect(outputs).toMatchObject([
      transition('curve_complete', { ...common, pool: null }),
      outcome({}),
      transition('migrated_graduated', { ...common, pool: POOL }),
    ])
    const mint = toBase58(MINT)
    expect([outputs[0]?.conclusion.id, outputs[2]?.conclusion.id]).toEqual([
      `solana:1001.${complete?.tx}.2.${complete?.inner}@Hash0000:mint:${mint}:1`,
      `solana:1001.${migrate?.tx}.2.${migrate?.inner}@Hash0000:mint:${mint}:2`,
    ])
  })

  it('has no label if trades may be missing or the quote is not SOL, and nothing for an unobserved launch', () => {
    const { market, opening, end } = migrated()
    const late = frame(20, end.events, { gapFrom: GAP.from, gapTo: GAP.to })
    const usdc = migrated(new Market({ quoteMint: USDC }))
    for (const { outputs } of [fold(opening, late), fold(usdc.opening, usdc.end)]) {
      const transitions = outputs.filter(({ conclusion: { body } }) => body.type === 'transition')
      expect(transitions).toMatchObject([{ conclusion: { body: { graduated: null } } }, { conclusion: { body: { graduated: null } } }])
    }
    given()
      .when(frame(1, [market.at(1).complete(), market.migrate()]))
      .thenNothing()
  })

  it('keeps its steps with their positions', () => {
    const { opening, end } = migrated()
    const [complete, , migrate] = end.events
    expect(stateOf(fold(opening, end).engine).steps).toMatchObject([
      { step: 'curve_complete', number: 1_001, tx: complete?.tx },
      { step: 'migrated_graduated', number: 1_001, tx: migrate?.tx },
    ])
  })
})

describe('the card', () => {
  it('shows the pool, or why there is none', () => {
    const { market, opening, end } = migrated()
    const before = fullAt(fold(opening), 1)
    expect(before).toMatchObject({ pool: null, pool_reason: 'the curve has not migrated', flags: { pool_drained: false } })
    const card = fullAt(fold(opening, end, frame(2, [sale(market.at(2), { poolQuoteUnits: 18 * SOL, quoteUnits: SOL })])), 3)
    expect(card).toMatchObject({
      status: 'migrated_graduated',
      pool: { address: toBase58(POOL), opening_quote_sol: 85, quote_sol: 17, quote_share: 0.2, n_trades: 1 },
      flags: { pool_drained: true, curve_closed_low: false, migrate_below_grad: false },
    })
    expect(bareNulls(card)).toEqual([])
  })

  it('states that the opening was not observed, and has no pool figures then', () => {
    const market = new Market()
    const card = fullAt(fold(frame(0, [market.launch(), market.level(wallet(1), true, 85 * SOL), market.migrate()])), 1)
    expect(card).toMatchObject({ pool: null, pool_reason: 'the opening of the pool was not seen', flags: { pool_drained: null } })
    expect(bareNulls(card)).toEqual([])
  })
})
