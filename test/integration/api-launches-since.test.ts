// `/v1/launches/since`: pages, cursors, unpaid refusals, and the content of an item.
import { base58, curveRow, flagRow, holderRow, key, launchRow, liveState, NOW_S, priorRow } from '../unit/query-api/given-mint.ts'
import { type Harness, harness } from './api-harness.ts'

const PATH = '/v1/launches/since'
type Changes = Parameters<typeof liveState>[0]

/** Mint `byte` launched `ageS` seconds ago in its own frame. */
const put = (api: Harness, byte: number, ageS: number, changes: Changes = {}): void =>
  api.view.put(key(byte), liveState({ ...changes, launch: launchRow({ at: NOW_S - ageS, number: 1_100 - ageS, ...changes.launch }) }))

const given = (...mints: readonly (readonly [byte: number, ageS: number, changes?: Changes])[]): Harness => {
  const api = harness()
  for (const [byte, ageS, changes] of mints) put(api, byte, ageS, changes)
  return api
}
const page = async (api: Harness, since: number | string, query = '') => {
  const { status, body } = await api.paid(`${PATH}?since=${since}${query}`)
  expect(status).toBe(200)
  return { ...body.data, mints: body.data.items.map(({ mint }: { mint: string }) => mint), coverage: body.coverage }
}
const named = (...bytes: number[]): string[] => bytes.map(base58)

describe('pages', () => {
  test('are oldest first from a time on, including that second, and the cursor continues after the last', async () => {
    const api = given([1, 300], [2, 100], [3, 200], [4, 50])
    const first = await page(api, NOW_S - 200, '&limit=2')
    expect([first.mints, first.has_more, first.next_check_after_s]).toEqual([named(3, 2), true, 0])
    const second = await page(api, first.next_cursor)
    expect([second.mints, second.has_more, second.next_check_after_s]).toEqual([named(4), false, 5])
    expect(await page(api, second.next_cursor)).toMatchObject({ count: 0, has_more: false })
    put(api, 5, -1)
    api.view.setStatus({ folded: { number: 1_101, time: NOW_S + 1 } })
    expect((await page(api, second.next_cursor)).mints).toEqual(named(5))
  })
  test('have 100 launches at most and by default', async () => {
    const api = given(...Array.from({ length: 120 }, (_, n) => [n + 1, 150 - n] as const))
    const first = await page(api, 0)
    expect([first.count, first.has_more]).toEqual([100, true])
    expect((await page(api, first.next_cursor)).count).toBe(20)
    expect((await api.paid(`${PATH}?since=0&limit=101`)).status).toBe(422)
  })
  test('have launches of confirmed slots only; after a fork, a moved launch comes once, and a new one in an earlier slot comes too', async () => {
    const api = given([1, 20], [2, 10], [3, 4])
    api.view.sure({ confirmed: 1_090, finalized: 1_075 })
    const first = await page(api, 0)
    expect(first.mints).toEqual(named(1, 2))
    // A fork: 2 is now in a later slot, and 4 in an earlier one.
    put(api, 2, 6)
    put(api, 4, 15)
    api.view.sure({ confirmed: 1_100, finalized: 1_100 })
    expect((await page(api, first.next_cursor)).mints).toEqual(named(4, 3))
  })
  test('skip launches without full coverage, and count them', async () => {
    const silent = { curve: curveRow({ lastAt: NOW_S - 7_201, lastTradeAt: NOW_S - 7_201 }) }
    expect(await page(given([1, 100, silent], [2, 50]), 0)).toMatchObject({ count: 1, mints: named(2), n_not_covered: 1 })
  })
  test('begin at the oldest launch that is kept, and have a cut_reason if an older time was requested', async () => {
    const api = given([1, 21_600, { launch: launchRow({ at: NOW_S - 21_600, number: 1 }) }])
    put(api, 2, 0, { launch: launchRow({ at: NOW_S - 21_601, number: 0 }) })
    const cut = await page(api, NOW_S - 21_601)
    expect(cut).toMatchObject({ mints: named(1), window_from: NOW_S - 21_600, cut_reason: expect.stringContaining('window_from') })
    expect(await page(api, NOW_S - 21_600)).not.toHaveProperty('cut_reason')
  })
  test('have a cut_reason for a cursor that is older than the launches that are kept, but not for a recent one', async () => {
    const api = given([1, 10])
    const { next_cursor: cursor } = await page(api, NOW_S - 100)
    expect(await page(api, cursor)).not.toHaveProperty('cut_reason')
    api.time.nowMs += 21_700_000
    expect(await page(api, cursor)).toHaveProperty('cut_reason')
  })
  test('are thin, with the range, if a gap ended after the requested time', async () => {
    const api = given([1, 10])
    api.view.setStatus({ gap: { from: 10, to: 20, until: NOW_S - 50 } })
    expect(await page(api, NOW_S - 60)).toMatchObject({ coverage: 'thin', coverage_range: { from_slot: 10, to_slot: 20 } })
    expect((await page(api, NOW_S - 40)).coverage).toBe('full')
  })
})

