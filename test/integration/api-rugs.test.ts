// `/v1/rugs/recent`: items, order, bounds, and the body of a 422.
import { toBase58 } from '../../schemas/keys.ts'
import { labels } from '../shipped.ts'
import { base58, CREATOR, flagRow, key, launchRow, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
import { pathsOf } from '../unit/query-api/null-walk.ts'
import { harness } from './api-harness.ts'

const PATH = '/v1/rugs/recent'
const DRAINED = '{"peak_rs":12.5,"rs":1.25}'
const given = (...agesS: readonly number[]) => {
  const api = harness()
  for (const [i, ageS] of agesS.entries()) {
    const flags = [flagRow('curve_drained', { firstSeenAt: NOW_S - ageS, evidence: DRAINED, findingId: `f${i}`, number: 1_000 + i })]
    api.view.put(key(i + 1), liveState({ flags, launch: launchRow({ at: NOW_S - ageS - 40, name: 'Co\u202ein' }) }))
  }
  return api
}
const agesOf = (body: { data: { items: { t: number }[] } }): number[] => body.data.items.map(({ t }) => NOW_S - t)

test('an item has the fields of the contract, and each is explained', async () => {
  const { status, body } = await given(100).paid(PATH)
  expect(status).toBe(200)
  expect(body.data).toEqual({
    count: 1,
    items: [
      {
        t: NOW_S - 100,
        mint: base58(1),
        name: 'Coin',
        symbol: 'COIN',
        creator: toBase58(CREATOR),
        creator_is_wallet: true,
        flag: 'curve_drained',
        detail: { peak_rs: 12.5, rs: 1.25 },
        mint_age_at_flag_s: 40,
        position: 'solana:1000.1.0.0',
        finding_id: 'f0',
        finality: 'finalized',
        creator_prior: null,
        creator_prior_reason: expect.stringMatching(/^pending: /),
        creator_prior_of: null,
        creator_prior_of_reason: expect.stringMatching(/^pending: /),
      },
    ],
  })
  expect(body.meta.price_usd).toBe(0.02)
  const paths = pathsOf(body.data.items[0]).filter((path) => !path.startsWith('detail.'))
  expect(paths.filter((path) => labels.fields.rug[path] === undefined)).toEqual([])
})
test('is newest first; within a second, the later position comes first', async () => {
  const { body } = await given(500, 100, 300, 300).paid(PATH)
  expect(agesOf(body)).toEqual([100, 300, 300, 500])
  expect(body.data.items.map(({ finding_id }: { finding_id: string }) => finding_id)).toEqual(['f1', 'f3', 'f2', 'f0'])
})
test.each([
  ['', [60, 3_600]],
  ['?window_s=60', [60]],
  ['?window_s=21600', [60, 3_600, 3_601, 21_600]],
  ['?window_s=21600&limit=2', [60, 3_600]],
])('%s gives flags of %j s', async (query, ages) => {
  expect(agesOf((await given(60, 3_600, 3_601, 21_600, 21_601).paid(PATH + query)).body)).toEqual(ages)
})
test.each([
  ['limit=0', 'limit', 'greater_than_equal'],
  ['limit=201', 'limit', 'less_than_equal'],
  ['limit=1.5', 'limit', 'int_parsing'],
  ['window_s=59.9', 'window_s', 'greater_than_equal'],
  ['window_s=21601', 'window_s', 'less_than_equal'],
  ['window_s=', 'window_s', 'float_parsing'],
  ['window_s=60&window_s=70', 'window_s', 'multiple_values'],
])('%s is a 422 before payment', async (query, name, type) => {
  const api = given(100)
  const { status, body } = await api.paid(`${PATH}?${query}`)
  expect(status).toBe(422)
  expect(body.detail).toEqual([expect.objectContaining({ type, loc: ['query', name] })])
  expect(api.gate.calls).toEqual([])
})
test('a flag of a mint whose rows were evicted stays, without its name and with the reason', async () => {
  const api = given(100)
  const seen = [...api.view.flagsSince(0)]
  api.view.flagsSince = () => seen
  api.view.put(key(1), liveState({ launch: null, curve: null }))
  const { body } = await api.paid(PATH)
  expect(body.data.items[0]).toMatchObject({
    name: null,
    name_reason: expect.stringContaining('evicted'),
    symbol: null,
    flag: 'curve_drained',
  })
})
test('a gap within the window makes the list thin', async () => {
  const api = given(100)
  api.view.setStatus({ gap: { from: 10, to: 20, until: NOW_S - 100 } })
  const { body } = await api.paid(PATH)
  expect(body.coverage).toBe('thin')
  expect(body.data.coverage_reason).toContain('flags in them are missing')
})
