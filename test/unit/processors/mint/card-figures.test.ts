import { toBase58 } from '../../../../schemas/keys.ts'
import { CREATOR, CURVE, frame, Market, MILLION, POOL, SOL, T0, USER, wallet } from './market.ts'
import { bareNulls, fold, fullAt, GAP, stateOf, thinAt } from './mint-given.ts'

describe('curve', () => {
  it('is empty once it has migrated, next to the values it had then', () => {
    const market = new Market()
    const opening = [frame(0, [market.launch()]), frame(1, [market.level(wallet(1), true, 85 * SOL), market.complete()])]
    expect(fullAt(fold(...opening), 1).curve).toMatchObject({ rs_sol: 85, complete: true, rs_at_migration_sol: null })
    const migrated = fold(...opening, frame(2, [market.migrate()]))
    expect(fullAt(migrated, 2).curve).toMatchObject({ rs_sol: 0, rs_at_migration_sol: 85, progress: 1, drawdown_from_peak: 0 })
    expect(thinAt(migrated, 9_000).last_seen).toMatchObject({ migrated: true, rs_sol: 0 })
  })
})

describe('as_of', () => {
  it('is the position of the newest event of the coin', () => {
    const market = new Market()
    const events = [market.launch(), market.buy(wallet(1), 5 * MILLION), market.buy(wallet(2), 5 * MILLION)]
    const { tx, outer, inner } = events[2] as { tx: number; outer: number; inner: number }
    expect(tx).toBeGreaterThan(0)
    const { header } = frame(0)
    expect(fullAt(fold(frame(0, events)), 0).as_of.position).toBe(`solana:${header.number}.${tx}.${outer}.${inner}`)
  })
})

describe('holders', () => {
  it('counts shares of the supply, and hhi of circulating coins', () => {
    const market = new Market()
    const then = fold(
      frame(0, [market.launch({ user: USER }), market.buy(CREATOR, 100 * MILLION), market.buy(USER, 50 * MILLION)]),
      frame(
        1,
        [10, 20, 30, 40, 50].map((n) => market.buy(wallet(n), n * MILLION)),
      ),
    )
    const { holders, dev_wallets } = fullAt(then, 2)
    expect(dev_wallets).toEqual([toBase58(USER), toBase58(CREATOR)])
    expect(holders).toMatchObject({ n_holders: 7, dev_share: 0.15, top5_share: 0.27, supply_tokens: 1e9, circulating_tokens: 300e6 })
    expect(holders.hhi).toBe(Math.floor(((100 ** 2 + 50 ** 2 + 10 ** 2 + 20 ** 2 + 30 ** 2 + 40 ** 2 + 50 ** 2) / 300 ** 2) * 1e12) / 1e12)
  })

  it('distinguishes the bundle from the insiders of the create transaction, and states what is still pending', () => {
    const market = new Market()
    const sameTx = market.launch()
    const then = fold(
      frame(0, [
        sameTx,
        market.sameTx().buy(CREATOR, 10 * MILLION),
        market.sameTx().buy(wallet(1), 20 * MILLION),
        market.buy(wallet(2), 30 * MILLION),
      ]),
      frame(1, [market.buy(wallet(3), 5 * MILLION)]),
    )
    const { holders } = fullAt(then, 2)
    expect(holders).toMatchObject({
      dev_share: 0.01,
      bundle_share: 0.05,
      n_bundle_wallets: 2,
      insider_share: 0.02,
      n_insider_wallets: 1,
      insiders: [{ wallet: toBase58(wallet(1)), rules: ['c'], tokens_share: 0.02 }],
    })
    expect(holders).toHaveProperty('insider_share_reason', expect.stringContaining('pending'))
  })

  it('excludes the vaults of curve and pool, and never goes below zero', () => {
    const market = new Market()
    const then = fold(
      frame(0, [market.launch(), market.buy(CURVE, MILLION), market.buy(wallet(1), MILLION)]),
      frame(1, [market.sell(wallet(1), 5 * MILLION), market.complete(), market.migrate(), market.poolTrade(POOL, true, MILLION)]),
    )
    expect(fullAt(then, 2).holders).toMatchObject({
      n_holders: 0,
      hhi: null,
      hhi_reason: 'nobody holds coins outside the curve and the pool',
      circulating_tokens: 0,
    })
  })

  it('is null with the range after a gap without a lost trade', () => {
    const market = new Market()
    const then = fold(
      frame(0, [market.launch(), market.buy(wallet(1), 600 * MILLION)]),
      frame(20, [market.buy(wallet(2), MILLION)], { gapFrom: GAP.from, gapTo: GAP.to }),
    )
    const card = fullAt(then, 21)
    expect(card.holders).toMatchObject({
      top5_share: null,
      top5_share_reason: expect.stringContaining('1010 to 1019'),
      n_bundle_wallets: 1,
    })
    expect(card).toMatchObject({ risk_label: 'active', exit_signals: { top5_holder_sold_recent: null } })
    expect(bareNulls(card)).toEqual([])
  })
})