describe('a time ahead of the service clock', () => {
  test.each([
    ['61 s', NOW_S + 61, /^Input should not be later than now, which is \d+ on the service clock \(t of \/health\)$/],
    ['in milliseconds', NOW_S * 1_000, /unix seconds; this looks like milliseconds$/],
  ])('is a 422 before payment: %s', async (_name, since, msg) => {
    const api = given([1, 10])
    for (const request of [api.get(`${PATH}?since=${since}`), api.paid(`${PATH}?since=${since}`)])
      expect(await request).toMatchObject({
        status: 422,
        body: {
          charged: false,
          detail: [{ loc: ['query', 'since'], ctx: { le: NOW_S }, msg: expect.stringMatching(msg), input: String(since) }],
        },
      })
    expect(api.gate.calls.map(({ kind }) => kind)).toEqual(['let go'])
  })
  test('may be the skew of a clock: 60 s are sold', async () => {
    expect((await page(given([1, 10]), NOW_S + 60)).count).toBe(0)
  })
  test('in a cursor that was sold earlier is the same 422: it would never give a launch', async () => {
    const api = given([1, 10])
    const monthMs = 30 * 86_400_000
    api.time.nowMs += monthMs
    const { next_cursor: cursor } = await page(api, NOW_S + monthMs / 1_000)
    api.time.nowMs -= monthMs
    const { status, body } = await api.paid(`${PATH}?since=${cursor}`)
    expect([status, body.charged, body.detail[0].msg]).toEqual([422, false, expect.stringContaining('should not be later than now')])
  })
})

describe('a cursor', () => {
  const one = async (api = given([1, 10])) => [api, (await page(api, 0)).next_cursor] as const
  test('survives a restart, and another server with the same keys accepts it', async () => {
    const [, cursor] = await one()
    expect((await page(given([1, 10], [2, 0, { launch: launchRow({ at: NOW_S, number: 1_100, tx: 9 }) }]), cursor)).mints).toEqual([])
    const later = given([1, 10], [2, 0, { launch: launchRow({ at: NOW_S, number: 1_101 }) }])
    later.view.setStatus({ folded: { number: 1_101, time: NOW_S } })
    expect((await page(later, cursor)).mints).toEqual(named(2))
  })
  test.each(['forged', '-', 'A'.repeat(1_024)])('that is malformed is a 400, unpaid: %s', async (text) => {
    const api = given([1, 10])
    const { status, body } = await api.get(`${PATH}?since=${text}`)
    expect([status, body.error, body.charged]).toEqual([400, 'invalid_cursor', false])
  })
  test('of a watch is not accepted', async () => {
    const api = given([1, 10])
    const { body } = await api.get(`/v1/check/watch?mints=${base58(1)}`)
    expect((await api.get(`${PATH}?since=${body.data.cursor}`)).status).toBe(400)
  })
  test('older than 24 h is a 410, unpaid', async () => {
    const [api, cursor] = await one()
    api.time.nowMs += 86_401_000
    const { status, body } = await api.get(`${PATH}?since=${cursor}`)
    expect([status, body.error, body.charged]).toEqual([410, 'cursor_expired', false])
  })
  test('from a server that is ahead is a 503 with Retry-After, unpaid', async () => {
    const [, cursor] = await one()
    const behind = given([1, 10])
    behind.view.setStatus({ folded: { number: 1_099, time: NOW_S - 1 } })
    const { status, body, headers } = await behind.get(`${PATH}?since=${cursor}`)
    expect([status, body.error, body.charged, headers['retry-after']]).toEqual([503, 'feed_behind', false, '1'])
  })
})

