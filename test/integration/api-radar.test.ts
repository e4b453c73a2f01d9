// `/v1/radar`: sides, order, nulls with reasons, and that one computation serves everybody.
import { base58, curveRow, flagRow, key, launchRow, liveState, NOW_S, priorRow } from '../unit/query-api/given-mint.ts'
import { type Harness, harness } from './api-harness.ts'

const PATH = '/v1/radar'
type Changes = Parameters<typeof liveState>[0]

/** Mint `byte` launched `ageS` seconds ago. */
const put = (api: Harness, byte: number, ageS: number, changes: Changes = {}): void =>
  api.view.put(key(byte), liveState({ ...changes, launch: launchRow({ at: NOW_S - ageS, number: 2_000 - ageS, ...changes.launch }) }))

const given = (...mints: readonly (readonly [byte: number, ageS: number, changes?: Changes])[]): Harness => {
  const api = harness()
  for (const [byte, ageS, changes] of mints) put(api, byte, ageS, changes)
  return api
}
const sidesOf = async (api: Harness, query = '') => {
  const { status, body } = await api.get(PATH + query)
  expect(status).toBe(200)
  const mints = (rows: { mint: string }[]): string[] => rows.map(({ mint }) => mint)
  return { ...body, rug: mints(body.data.top_rug_risk), graduation: mints(body.data.top_graduation) }
}
const named = (...bytes: number[]): string[] => bytes.map(base58)

describe('sides', () => {
  test('a launch leaves the rug side at 30 s of age exactly, and the graduation side after 900 s', async () => {
    const { rug, graduation, data } = await sidesOf(given([1, 29], [2, 30], [3, 900], [4, 901]))
    expect(rug).toEqual(named(1))
    expect(new Set(graduation)).toEqual(new Set(named(1, 2, 3)))
    expect(data.candidates).toBe(3)
  })
  test('graduation requires 5 buys, an open curve, and SOL', async () => {
    const other = { launch: launchRow({ at: NOW_S - 60, quoteMint: key(99) }), curve: curveRow({ quoteMint: key(99) }) }
    const { graduation } = await sidesOf(
      given(
        [1, 60, { curve: curveRow({ buys: 5 }) }],
        [2, 60, { curve: curveRow({ buys: 4 }) }],
        [3, 60, { curve: curveRow({ completeAt: NOW_S - 1 }) }],
        [4, 60, other],
      ),
    )
    expect(graduation).toEqual(named(1))
  })
  test('a launch without full coverage is on neither side', async () => {
    const { rug, graduation, data } = await sidesOf(given([1, 10, { launch: launchRow({ at: NOW_S - 10, placed: false }) }]))
    expect([rug, graduation, data.candidates]).toEqual([[], [], 0])
  })
  test('have 10 rows by default and up to 25 on request; more is a 422', async () => {
    const api = given(...Array.from({ length: 40 }, (_, n) => [n + 1, 5] as const))
    expect((await sidesOf(api)).rug).toHaveLength(10)
    expect((await sidesOf(api, '?limit=25')).graduation).toHaveLength(25)
    expect((await api.get(`${PATH}?limit=26`)).status).toBe(422)
  })
})

describe('order', () => {
  test('has the highest odds first, then launches without odds, newest first', async () => {
    const api = given([1, 20], [2, 10], [3, 15], [4, 5])
    api.odds.set(key(1), 'rug_within_300s', 0.25)
    api.odds.set(key(3), 'rug_within_300s', 0.75)
    const { rug, data } = await sidesOf(api)
    expect(rug).toEqual(named(3, 1, 4, 2))
    expect(data.ranked_by.rug_risk).toContain('highest first')
    expect(data.top_rug_risk[0].probabilities).toMatchObject({
      rug_within_300s: 0.75,
      true_graduation: null,
      true_graduation_reason: expect.stringContaining('no prediction'),
      logged: [{ head: 'rug_within_300s', age_s: 30 }],
    })
    expect(data.top_rug_risk[2].probabilities.rug_within_300s_reason).toBe('no prediction: launches are predicted at ages 5, 10, 20, 30 s')
  })
  test('withdrawn odds are null with the reason, and do not rank', async () => {
    const api = given([1, 20], [2, 10])
    for (const head of ['rug_within_300s', 'true_graduation'] as const) {
      api.odds.set(key(1), head, 0.9)
      api.odds.stand(head, { isShown: false, reason: 'withdrawn: Brier skill is below 0' })
    }
    const { rug, data } = await sidesOf(api)
    expect(rug).toEqual(named(2, 1))
    expect(data.ranked_by.rug_risk).toBe('newest launch first: withdrawn: Brier skill is below 0')
    expect(JSON.stringify(data)).not.toContain('0.9')
    expect(data.top_graduation[0].probabilities).toEqual({
      rug_within_300s: null,
      rug_within_300s_reason: 'withdrawn: Brier skill is below 0',
      true_graduation: null,
      true_graduation_reason: 'withdrawn: Brier skill is below 0',
      logged: [],
    })
    expect(data.model.heads[0]).toMatchObject({ is_shown: false, hidden_reason: 'withdrawn: Brier skill is below 0' })
  })
  test('without odds of graduation the fullest curve is first', async () => {
    const api = given([1, 60, { curve: curveRow({ realQuoteUnits: 1e9 }) }], [2, 90, { curve: curveRow({ realQuoteUnits: 3e9 }) }])
    expect((await sidesOf(api)).graduation).toEqual(named(2, 1))
  })
})

