// The card of a curve: contract fields, ages, clusters, routes, and wallets beyond the kept ones.
import { isListed } from '../../../../processors/curve/card/labels.ts'
import { tenthsSince } from '../../../../processors/curve/card/moment.ts'
import { curveRegime } from '../../../../processors/curve/card/regime.ts'
import type { AltTapeEvent } from '../../../../schemas/types.ts'
import { bareNulls } from '../mint/mint-given.ts'
import { type CurveThen, cardAt, figuresOf, fold, fullAt, itemAt, momentAt, stateOf } from './curve-given.ts'
import { BLOCK0, block, DEPLOYER_WALLET, ETH, FACTORY, GMGN, type key, Pad, T0, TERMINAL, TOKEN, USD, wallet } from './launchpad.ts'

/** The fields of the contract (interface specification). */
const CONTRACT = {
  head: 'curve token deployer pair_token pair_kind launch_block launched_at age_s coverage status raised snipe_tax structure flow lifecycle',
  raised: 'quote_units eth progress price_multiple_vs_launch',
  snipe_tax: 'in_tax_window n_taxed_buys tax_total_eth',
  structure:
    'n_holders top1_share top5_share hhi deployer_holding_share same_block_direct_cluster_share same_block_direct_cluster_wallets max_direct_buys_in_one_block direct_buy_share terminal_buy_share terminal_holdings_share router_join_resolved_share routes',
  flow: 'n_buys n_sells unique_buyers unique_sellers buys_last_6s sells_last_6s new_buyers_last_2s new_buyers_last_6s first_buy_after_s last_trade_age_s buy_volume_eth sell_volume_eth',
  lifecycle: 'completed_block graduated_block graduated_after_s n_refunds',
} as const
const ITEM = {
  head: 'curve token age_s status coverage raised structure flow',
  raised: 'eth progress price_multiple_vs_launch',
  structure: 'n_holders top1_share same_block_direct_cluster_share direct_buy_share terminal_holdings_share',
  flow: 'n_buys n_sells unique_buyers new_buyers_last_6s last_trade_age_s',
} as const
const lacking = (card: object, fields: Readonly<Record<string, string>>): string[] =>
  Object.entries(fields).flatMap(([part, names]) => {
    const of = (part === 'head' ? card : (card as Record<string, object>)[part]) ?? {}
    return names.split(' ').filter((name) => !(name in of))
  })

/** The deployer buys in the launch block, two wallets in one block, then one through a terminal and one directly, which later sells. */
const market = (): { readonly result: CurveThen; readonly pad: Pad } => {
  const pad = new Pad()
  const first = block(0, [...pad.launch(), ...pad.buy(DEPLOYER_WALLET, ETH / 100n)])
  const ring = block(4, [...pad.buy(wallet(1), ETH / 50n, undefined, 9_300n), ...pad.buy(wallet(2), ETH / 50n, undefined, 9_300n)])
  const terminal = block(35, pad.buy(wallet(3), ETH / 20n, GMGN))
  const single = block(36, pad.buy(wallet(4), ETH / 20n))
  const sold = block(80, pad.sell(wallet(4), 10n ** 24n))
  return { result: fold(first, ring, terminal, single, sold), pad }
}

