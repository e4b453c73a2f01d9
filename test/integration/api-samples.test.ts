// Free samples in the shapes that are sold, as of 300 s ago: only mints whose rows have not changed since are shown.
import fc from 'fast-check'
import type { MintState } from '../../schemas/types.ts'
import { SetHistory } from '../fakes/set-history.ts'
import { base58, curveRow, flagRow, key, launchRow, liveState, NOW_S, restedCurve } from '../unit/query-api/given-mint.ts'
import { unexplainedNulls } from '../unit/query-api/null-walk.ts'
import { harness } from './api-harness.ts'

type Change = Partial<MintState>
/** Mint `byte`, launched `ageS` ago, with a flag of each age in `flagsAgeS`. */
const launched = (byte: number, ageS: number, flagsAgeS: readonly number[] = [], change: Change = {}) => {
  const names = ['creator_sold', 'bundle_dumped', 'curve_drained']
  const flags = flagsAgeS.map((age, i) =>
    flagRow(names[i] ?? '', { firstSeenAt: NOW_S - age, findingId: `f${byte}-${i}`, number: 5_000 - age }),
  )
  return [
    key(byte),
    liveState({ flags, curve: restedCurve(), ...change, launch: launchRow({ at: NOW_S - ageS, number: 9_000 - ageS, ...change.launch }) }),
  ] as const
}
const given = (...mints: ReturnType<typeof launched>[]) => {
  const api = harness({ history: new SetHistory() })
  for (const [mint, state] of mints) api.view.put(mint, state)
  return api
}
interface List {
  data: { items: { mint: string; age_s: number; t: number }[] }
}
const mintsOf = ({ data }: List): string[] => data.items.map(({ mint }) => mint)

describe('/v1/sample/launches', () => {
  const PATH = '/v1/sample/launches'
  test('shows the three newest launches that are at least 600 s old, newest first, with the delay', async () => {
    const api = given(launched(1, 599), launched(2, 600), launched(3, 700), launched(4, 800), launched(5, 900))
    const { status, body } = await api.get(PATH)
    expect(status).toBe(200)
    expect(mintsOf(body)).toEqual([base58(2), base58(3), base58(4)])
    expect(body.data).toMatchObject({ count: 3, delayed_s: 300 })
    expect(body.meta).toMatchObject({ delayed_s: 300, price_usd: 0 })
    expect(api.gate.calls).toEqual([])
  })
  test('items are those that were sold 300 s ago', async () => {
    const api = given(launched(1, 700))
    const sample = (await api.get(PATH)).body.data.items
    expect(sample).toMatchObject([{ age_s: 400, demand: { last_trade_at: NOW_S - 300 } }])
    api.time.nowMs -= 300_000
    expect(sample).toEqual((await api.paid('/v1/launches/recent')).body.data.items)
  })
  test('holds back a launch with a flag younger than 300 s', async () => {
    expect(mintsOf((await given(launched(1, 900, [299]), launched(2, 900, [300])).get(PATH)).body)).toEqual([base58(2)])
  })
  test.each([
    ['traded', { lastAt: NOW_S - 299 }],
    ['moved between wallets', { lastMoveAt: NOW_S - 299 }],
  ])('holds back a launch whose coins %s since', async (_, change) => {
    expect(mintsOf((await given(launched(1, 900, [], { curve: restedCurve(change) }), launched(2, 900)).get(PATH)).body)).toEqual([
      base58(2),
    ])
  })
  test('omits mayhem launches, like the paid list', async () => {
    const mayhem = { launch: launchRow({ mayhem: true, at: NOW_S - 700 }), curve: restedCurve({ mayhem: true }) }
    const api = given(launched(1, 700, [], mayhem), launched(2, 701))
    expect(mintsOf((await api.get(PATH)).body)).toEqual([base58(2)])
    api.time.nowMs -= 300_000
    expect(mintsOf((await api.paid('/v1/launches/recent')).body)).toEqual([base58(2)])
    expect(mintsOf((await api.paid('/v1/launches/recent?exclude_mayhem=false')).body)).toEqual([base58(1), base58(2)])
  })
  test('coverage is thin if a gap ended at or after the launch of the oldest item', async () => {
    const api = given(launched(1, 700), launched(2, 800), launched(3, 900))
    api.view.setStatus({ gap: { from: 1, to: 2, until: NOW_S - 901 } })
    expect((await api.get(PATH)).body.coverage).toBe('full')
    api.view.setStatus({ gap: { from: 1, to: 2, until: NOW_S - 900 } })
    expect((await api.get(PATH)).body.coverage).toBe('thin')
  })
})