describe('a row', () => {
  test('has the flags that fired and serial_rugger_creator, or notes that the record is pending', async () => {
    const serial = priorRow({ launches: 4, resolved: 4, graduated: 0, rugged: 2 })
    const api = given(
      [1, 10, { flags: [flagRow('creator_sold')], prior: serial }],
      [2, 11, { prior: { ...serial, graduated: 1 } }],
      [3, 12, { prior: { ...serial, resolved: 2 } }],
      [4, 13],
    )
    const { data } = await sidesOf(api)
    expect(
      data.top_rug_risk.map(({ flags, flags_pending }: { flags: string[]; flags_pending: string[] }) => [flags, flags_pending]),
    ).toEqual([
      [['creator_sold', 'serial_rugger_creator'], []],
      [[], []],
      [[], []],
      [[], ['serial_rugger_creator']],
    ])
  })
  test('has current figures and links', async () => {
    const { data } = await sidesOf(given([1, 10]))
    expect(data.top_rug_risk[0]).toMatchObject({
      mint: base58(1),
      untrusted_text: true,
      age_s: 10,
      rs_sol: 10,
      n_buys: 20,
      unique_buyers_60s: 3,
      top5_share: 0.05,
      dev_share: 0.02,
      check_url: `http://127.0.0.1:8402/v1/check/mint/${base58(1)}`,
      record_url: `http://127.0.0.1:8402/token/${base58(1)}`,
    })
  })
  test('of a curve of another quote has no SOL, and gives the reason', async () => {
    const other = { launch: launchRow({ at: NOW_S - 10, quoteMint: key(99) }), curve: curveRow({ quoteMint: key(99) }) }
    const { data } = await sidesOf(given([1, 10, other]))
    expect(data.top_rug_risk[0]).toMatchObject({ rs_sol: null, rs_sol_reason: expect.any(String) })
  })
})

describe('the answer', () => {
  test('states how to buy, how to poll, and where the odds are graded', async () => {
    const { data } = await sidesOf(given([1, 10]))
    expect(data).toMatchObject({
      refresh_s: 5,
      rug_window_s: 30,
      graduation_window_s: 900,
      graduation_min_buys: 5,
      model: { id: '0123456789abcdef', calibration: '/v1/calibration', horizon_s: 300 },
      how_to_buy: {
        single: { route: '/v1/check/mint/{mint}', price_usd: 0.005, mcp_tool: 'check_launchpad_risk' },
        batch: { price_usd: 0.01, mcp_tool: 'check_watchlist_risk', max_mints: 5 },
      },
      polling: { every_launch: { url: expect.any(String), price_usd: 0.001, mcp_tool: 'launches_since' } },
      page: 'http://127.0.0.1:8402/radar',
    })
    expect(data.polling.every_launch.url).toBe(`http://127.0.0.1:8402/v1/launches/since?since=${NOW_S}`)
  })
  test('is computed at most every 5 s, whatever is requested, and reads nothing in between', async () => {
    const api = given([1, 10])
    const first = await api.get(PATH)
    put(api, 2, 5)
    const reads = api.view.reads
    api.time.nowMs += 4_999
    expect((await api.get(PATH)).text).toBe(first.text)
    await api.get(`${PATH}?limit=3`)
    expect(api.view.reads).toBe(reads)
    api.time.nowMs += 5_000
    const { rug, data } = await sidesOf(api)
    expect(rug).toEqual(named(2, 1))
    expect(data.as_of).toBe(NOW_S + 9)
  })
  test('while the answer is recomputed, the previous one is served until it is 7 s old', async () => {
    const api = given([1, 10])
    const first = await api.get(PATH)
    put(api, 2, 5)
    api.time.nowMs += 6_000
    expect((await api.get(PATH)).text).toBe(first.text)
    expect((await sidesOf(api)).rug).toEqual(named(2, 1))
  })
  test('is a 503 while stores restore', async () => {
    const api = given([1, 10])
    api.view.setStatus({ ready: false })
    expect((await api.get(PATH)).status).toBe(503)
  })
  test('is thin while a gap ended at most 900 s ago', async () => {
    const api = given([1, 10])
    api.view.setStatus({ gap: { from: 10, to: 20, until: NOW_S - 900 } })
    expect(await sidesOf(api)).toMatchObject({ coverage: 'thin', data: { coverage_range: { from_slot: 10, to_slot: 20 } } })
  })
})