describe('the full card', () => {
  test('has every field of the contract, and no null without its reason', () => {
    const { result: then } = market()
    expect(lacking(fullAt(then, 82), CONTRACT)).toEqual([])
    expect(lacking(itemAt(then, 82), ITEM)).toEqual([])
    expect(bareNulls([fullAt(then, 82), itemAt(then, 82)])).toEqual([])
  })

  test('has route shares of all buys, and a launch block with one buy is not a cluster', () => {
    const { structure } = fullAt(market().result, 82)
    expect(structure).toMatchObject({
      ...{ direct_buy_share: 4 / 5, terminal_buy_share: 1 / 5, router_join_resolved_share: 1, routes: { direct: 4, gmgn: 1 } },
      ...{ same_block_direct_cluster_wallets: 2, max_direct_buys_in_one_block: 2, n_holders: 5 },
    })
  })

  test('has the shares of circulating tokens held by clustered buyers and by terminal wallets', () => {
    const { result: then, pad } = market()
    const state = stateOf(then.engine)
    const held = (n: number): number => Number(state.holders.find((row) => row.wallet === wallet(n))?.units ?? 0)
    const circulating = Number(10n ** 27n - pad.tokens)
    const { structure } = fullAt(then, 82)
    expect(structure.same_block_direct_cluster_share).toBeCloseTo((held(1) + held(2)) / circulating, 12)
    expect(structure.terminal_holdings_share).toBe(held(3) / circulating)
    expect(structure.circulating_tokens).toBeCloseTo(circulating / 1e18, 6)
  })

  test('has windows and ages in tenths of a second for blocks of 100 ms', () => {
    const { result: then } = market()
    expect(fullAt(then, 35).snipe_tax).toMatchObject({ in_tax_window: false, n_taxed_buys: 2 })
    expect(fullAt(then, 29).snipe_tax.in_tax_window).toBe(true)
    const at = (after: number) => fullAt(then, after).flow
    expect(at(82)).toMatchObject({ buys_last_6s: 2, sells_last_6s: 1, new_buyers_last_6s: 2, new_buyers_last_2s: 0, last_trade_age_s: 0.2 })
    expect([at(94).buys_last_6s, at(95).buys_last_6s, at(96).buys_last_6s]).toEqual([2, 1, 0])
    expect(fullAt(then, 1_234).age_s).toBe(123.4)
  })

  test('counts accounts exempted from the snipe tax at launch and later', () => {
    const pad = new Pad()
    const { snipe_tax } = fullAt(fold(block(0, pad.launch({ exempt: [wallet(1), wallet(2)] })), block(3, pad.exempt(wallet(3)))), 4)
    expect(snipe_tax).toMatchObject({ n_exempt_accounts: 3, n_taxed_buys: 0, tax_total_eth: 0 })
  })

  test('has ages from block numbers, within a second of those from block times even if the chain stalled', () => {
    const moment = { ...momentAt(50), asOf: T0 + 3_600, tip: { number: BLOCK0 + 50, time: T0 + 3_600 } }
    expect(tenthsSince({ number: BLOCK0 + 40, at: T0 + 4 }, moment)).toBe(35_951)
    expect(tenthsSince({ number: BLOCK0 + 60, at: T0 + 3_600 }, moment)).toBe(0)
    expect(tenthsSince({ number: BLOCK0 + 40, at: T0 + 3_500 }, { ...moment, tip: null })).toBe(1_000)
  })

  test('has null shares without buyers', () => {
    const card = fullAt(fold(block(0, new Pad().launch())), 1)
    expect(card.structure).toMatchObject({
      n_holders: 0,
      top1_share: null,
      top1_share_reason: 'no tokens are outside the curve and the pool',
      hhi: null,
    })
    expect(card.structure).toMatchObject({ direct_buy_share: null, routes: {}, max_direct_buys_in_one_block: 0 })
    expect(card.flow).toMatchObject({ first_buy_after_s: null, last_trade_age_s: null, buy_volume_eth: 0 })
    expect(card.raised).toMatchObject({ eth: 0, progress: 0, price_multiple_vs_launch: 1 })
  })

  test('has null ETH figures for a curve paired with another token, and amounts in units of that token', () => {
    const pad = new Pad({ quoteMint: USD, quoteDecimals: 6, threshold: 10_500_000_000n })
    const card = fullAt(fold(block(0, [...pad.launch(), ...pad.buy(wallet(1), 1_000_000_000n)])), 3)
    expect(card).toMatchObject({
      pair_kind: 'erc20',
      raised: { quote_units: '990000000', eth: null, price_multiple_vs_launch: null, quote_decimals: 6 },
      flow: { buy_volume_eth: null, buy_volume_units: '1000000000' },
      snipe_tax: { tax_total_eth: null },
    })
    expect(card.raised.progress).toBeCloseTo(990 / 10_500, 12)
    expect(bareNulls(card)).toEqual([])
  })
})

