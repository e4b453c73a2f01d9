// `/v1/cohort/mint/{mint}`: similar launches, matched on as many properties as leave enough of them; no sale without history or shape.
import { COHORT_LAUNCHES_MIN } from '../../processors/mint/cohort/cohort.ts'
import type { ShapeFacts } from '../../processors/mint/cohort/shape.ts'
import { toBase58 } from '../../schemas/keys.ts'
import type { MintState } from '../../schemas/types.ts'
import { BUSY_COHORTS, cohortOf, SetHistory } from '../fakes/set-history.ts'
import { labels } from '../shipped.ts'
import { SOL, USDC } from '../unit/processors/mint/market.ts'
import { base58, CREATOR, curveRow, key, launchRow, liveState, NOW_S, priorRow } from '../unit/query-api/given-mint.ts'
import { pathsOf, unexplainedNulls } from '../unit/query-api/null-walk.ts'
import { harness } from './api-harness.ts'

const PATH = `/v1/cohort/mint/${base58(1)}`
const MIXED = { launches: 4, resolved: 2, graduated: 0, rugged: 1 }

/** A launch of the shape false/1_to_5_sol/1_to_4/mixed. */
const shaped = (change: Partial<MintState> = {}): MintState =>
  liveState({ curve: curveRow({ devBuyQuoteUnits: 2 * SOL, bundleWallets: 3 }), prior: priorRow(MIXED), ...change })
const given = (state: MintState | null = shaped()) => {
  const history = new SetHistory()
  const api = harness({ history })
  if (state !== null) api.view.put(key(1), state)
  return { ...api, history }
}
const partsOf = async (state: MintState) => {
  const { status, body } = await given(state).paid(PATH)
  expect([status, unexplainedNulls(body.data)]).toEqual([200, []])
  expect(pathsOf(body.data).filter((path) => labels.fields.cohort[path] === undefined)).toEqual([])
  return body
}

test('compares a launch with those of the same shape, and every field is explained', async () => {
  const { coverage, meta, data } = await partsOf(shaped())
  expect([coverage, meta.price_usd, meta.next.mint]).toEqual(['full', 0.02, `/v1/mint/${base58(1)}`])
  expect(data).toEqual({
    mint: base58(1),
    t0: NOW_S - 100,
    shape: {
      ...{ is_mayhem: false, dev_buy: '1_to_5_sol', bundle: '1_to_4', creator_kind: 'mixed', dev_buy_sol: 2, n_bundle_wallets: 3 },
      creator_prior: { of: toBase58(CREATOR), n_launches: 4, n_resolved: 2, n_graduated: 0, n_rugged: 1 },
    },
    alike_in: ['is_mayhem', 'dev_buy', 'bundle', 'creator_kind'],
    n_same_shape: 400,
    n: 400,
    rugged: { n: 200, rate: 0.5, low: expect.closeTo(0.4512, 4), high: expect.closeTo(0.5488, 4) },
    graduated: { n: 100, rate: 0.25, low: expect.closeTo(0.2101, 4), high: expect.closeTo(0.2947, 4) },
    collapse_s: { n: 200, p50: 41, p90: 180 },
    window_days: 30,
    window: { from: BUSY_COHORTS.from, to: NOW_S - 20, days: expect.closeTo(30, 2) },
    as_of: NOW_S - 20,
  })
})

test('below 20 launches the kind of creator is dropped first, and the answer names the remaining properties', async () => {
  const { coverage, data } = await partsOf(shaped({ prior: priorRow({ launches: 9, resolved: 4, graduated: 0, rugged: 4 }) }))
  expect([coverage, data.shape.creator_kind, data.n_same_shape, data.n]).toEqual(['full', 'serial_rugger', 19, 4_000])
  expect([data.alike_in, data.coarser_reason]).toEqual([['is_mayhem', 'dev_buy', 'bundle'], expect.stringMatching(/fewer than 20/)])
})

test('with too few launches at every level all figures are null and state the minimum', async () => {
  const { data } = await partsOf(shaped({ launch: launchRow({ mayhem: true }) }))
  expect(data).toMatchObject({ shape: { is_mayhem: true }, alike_in: [], n: null, rugged: null, graduated: null, collapse_s: null })
  expect([data.n_reason, data.coarser_reason]).toEqual([expect.stringContaining(`${COHORT_LAUNCHES_MIN}`), data.n_reason])
})

