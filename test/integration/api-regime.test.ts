// `/v1/market/regime` and base rates: the figures of the history, and the answer without them.
import type { BaseRates } from '../../topology/ports/history.ts'
import { BUSY, SetHistory, WEEK } from '../fakes/set-history.ts'
import { labels } from '../shipped.ts'
import { base58, key, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
import { pathsOf, unexplainedNulls } from '../unit/query-api/null-walk.ts'
import { harness } from './api-harness.ts'

const PATH = '/v1/market/regime'
const DOWN = { ok: false, reason: 'the history store does not answer' } as const
const given = () => {
  const history = new SetHistory()
  return { history, api: harness({ history }) }
}

describe(PATH, () => {
  test('has the three windows with the fields of the contract, live', async () => {
    const { status, body } = await given().api.get(PATH)
    expect(status).toBe(200)
    expect(body.coverage).toBe('full')
    expect(body.meta).not.toHaveProperty('delayed_s')
    expect(body.data.as_of).toBe(NOW_S - 1)
    expect(body.data.hour).toEqual({
      window_s: 3_600,
      observed_s: 3_600,
      launches: 148,
      launches_per_hour: 148,
      mayhem_share: 0.031,
      buys: 4_588,
      sells: 3_552,
      buy_sol: 1_080.4,
      sell_sol: 1_021.2,
      failed_share: 0.387,
      migrations: 2,
      true_graduations: 1,
      rug_flags: expect.objectContaining({ creator_sold: 74, bundle_dumped: 16, curve_drained: 37 }),
      coverage: 'full',
    })
    expect([body.data.minute.window_s, body.data.day.window_s]).toEqual([60, 86_400])
    expect(Object.keys(body.data.day.rug_flags).filter((name) => !name.endsWith('_reason'))).toEqual(Object.keys(labels.rug_flags))
    expect(unexplainedNulls(body.data)).toEqual([])
  })
  test('a window in which nothing happened has null shares with reasons, not zeros', async () => {
    const { history, api } = given()
    const minute = { ...BUSY.minute, launches: 0, mayhemShare: null, failedShare: null }
    history.market = { ok: true, value: { ...BUSY, minute }, asOf: NOW_S }
    const { body } = await api.get(PATH)
    expect(body.data.minute).toMatchObject({ mayhem_share: null, failed_share: null })
    expect(unexplainedNulls(body.data)).toEqual([])
  })
  test('rates are per observed hour, not per hour of the window', async () => {
    const { history, api } = given()
    const day = { ...BUSY.day, launches: 1_144, observedS: 25_200 }
    history.market = { ok: true, value: { ...BUSY, day }, asOf: NOW_S }
    api.view.setStatus({ observedSince: NOW_S - 24_840 })
    const { body } = await api.get(PATH)
    expect(body.data.day).toMatchObject({ coverage: 'thin', observed_s: 24_840 })
    expect(body.data.day.launches_per_hour).toBeCloseTo(1_144 / 6.9, 9)
    expect(body.data.hour).toMatchObject({ observed_s: 3_600, launches_per_hour: 148 })
    api.view.setStatus({ observedSince: NOW_S })
    const none = (await api.get(PATH)).body.data.day
    expect(none).toMatchObject({ observed_s: 0, launches_per_hour: null, launches_per_hour_reason: expect.any(String) })
  })
  test('a gap makes the answer thin, and the windows that it overlaps', async () => {
    const { api } = given()
    api.view.setStatus({ gap: { from: 10, to: 20, until: NOW_S - 1_000 } })
    const { body } = await api.get(PATH)
    expect(body.coverage).toBe('thin')
    expect(body.data.coverage_range).toEqual({ from_slot: 10, to_slot: 20 })
    expect([body.data.minute.coverage, body.data.hour.coverage, body.data.day.coverage]).toEqual(['full', 'thin', 'thin'])
  })
  test.each([
    ['while the history is down', DOWN],
    ['without a history', undefined],
  ])('%s the windows are null, with the reason', async (_, market) => {
    const { history } = given()
    if (market !== undefined) history.market = market
    const api = harness(market === undefined ? {} : { history })
    const { status, body } = await api.get(PATH)
    expect(status).toBe(200)
    expect(body.coverage).toBe('thin')
    expect(body.data).toMatchObject({
      as_of: null,
      minute: null,
      hour: null,
      day: null,
      coverage_reason: expect.stringContaining('history'),
    })
    expect(unexplainedNulls(body.data)).toEqual([])
  })
  test('figures more than 300 s behind the folds are null with the reason, and health lists them', async () => {
    const { api, history } = given()
    for (const [behindS, isShown] of [
      [300, true],
      [301, false],
    ] as const) {
      const folded = api.view.status().folded?.time ?? 0
      history.market = { ok: true, value: BUSY, asOf: folded - behindS }
      const { body } = await api.get(PATH)
      expect([body.data.day !== null, body.data.as_of]).toEqual([isShown, isShown ? folded - behindS : null])
      const reason = `regime_behind: figures of the market are ${behindS} s behind the newest applied frame, the limit is 300 s`
      expect((await api.get('/health')).body.degraded.includes(reason)).toBe(!isShown)
      if (!isShown) expect(`regime_${body.data.day_reason}`).toBe(reason)
    }
  })
  test('each field is explained', async () => {
    const { body } = await given().api.get(PATH)
    expect(pathsOf(body.data).filter((path) => labels.fields.regime[path] === undefined)).toEqual([])
  })
})

describe('base rates on a card', () => {
  const card = async (history?: SetHistory) => {
    const api = harness(history === undefined ? {} : { history })
    api.view.put(key(1), liveState())
    return (await api.paid(`/v1/mint/${base58(1)}`)).body.data
  }
  const of = (change: Partial<BaseRates>, asOf: number): SetHistory => {
    const history = new SetHistory()
    history.rates = { ok: true, value: { ...WEEK, ...change }, asOf }
    return history
  }
  test('are those of history, with the time they were made', async () => {
    expect((await card(new SetHistory())).base_rates).toEqual({
      window_days: 7,
      launches: 9_140,
      grad_rate: 0.0085,
      rug_rate: 0.41,
      dev_sold_rate: 0.56,
      reached_5_sol_rate: 0.213,
      as_of: NOW_S - 20,
    })
  })
  test('follow history within the same second and row version, because they are context', async () => {
    const history = of({ launches: 10 }, NOW_S - 60)
    const api = harness({ history })
    api.view.put(key(1), liveState())
    const rates = async () => (await api.paid(`/v1/mint/${base58(1)}`)).body.data.base_rates
    expect(await rates()).toMatchObject({ launches: 10, as_of: NOW_S - 60 })
    history.rates = { ok: true, value: { ...WEEK, launches: 11 }, asOf: NOW_S }
    expect(await rates()).toMatchObject({ launches: 11, as_of: NOW_S })
    history.rates = DOWN
    expect(await rates()).toBeNull()
  })
  test('are null with reasons while nothing is resolved, and each field is explained', async () => {
    const data = await card(of({ launches: 0, gradRate: null, rugRate: null, devSoldRate: null, reached5SolRate: null }, NOW_S))
    expect(data.base_rates).toMatchObject({ launches: 0, grad_rate: null, rug_rate: null })
    expect(unexplainedNulls(data)).toEqual([])
    expect(pathsOf(data).filter((path) => path.startsWith('base_rates') && labels.fields.mint[path] === undefined)).toEqual([])
  })
  test('are null with the reason where history is unavailable or absent; the card still answers', async () => {
    const history = new SetHistory()
    history.rates = DOWN
    expect(await card(history)).toMatchObject({ base_rates: null, base_rates_reason: DOWN.reason, status: 'live_curve' })
    expect(await card()).toMatchObject({ base_rates: null, base_rates_reason: expect.stringContaining('history') })
  })
})