describe('/v1/sample/rugs', () => {
  const PATH = '/v1/sample/rugs'
  test('shows the three newest flags that are at least 300 s old, in the paid shape', async () => {
    const api = given(launched(1, 900, [299, 300]), launched(2, 900, [350]), launched(3, 900, [400, 410]))
    const { body } = await api.get(PATH)
    expect(body.data.items.map(({ t }: { t: number }) => NOW_S - t)).toEqual([300, 350, 400])
    expect(body.data).toMatchObject({ count: 3, delayed_s: 300 })
    const sold = (await api.paid('/v1/rugs/recent')).body.data.items
    expect(body.data.items).toEqual(sold.filter(({ t }: { t: number }) => t <= NOW_S - 300).slice(0, 3))
  })
})

describe('/v1/sample/mint', () => {
  const PATH = '/v1/sample/mint'
  const quiet = { curve: restedCurve({ trades: 3 }) }
  test('is the card that was sold 300 s ago, of a launch that was at least 300 s old', async () => {
    const api = given(launched(1, 599), launched(2, 600))
    const { body } = await api.get(PATH)
    expect([body.t, body.data.age_s]).toEqual([NOW_S, 300])
    api.time.nowMs -= 300_000
    const sold = (await api.paid(`/v1/mint/${base58(2)}`)).body
    expect(body.data).toEqual(sold.data)
    expect(body.data.base_rates.launches).toBe(9_140)
    expect(Object.keys(body.meta).sort()).toEqual([...Object.keys(sold.meta), 'delayed_s'].sort())
    expect(body.meta).toMatchObject({ price_usd: 0, delayed_s: 300 })
  })
  test.each([
    ['a mint with enough trades goes before a newer one', [launched(1, 700, [], quiet), launched(2, 800), launched(3, 900)], 2],
    [
      'a full card goes before a thin one',
      [launched(1, 700, [], { curve: curveRow({ lastAt: NOW_S - 7_501 }) }), launched(2, 800, [], quiet)],
      2,
    ],
    ['a thin card goes before none', [launched(1, 700, [], { curve: curveRow({ lastAt: NOW_S - 7_501 }) })], 1],
    ['a young flag holds a launch back', [launched(1, 700, [10]), launched(2, 800)], 2],
  ])('%s', async (_, mints, byte) => {
    expect((await given(...mints).get(PATH)).body.data.mint).toBe(base58(byte))
  })
  test('is a 503 with Retry-After until a launch is old enough', async () => {
    const { status, body, headers } = await given(launched(1, 10)).get(PATH)
    expect(status).toBe(503)
    expect(body).toEqual({ ok: false, error: 'no_sample', hint: expect.stringContaining('300 s') })
    expect(headers['retry-after']).toBe('5')
  })
})

test('while stores restore samples are a 503, not an empty list', async () => {
  const api = given(launched(1, 700))
  api.view.setStatus({ ready: false })
  for (const name of ['launches', 'rugs', 'mint']) expect((await api.get(`/v1/sample/${name}`)).status).toBe(503)
})

test('whatever the ages of launches, flags and trades, samples show none younger than 300 s, and each null has a reason', async () => {
  const age = fc.integer({ min: 0, max: 900 })
  const ages = fc.array(fc.tuple(fc.integer({ min: 0, max: 1_200 }), fc.array(age, { maxLength: 3 }), age), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(ages, async (all) => {
      const api = given(
        ...all.map(([ageS, flagsAgeS, tradeAgeS], i) => {
          const at = NOW_S - tradeAgeS
          return launched(i + 1, ageS, flagsAgeS, { curve: curveRow({ lastAt: at, lastTradeAt: at }) })
        }),
      )
      const [launches, rugs, mint] = await Promise.all(['launches', 'rugs', 'mint'].map((name) => api.get(`/v1/sample/${name}`)))
      for (const { age_s, rug_flags, demand } of launches?.body.data.items ?? []) {
        expect(age_s).toBeGreaterThanOrEqual(300)
        expect(NOW_S - demand.last_trade_at).toBeGreaterThanOrEqual(300)
        for (const { first_seen_at } of rug_flags) expect(NOW_S - first_seen_at).toBeGreaterThanOrEqual(300)
      }
      for (const { t } of rugs?.body.data.items ?? []) expect(NOW_S - t).toBeGreaterThanOrEqual(300)
      if (mint?.status === 200) expect(mint.body.data.age_s).toBeGreaterThanOrEqual(300)
      expect([launches, rugs, mint].flatMap((answer) => unexplainedNulls(answer?.body.data ?? {}))).toEqual([])
    }),
    { numRuns: 30 },
  )
})
