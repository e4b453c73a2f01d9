// The compact checks: the content of a result, and that only confirmed facts count.
import { watchEvents } from '../shipped.ts'
import { curveRow, flagRow, holderRow, key, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
import { unexplainedNulls } from '../unit/query-api/null-walk.ts'
import { charges, checked, given, MINT, OTHER, SOLD, step, THIRD, watched } from './check-given.ts'

describe('a result', () => {
  test('has every field of the contract’s check item', async () => {
    const api = given()
    const buyers = [holderRow(key(212), 5, { lastBuyAt: NOW_S }), holderRow(key(213), 0, { lastBuyAt: NOW_S - 59 })]
    const gone = holderRow(key(214), 5, { lastBuyAt: NOW_S - 60 })
    api.view.put(key(1), liveState({ holders: [...buyers, gone], flags: [SOLD] }))
    const { status, body } = await api.paid(`/v1/check/mint/${MINT}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ok: true, schema_version: '2.0', coverage: 'full', t: NOW_S })
    expect(body.data).toEqual({
      status: 'flags_observed',
      result_id: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
      count: 1,
      items: [
        {
          mint: MINT,
          status: 'flags_observed',
          lifecycle: 'live_curve',
          risk_label: 'rug_flagged',
          new_events: ['creator_sold'],
          findings: [
            {
              code: 'creator_sold',
              first_seen_at: NOW_S - 20,
              finding_id: SOLD.findingId,
              finality: 'finalized',
              is_new: true,
              evidence: { tokens_share: 0.05, sol: 1.5 },
            },
          ],
          snapshot_slot: 1_050,
          last_trade_at: NOW_S - 5,
          concentration: {
            top5_share: expect.any(Number),
            dev_share: 0,
            bundle_share: 0,
            insider_share: 0,
            insider_share_reason: expect.stringContaining('pending'),
          },
          buyer_flow: { unique_buyers_60s: 2, buys_60s: 2, sells_60s: 1, net_sol_60s: 0.7, inflow_stalled: false },
          curve: {
            rs_sol: 10,
            peak_rs_sol: 12,
            drawdown_from_peak: expect.closeTo(1 / 6, 9),
            graduated: null,
            graduated_reason: 'the curve is still open',
          },
          full_card_url: `http://127.0.0.1:8402/v1/mint/${MINT}`,
        },
      ],
      cursor: expect.stringMatching(/^[A-Za-z0-9_-]{50,80}$/),
      watch_events: [...watchEvents.names],
    })
    expect(body.meta).toMatchObject({
      price_usd: 0.005,
      max_feed_lag_s: 5,
      is_stale: false,
      freshness_checked_at: NOW_S,
      feed_lag_at_generation_s: 0,
      result_age_s: 0,
      replayed: false,
      next: { watch: `/v1/check/watch?mints=${MINT}` },
    })
    expect(charges(api)).toEqual(['settled'])
  })
  test('of three mints has them in the requested order, for one price', async () => {
    const api = given()
    for (const byte of [4, 5]) api.view.put(key(byte), liveState())
    api.view.put(key(2), liveState({ flags: [SOLD] }))
    const mints = [THIRD, MINT, OTHER]
    const { body } = await api.paid(`/v1/check/watchlist?mints=${mints.join(',')}`)
    expect(body.data.items.map(({ mint }: { mint: string }) => mint)).toEqual(mints)
    expect(body.data).toMatchObject({ status: 'flags_observed', count: 3 })
    expect(body.data.items.map(({ status }: { status: string }) => status)).toEqual([
      'no_flags_observed',
      'no_flags_observed',
      'flags_observed',
    ])
    expect(body.meta.price_usd).toBe(0.01)
  })
  test('has the evidence of all six mechanisms, and no null without its reason', async () => {
    const api = given()
    const mechanisms: [flag: string, evidence: object][] = [
      ['creator_sold', { tokens_share: 0.05, sol: 1.5 }],
      ['bundle_dumped', { n_wallets: 3, bought_share: 0.2, sold_share: 0.15 }],
      ['curve_drained', { peak_rs: 12, rs: 2 }],
      ['pool_drained', { opening_quote: 85, quote: 10 }],
      ['curve_closed_low', { peak_rs: 40 }],
      ['migrate_below_grad', { peak_rs: 40, pool: OTHER }],
    ]
    const flags = mechanisms.map(([flag, evidence], tx) => flagRow(flag, { tx, evidence: JSON.stringify(evidence), findingId: flag }))
    api.view.put(key(1), liveState({ flags }))
    api.view.put(key(2), liveState({ curve: curveRow({ quoteMint: key(90), lastTradeAt: 0 }) }))
    api.view.put(key(3), liveState({ curve: curveRow({ realQuoteUnits: -1, gapTrades: 2, gapFrom: 5, gapNumber: 6 }) }))
    const { items } = await checked(api, `${MINT},${OTHER},${THIRD}`)
    expect(items[0].findings.map(({ code, evidence }: { code: string; evidence: object }) => [code, evidence])).toEqual(mechanisms)
    expect(unexplainedNulls(items)).toEqual([])
  })
  test('has one result_id for one content', async () => {
    const api = given()
    const first = await checked(api, MINT)
    expect((await checked(api, MINT)).result_id).toBe(first.result_id)
    api.time.nowMs += 1
    expect((await checked(api, MINT)).result_id).not.toBe(first.result_id)
  })
})

describe('confirmed facts only', () => {
  const unsure = flagRow('creator_sold', { number: 1_050 })
  const at = (confirmed: number) => {
    const api = given()
    api.view.put(key(1), liveState({ flags: [unsure] }))
    api.view.sure({ confirmed, finalized: 1_000 })
    return api
  }
  test('a finding of a slot that is only processed is not in the result, nor is its label', async () => {
    const { items, status } = await checked(at(1_049), MINT)
    expect(status).toBe('no_flags_observed')
    expect(items[0]).toMatchObject({ status: 'no_flags_observed', findings: [] })
    expect(items[0].risk_label).not.toBe('rug_flagged')
  })
  test('a finding moves the cursor when its slot is confirmed, and not earlier', async () => {
    const api = at(1_049)
    const { cursor } = await checked(api, MINT)
    expect((await watched(api, MINT, cursor)).has_new_events).toBe(false)
    api.view.sure({ confirmed: 1_050, finalized: 1_000 })
    expect((await watched(api, MINT, cursor)).has_new_events).toBe(true)
    const after = await checked(api, MINT, cursor)
    expect(after.items[0].findings).toMatchObject([{ code: 'creator_sold', finality: 'confirmed' }])
    expect((await watched(api, MINT, after.cursor)).has_new_events).toBe(false)
  })
  test('lifecycle and graduation also wait for confirmation', async () => {
    const api = given()
    const low = curveRow({ completeAt: NOW_S - 3, peakQuoteUnits: 40_000_000_000 })
    api.view.put(key(1), liveState({ curve: low, steps: [step('curve_complete', 1_050)] }))
    api.view.sure({ confirmed: 1_049, finalized: 1_000 })
    const before = await checked(api, MINT)
    expect(before.items[0]).toMatchObject({ lifecycle: 'live_curve', curve: { graduated: null } })
    expect(unexplainedNulls(before.items)).toEqual([])
    api.view.sure({ confirmed: 1_050, finalized: 1_000 })
    expect((await checked(api, MINT, before.cursor)).items[0]).toMatchObject({ lifecycle: 'curve_complete', curve: { graduated: false } })
  })
})