describe('several trades in one transaction', () => {
  it('counts each once, in order', () => {
    const market = new Market()
    const then = fold(
      frame(0, [market.launch()]),
      frame(1, [
        market.at(1).buy(wallet(1), 3 * MILLION),
        market.sameTx().sell(wallet(1), MILLION),
        market.sameTx().buy(wallet(2), MILLION),
      ]),
    )
    const state = stateOf(then.engine)
    expect(state.curve).toMatchObject({ trades: 3, buys: 2, sells: 1, uniqueBuyers: 2 })
    expect(state.holders.map(({ units }) => units).sort()).toEqual([MILLION, 2 * MILLION])
    expect(fullAt(then, 1).curve.rs_sol).toBe((Number(market.virtualQuote) - 30 * SOL) / SOL)
  })
})

describe('demand', () => {
  it('covers the last 60 s', () => {
    const market = new Market()
    const launch = market.launch()
    const bought = market.at(10).buy(wallet(1), MILLION)
    const sold = market.at(40).sell(wallet(1), MILLION / 2)
    const then = fold(frame(0, [launch]), frame(10, [bought]), frame(40, [sold]))
    expect(fullAt(then, 69).demand).toMatchObject({
      buys_60s: 1,
      sells_60s: 1,
      net_sol_60s: (bought.quoteUnits - sold.quoteUnits) / SOL,
      unique_buyers: 1,
    })
    expect(fullAt(then, 70).demand).toMatchObject({ buys_60s: 0, sells_60s: 1, net_sol_60s: -sold.quoteUnits / SOL })
    expect(fullAt(then, 100).demand).toMatchObject({ buys_60s: 0, sells_60s: 0, net_sol_60s: 0 })
  })

  it('reuses the slot of a second for a later one', () => {
    const market = new Market()
    const then = fold(
      frame(0, [market.launch()]),
      frame(5, [market.at(5).buy(wallet(1), MILLION)]),
      frame(65, [market.at(65).buy(wallet(2), MILLION)]),
    )
    expect(stateOf(then.engine).flows).toMatchObject([{ second: T0 + 65, buys: 1 }])
    expect(fullAt(then, 65).demand.buys_60s).toBe(1)
  })

  it('drops a trade whose clock is a minute behind the stored second', () => {
    const market = new Market()
    const opened = frame(0, [market.launch()])
    const late = market.at(5).buy(wallet(1), MILLION)
    const then = fold(opened, frame(65, [market.at(65).buy(wallet(2), MILLION), { ...late, tx: 99 }]))
    expect(stateOf(then.engine).flows).toMatchObject([{ second: T0 + 65, buys: 1 }])
  })

  it('stalls after 120 s without a new buyer for 30 s', () => {
    const market = new Market()
    const opened = frame(0, [market.launch()])
    const then = fold(opened, frame(91, [market.at(91).buy(wallet(1), MILLION)]), frame(119, [market.at(119).buy(wallet(1), MILLION)]))
    expect(fullAt(then, 120)).toMatchObject({ risk_label: 'active', demand: { inflow_stalled: false } })
    expect(fullAt(then, 121)).toMatchObject({
      risk_label: 'stalled',
      demand: { inflow_stalled: true },
      exit_signals: { inflow_stalled: true },
    })
  })
})

describe('exit signals', () => {
  it('report for 60 s that a top-five wallet sold; ties by key', () => {
    const market = new Market()
    const opened = [
      frame(0, [market.launch()]),
      frame(
        1,
        [1, 2, 3, 4, 5, 6].map((n) => market.at(1).buy(wallet(n), MILLION)),
      ),
    ]
    const sixth = fold(...opened, frame(2, [market.copy().at(2).sell(wallet(6), 1000)]))
    expect(fullAt(sixth, 3).exit_signals.top5_holder_sold_recent).toBe(false)
    const fifth = fold(...opened, frame(2, [market.copy().at(2).sell(wallet(5), 1000)]))
    expect(fullAt(fifth, 61).exit_signals.top5_holder_sold_recent).toBe(true)
    expect(fullAt(fifth, 62).exit_signals.top5_holder_sold_recent).toBe(false)
  })

  it('report a reversal below three quarters of the peak while the curve is open', () => {
    const market = new Market()
    const at = (real: number) =>
      fold(
        frame(0, [market.launch()]),
        frame(1, [market.level(wallet(1), true, 4 * SOL)]),
        frame(2, [market.level(wallet(9), false, real)]),
      )
    expect(fullAt(at(3 * SOL), 3)).toMatchObject({ exit_signals: { progress_reversed: false }, curve: { drawdown_from_peak: 0.25 } })
    expect(fullAt(at(3 * SOL - 1), 3).exit_signals.progress_reversed).toBe(true)
  })
})