describe('wallets', () => {
  test('a transfer missing from the tape makes balances null, and later buys do not change that', () => {
    const pad = new Pad()
    const bought = pad.buy(wallet(1), ETH / 9n).filter(({ type }) => type !== 'tokenTransfer')
    const card = fullAt(fold(block(0, pad.launch()), block(2, bought), block(3, pad.buy(wallet(2), ETH / 9n))), 4)
    expect(card.structure).toMatchObject({
      top1_share: null,
      top1_share_reason: expect.stringContaining('transfers of the token are missing'),
    })
    expect(card.flow.unique_buyers).toBe(2)
  })

  test('tokens returned to the curve for free leave balances known', () => {
    const pad = new Pad()
    const then = fold(block(0, [...pad.launch(), ...pad.buy(wallet(1), ETH)]), block(9, pad.send(wallet(1), pad.curve, 10n ** 24n)))
    expect(fullAt(then, 9).structure.n_holders).toBe(1)
  })

  test('once the pool is open, shares are of all tokens that wallets hold', () => {
    const pad = new Pad()
    const full = block(0, [...pad.launch(), ...pad.buy(wallet(1), 9n * ETH)])
    const units = 2n * 10n ** 26n
    const then = fold(
      full,
      block(3, pad.graduate()),
      block(9, [...pad.send(FACTORY, TERMINAL, units), ...pad.send(TERMINAL, wallet(2), units)]),
    )
    const held = 10n ** 27n - pad.tokens
    expect(fullAt(then, 9).structure).toMatchObject({ n_holders: 2, top1_share: Number(held) / Number(held + units), top5_share: 1 })
  })

  test('a deployer that sends tokens to itself gave none away', () => {
    const pad = new Pad()
    const first = block(0, [...pad.launch(), ...pad.buy(DEPLOYER_WALLET, ETH / 10n)])
    const then = fold(first, block(3, pad.send(DEPLOYER_WALLET, DEPLOYER_WALLET, 10n ** 25n)))
    expect(fullAt(then, 9).deployer_activity).toMatchObject({ given_share: 0, first_given_after_s: null })
    expect(fullAt(then, 9).structure.deployer_holding_share).toBe(1)
  })

  test('with more wallets than kept, figures over all wallets are null, and those of the largest remain', () => {
    const pad = new Pad()
    const crowd = (n: number) => String.fromCharCode(200 + (n % 50), n & 255, n >> 8).padEnd(20, 'c') as ReturnType<typeof key>
    const events: AltTapeEvent[] = [...pad.launch(), ...pad.buy(DEPLOYER_WALLET, ETH / 1_000n), ...pad.buy(wallet(1), ETH)]
    for (let n = 0; n < 8_300; n++) events.push(...pad.send(wallet(1), crowd(n), 10n ** 18n))
    const then = fold(block(0, events))
    const { engine } = then
    expect(engine.rows(TOKEN, 'holders').length).toBeLessThanOrEqual(8_192)
    expect(engine.rows(TOKEN, 'holders').some((row) => row.wallet === DEPLOYER_WALLET)).toBe(true)
    const card = fullAt(then, 1)
    const reason = expect.stringContaining('more than 8192 wallets: the smallest, 2048 so far with 2048 tokens')
    expect(card.structure).toMatchObject({ n_holders: null, n_holders_reason: reason, hhi: null, terminal_holdings_share: null })
    expect(card.flow).toMatchObject({ unique_buyers: null, unique_buyers_reason: reason, new_buyers_last_2s: null, n_buys: 2 })
    expect(card.structure.top1_share).toBeGreaterThan(0.9)
    expect(card.structure.deployer_holding_share).toBeGreaterThan(0)
    const units =
      (figuresOf(then).outUnits as bigint) -
      (stateOf(engine).holders.reduce((sum, row) => sum + BigInt(row.units), 0n) + 2_048n * 10n ** 18n)
    expect(units).toBe(0n)
  })
})

test('lists filter by pair, state and buys', () => {
  const { result: then } = market()
  const state = stateOf(then.engine)
  const filter = { pair: 'any', onlyLive: false, minBuys: 0 } as const
  expect(isListed(state, { pair: 'eth', onlyLive: true, minBuys: 5 })).toBe(true)
  expect(isListed(state, { ...filter, minBuys: 6 })).toBe(false)
  const usd = new Pad({ quoteMint: USD })
  expect(isListed(stateOf(fold(block(0, usd.launch())).engine), { ...filter, pair: 'eth' })).toBe(false)
  const full = new Pad()
  const complete = stateOf(fold(block(0, [...full.launch(), ...full.buy(wallet(1), 9n * ETH)])).engine)
  expect([isListed(complete, { ...filter, onlyLive: true }), isListed(complete, filter)]).toEqual([false, true])
})

test('an address without rows is thin and unknown', () => {
  expect(cardAt(fold(), 5)).toMatchObject({ coverage: 'thin', known: false, status: 'unknown', address: `0x${'01'.repeat(20)}` })
})

describe('the regime', () => {
  const counts = {
    windowS: 3_600,
    observedS: 1_800,
    launches: 600,
    graduations: 9,
    trades: { observedS: 1_800, buys: 9_000, sells: 3_000, uniqueBuyers: 700 },
  }
  test('has rates over the observed time, and the median graduation time', () => {
    expect(curveRegime({ ...counts, graduationS: [30, 10, 500, 60] })).toMatchObject({
      ...{ launches_per_hour: 1_200, graduations_per_hour: 18, graduation_rate: 0.015, median_graduation_s: 45 },
      ...{ buys_per_minute: 300, sells_per_minute: 100, unique_buyers: 700 },
    })
  })
  test('has no rates for an unobserved window', () => {
    const none = curveRegime({ ...counts, observedS: 0, launches: 0, graduationS: [] })
    expect(none).toMatchObject({ launches_per_hour: null, graduation_rate: null, median_graduation_s: null })
    expect(bareNulls(none)).toEqual([])
  })
  test('gives the reason if trades are not counted', () => {
    const none = curveRegime({ ...counts, trades: null, graduationS: [] }, 'nobody counts')
    expect(none).toMatchObject({ buys_per_minute: null, buys_per_minute_reason: 'nobody counts', unique_buyers: null })
    expect(bareNulls(none)).toEqual([])
  })
})
