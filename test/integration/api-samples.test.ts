// Free samples: the shapes that are sold, and nothing younger than 300 s.
import fc from 'fast-check'
import type { MintState } from '../../schemas/types.ts'
import { SetHistory } from '../fakes/set-history.ts'
import { base58, curveRow, flagRow, key, launchRow, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
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
    liveState({ flags, ...change, launch: launchRow({ at: NOW_S - ageS, number: 9_000 - ageS, ...change.launch }) }),
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
  test('three, newest first, from 300 s on, and says so', async () => {
    const api = given(launched(1, 299), launched(2, 300), launched(3, 400), launched(4, 500), launched(5, 600))
    const { status, body } = await api.get(PATH)
    expect(status).toBe(200)
    expect(mintsOf(body)).toEqual([base58(2), base58(3), base58(4)])
    expect(body.data).toMatchObject({ count: 3, delayed_s: 300 })
    expect(body.meta).toMatchObject({ delayed_s: 300, price_usd: 0 })
    expect(api.gate.calls).toEqual([])
  })
  test('items are those that are sold', async () => {
    const api = given(launched(1, 400))
    const sold = (await api.paid('/v1/launches/recent')).body.data.items
    expect((await api.get(PATH)).body.data.items).toEqual(sold)
  })
  test('a launch whose flag is younger is held back', async () => {
    expect(mintsOf((await given(launched(1, 900, [299]), launched(2, 900, [300])).get(PATH)).body)).toEqual([base58(2)])
  })
  test('mayhem is left out as in the paid list', async () => {
    expect(mintsOf((await given(launched(1, 400, [], { launch: launchRow({ mayhem: true, at: NOW_S - 400 }) })).get(PATH)).body)).toEqual(
      [],
    )
  })
  test('coverage is about the time since the oldest item', async () => {
    const api = given(launched(1, 400), launched(2, 500), launched(3, 600))
    api.view.say({ gap: { from: 1, to: 2, until: NOW_S - 601 } })
    expect((await api.get(PATH)).body.coverage).toBe('full')
    api.view.say({ gap: { from: 1, to: 2, until: NOW_S - 600 } })
    expect((await api.get(PATH)).body.coverage).toBe('thin')
  })
})

describe('/v1/sample/rugs', () => {
  const PATH = '/v1/sample/rugs'
  test('three, newest first, from 300 s on, in the paid shape', async () => {
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
  const quiet = { curve: curveRow({ trades: 3 }) }
  test('is the card that is sold, of a launch at least 300 s old', async () => {
    const api = given(launched(1, 299), launched(2, 300))
    const { body } = await api.get(PATH)
    const sold = (await api.paid(`/v1/mint/${base58(2)}`)).body
    expect(body.data).toEqual(sold.data)
    expect(body.data.base_rates.launches).toBe(9_140)
    expect(body.meta).toEqual({ ...sold.meta, price_usd: 0, delayed_s: 300 })
  })
  test.each([
    ['enough trades goes before newer', [launched(1, 400, [], quiet), launched(2, 500), launched(3, 600)], 2],
    [
      'a full card goes before a thin one',
      [launched(1, 400, [], { curve: curveRow({ lastAt: NOW_S - 7_201 }) }), launched(2, 500, [], quiet)],
      2,
    ],
    ['a thin one is better than none', [launched(1, 400, [], { curve: curveRow({ lastAt: NOW_S - 7_201 }) })], 1],
    ['a young flag holds a launch back', [launched(1, 400, [10]), launched(2, 500)], 2],
  ])('%s', async (_, mints, byte) => {
    expect((await given(...mints).get(PATH)).body.data.mint).toBe(base58(byte))
  })
  test('before any launch is old enough it is a 503 that says when to come back', async () => {
    const { status, body, headers } = await given(launched(1, 10)).get(PATH)
    expect(status).toBe(503)
    expect(body).toEqual({ ok: false, error: 'no_sample', hint: expect.stringContaining('300 s') })
    expect(headers['retry-after']).toBe('5')
  })
})

test('while stores restore samples are a 503, not an empty list', async () => {
  const api = given(launched(1, 400))
  api.view.say({ ready: false })
  for (const name of ['launches', 'rugs', 'mint']) expect((await api.get(`/v1/sample/${name}`)).status).toBe(503)
})

test('whatever the ages are, nothing younger than 300 s is given away, and no null is unexplained', async () => {
  const ages = fc.array(fc.tuple(fc.integer({ min: 0, max: 900 }), fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 3 })), {
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(ages, async (all) => {
      const api = given(...all.map(([ageS, flagsAgeS], i) => launched(i + 1, ageS, flagsAgeS)))
      const [launches, rugs, mint] = await Promise.all(['launches', 'rugs', 'mint'].map((name) => api.get(`/v1/sample/${name}`)))
      for (const { age_s, rug_flags } of launches?.body.data.items ?? []) {
        expect(age_s).toBeGreaterThanOrEqual(300)
        for (const { first_seen_at } of rug_flags) expect(NOW_S - first_seen_at).toBeGreaterThanOrEqual(300)
      }
      for (const { t } of rugs?.body.data.items ?? []) expect(NOW_S - t).toBeGreaterThanOrEqual(300)
      if (mint?.status === 200) expect(mint.body.data.age_s).toBeGreaterThanOrEqual(300)
      expect([launches, rugs, mint].flatMap((answer) => unexplainedNulls(answer?.body.data ?? {}))).toEqual([])
    }),
    { numRuns: 30 },
  )
})