test.each([
  ['', 'since_parsing'],
  ['-1', 'greater_than_equal'],
  ['1e309', 'finite_number'],
  ['1.2.3', 'float_parsing'],
  ['%20', 'since_parsing'],
  ['A'.repeat(1_025), 'string_too_long'],
])('since=%s is a 422: %s', async (text, type) => {
  const { status, body } = await given().get(`${PATH}?since=${text}`)
  expect([status, body.detail[0].type, body.charged]).toEqual([422, type, false])
})

test('a request without parameters is the 402 for crawlers, and one with only another parameter than since a 422', async () => {
  const api = given([1, 10])
  expect((await api.get(PATH)).status).toBe(402)
  expect((await api.get(`${PATH}?limit=5`)).status).toBe(422)
  expect((await api.get(`${PATH}?since=0`)).status).toBe(402)
})

describe('an item', () => {
  const serial = priorRow({ launches: 4, resolved: 4, graduated: 0, rugged: 2 })
  const verdictsOf = async (changes: Changes, odds?: number) => {
    const api = given([1, 60, changes])
    if (odds !== undefined) api.odds.set(key(1), 'rug_within_300s', odds)
    const [item] = (await page(api, 0)).items
    return [item.verdict, item.verdict_why]
  }
  test('is the launch card with odds, verdict and links', async () => {
    const api = given([1, 60, { prior: priorRow(), flags: [flagRow('creator_sold')] }])
    api.odds.set(key(1), 'true_graduation', 0.125, { ageS: 60 })
    const [item] = (await page(api, 0)).items
    const [card] = (await api.paid('/v1/launches/recent')).body.data.items
    expect(item).toEqual({
      ...card,
      probabilities: {
        rug_within_300s: null,
        rug_within_300s_reason: 'no prediction: launches are predicted at ages 5, 10, 20, 30 s',
        true_graduation: 0.125,
        logged: [expect.objectContaining({ head: 'true_graduation', age_s: 60 })],
      },
      verdict: 'avoid',
      verdict_why: ['rug flag creator_sold', 'not judged: no rug odds are shown'],
      check_url: `http://127.0.0.1:8402/v1/check/mint/${base58(1)}`,
      full_card_url: `http://127.0.0.1:8402/v1/mint/${base58(1)}`,
    })
  })
  test('has the verdict avoid with a rug flag, or with rug odds of 0.8 or more', async () => {
    expect(await verdictsOf({ prior: priorRow() }, 0.8)).toEqual(['avoid', ['rug odds 0.8, at or above 0.8']])
    expect((await verdictsOf({ flags: [flagRow('curve_drained')], prior: priorRow() }, 0.01))[0]).toBe('avoid')
  })
  test.each<[string, Changes, number]>([
    ['rug odds of 0.5', { prior: priorRow() }, 0.5],
    ['a serial rugger', { prior: serial }, 0.1],
    ['a holder of half the supply', { prior: priorRow(), holders: [holderRow(key(210), 500_000_000_000_000)] }, 0.1],
  ])('has the verdict caution with %s', async (_what, changes, odds) => {
    expect((await verdictsOf(changes, odds))[0]).toBe('caution')
  })
  test('without findings states what could not be judged', async () => {
    expect(await verdictsOf({ prior: priorRow() }, 0.499999)).toEqual(['no_flags_observed', []])
    expect(await verdictsOf({})).toEqual([
      'no_flags_observed',
      ['not judged: the record of the creator is pending', 'not judged: no rug odds are shown'],
    ])
  })
})