test('before the dev set is known, launches match on the rest, and the answer is thin', async () => {
  const api = given(shaped({ prior: null }))
  const { coverage, data } = (await api.paid(PATH)).body
  expect([coverage, data.shape.creator_kind, data.shape.creator_prior, data.n_same_shape, data.n]).toEqual([
    'thin',
    null,
    null,
    null,
    4_000,
  ])
  expect(data.coverage_reason).toMatch(/pending/)
  expect(data.coarser_reason).toBe(data.coverage_reason)
  expect(unexplainedNulls(data)).toEqual([])
  await api.get(PATH)
  expect(api.gate.extensions.at(-1)?.().mintfold).toMatchObject({ info: { coverage: 'thin' } })
})

test('compares a launch of unknown slot by mayhem only', async () => {
  const { coverage, data } = await partsOf(shaped({ launch: launchRow({ placed: false }), prior: null }))
  expect([coverage, data.alike_in, data.n, data.shape.dev_buy]).toEqual(['thin', ['is_mayhem'], 24_000, null])
})

test('a cohort without rugs has no time of collapse, and its interval is not a point', async () => {
  const api = given()
  const counts = { ...cohortOf(400), rugged: 0, collapseP50S: null, collapseP90S: null }
  api.history.shaped = {
    ok: true,
    value: { ...BUSY_COHORTS, cohorts: new Map([['false/1_to_5_sol/1_to_4/mixed', counts]]) },
    asOf: NOW_S,
  }
  const { data } = (await api.paid(PATH)).body
  expect(data.rugged).toEqual({ n: 0, rate: 0, low: 0, high: expect.closeTo(0.0095, 4) })
  expect(data.collapse_s).toMatchObject({ n: 0, p50: null, p90: null, p50_reason: expect.any(String) })
})

describe('a coin without rows of its launch', () => {
  const FACTS: ShapeFacts = {
    ...{ t0: NOW_S - 9_000_000, mayhem: false, quoteMint: null },
    createSlot: { ok: true, value: { devBuyQuoteUnits: 2 * SOL, bundleWallets: 4 } },
    prior: { ok: true, value: { of: CREATOR, ...MIXED } },
  }
  test('has the shape that the history kept', async () => {
    for (const state of [null, liveState({ launch: null })]) {
      const api = given(state)
      api.history.shapes.set(key(1), FACTS)
      const { status, body } = await api.paid(PATH)
      expect([status, body.coverage, body.data.t0, body.data.n]).toEqual([200, 'full', FACTS.t0, 400])
    }
  })
  test('is refused unpaid if the history has no shape of it either', async () => {
    for (const ask of ['get', 'paid'] as const) {
      const api = given(null)
      const { status, body } = await api[ask](PATH)
      expect([status, body.error, body.charged]).toEqual([404, 'no_cohort', false])
    }
  })
})

test('refuses a curve that is not paired with SOL, unpaid: it has no bands', async () => {
  const { status, body } = await given(shaped({ curve: curveRow({ quoteMint: USDC }) })).get(PATH)
  expect([status, body.error, body.charged]).toEqual([404, 'no_cohort', false])
  expect(body.hint).toMatch(/not paired with SOL/)
})

test('stays for sale while the history is too busy to look the shape up for a quote', async () => {
  const history = new SetHistory()
  const api = harness({ history })
  history.shape = async (_mint, kind): ReturnType<SetHistory['shape']> =>
    kind === 'quote' ? { ok: false, reason: 'the history store is busy', isBusy: true } : { ok: true, value: null }
  expect((await api.get(PATH)).status).toBe(402)
  const { status, body } = await api.paid(PATH)
  expect([status, body.error, body.charged]).toEqual([404, 'no_cohort', false])
})

describe('sells nothing: 503 before payment is required', () => {
  test.each(['get', 'paid'] as const)('while the history is unavailable (%s)', async (ask) => {
    const api = given()
    api.history.awayReason = 'the history store does not answer now'
    const { status, body, headers } = await api[ask](PATH)
    expect([status, body.error, body.charged, headers['retry-after']]).toEqual([503, 'history_unavailable', false, '5'])
  })
  test('before any cohort is known', async () => {
    const api = given()
    api.history.shaped = { ok: false, reason: 'the history has no resolved launch whose shape is known yet' }
    expect((await api.get(PATH)).body).toMatchObject({ error: 'history_unavailable', hint: expect.stringMatching(/no resolved launch/) })
  })
  test('on a server without history', async () => {
    expect((await harness().paid(PATH)).body).toMatchObject({ error: 'history_unavailable', charged: false })
  })
})
