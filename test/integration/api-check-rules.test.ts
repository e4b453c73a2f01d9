// The seven rules of the compact checks, and each of their rows in the contract's table of errors.
import { toBase58 } from '../../schemas/keys.ts'
import { curveRow, key, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
import { charges, checked, given, MINT, OTHER, SOLD, THIN, THIRD, watched } from './check-given.ts'

const PAID = [`/v1/check/mint/${MINT}?`, `/v1/check/watchlist?mints=${MINT}`]
const FREE = [`/v1/check/watch?mints=${MINT}`]
const ALL = [...PAID, ...FREE]
const refused = (error: string) => ({ ok: false, error, hint: expect.any(String), charged: false })

describe('rule 1: full live coverage and a lag of at most 5 s, else unpaid', () => {
  test('404: a mint without full live coverage, with the reason, before payment is required', async () => {
    const api = given()
    for (const path of [`/v1/check/mint/${THIN}`, `/v1/check/watchlist?mints=${MINT},${THIN}`, `/v1/check/watch?mints=${THIN},${MINT}`])
      for (const request of [api.get(path), api.paid(path)]) {
        const { status, body } = await request
        expect([path, status]).toEqual([path, 404])
        expect(body).toEqual(refused('coverage_missing'))
        expect(body.hint).toContain(`${THIN} lacks full live coverage: the slot of the launch is not known`)
      }
    expect(charges(api)).toEqual(['let go', 'let go'])
  })
  test('404: a mint never observed, one that is silent, and one open over a gap', async () => {
    const api = given()
    api.view.put(key(1), liveState({ curve: curveRow({ lastAt: NOW_S - 7_201 }) }))
    expect((await api.get(`/v1/check/watchlist?mints=${MINT}`)).body.hint).toContain('silent')
    expect((await api.get(`/v1/check/watchlist?mints=${toBase58(key(77))}`)).body.hint).toContain('not observed')
    api.view.setStatus({ gap: { from: 1_060, to: 1_070, until: NOW_S } })
    expect((await api.get(`/v1/check/watchlist?mints=${OTHER}`)).body.hint).toContain('slots 1060 to 1070')
  })
  test.each(ALL)('503: a feed more than 5 s behind: %s', async (path) => {
    const api = given()
    api.time.nowMs = NOW_S * 1_000 + 5_000
    expect((await api.get(path)).status).toBe(path.startsWith('/v1/check/watch?') ? 200 : 402)
    api.time.nowMs += 1
    for (const request of [api.get(path), api.paid(path)]) {
      const { status, body, headers } = await request
      expect(status).toBe(503)
      expect(body).toEqual(refused('feed_stale'))
      expect(body.hint).toContain('5.001 s behind')
      expect(headers['retry-after']).toBe('5')
    }
    expect(charges(api)).not.toContain('settled')
  })
  test.each(ALL)('503: no data yet, and stores that restore: %s', async (path) => {
    const api = given()
    api.view.setStatus({ folded: null })
    expect(await api.get(path)).toMatchObject({ status: 503, body: refused('feed_unavailable') })
    api.view.setStatus({ ready: false })
    expect(await api.get(path)).toMatchObject({ status: 503, body: refused('restoring') })
    expect(charges(api)).toEqual([])
  })
  test('is checked again after the payment was verified: what became impossible is not sold', async () => {
    const api = given()
    let looks = 0
    const status = api.view.status.bind(api.view)
    api.view.status = () => {
      looks += 1
      return looks === 1 ? status() : { ...status(), folded: { number: 1_100, time: NOW_S - 6 } }
    }
    expect(await api.paid(PAID[0] ?? '')).toMatchObject({ status: 503, body: refused('feed_stale') })
    expect(charges(api)).toEqual(['let go'])
  })
})

describe('rule 2: an invalid mint list or cursor', () => {
  const bad = ['abc', `${MINT},`, `,${MINT}`, `${MINT},,${OTHER}`, `${MINT}, ${OTHER}`, `${MINT},${MINT}`, `0${MINT.slice(1)}`]
  test.each(bad)('400 on the paid list, unpaid, 422 on the free ones: %s', async (mints) => {
    const api = given()
    const query = `mints=${encodeURIComponent(mints)}`
    for (const request of [api.get(`/v1/check/watchlist?${query}`), api.paid(`/v1/check/watchlist?${query}`)])
      expect(await request).toMatchObject({ status: 400, body: refused('invalid_mints') })
    for (const path of ['/v1/check/watch', '/v1/check/coverage']) {
      const { status, body } = await api.get(`${path}?${query}`)
      expect(status).toBe(422)
      expect(body.detail).toMatchObject([{ loc: ['query', 'mints'], type: expect.stringMatching(/_address$/), input: mints }])
    }
    expect(charges(api)).toEqual([])
    expect(api.view.reads).toBe(0)
  })
  test('400 for a path mint that is no address', async () => {
    const api = given()
    for (const mint of ['abc', `${MINT}111`, 'z'.repeat(44), '%00'])
      for (const request of [api.get(`/v1/check/mint/${mint}`), api.paid(`/v1/check/mint/${mint}`)])
        expect(await request).toMatchObject({ status: 400, body: refused('invalid_mint') })
    expect(charges(api)).toEqual([])
  })
  test('400 for a cursor that is forged or of another set on the paid routes, 422 on the free watch; nothing is read or charged', async () => {
    const api = given()
    const { cursor: ofTwo } = await watched(api, `${MINT},${OTHER}`)
    for (const cursor of ['', 'forged', ofTwo.slice(0, -2), ofTwo]) {
      for (const path of [...PAID, `/v1/check/watchlist?mints=${MINT},${OTHER},${THIRD}`])
        for (const request of [api.get(`${path}&cursor=${cursor}`), api.paid(`${path}&cursor=${cursor}`)])
          expect(await request).toMatchObject({ status: 400, body: refused('invalid_cursor') })
      const { status, body } = await api.get(`/v1/check/watch?mints=${MINT}&cursor=${cursor}`)
      expect(status).toBe(422)
      expect(body.detail).toMatchObject([{ type: 'foreign_cursor', loc: ['query', 'cursor'], input: cursor }])
    }
    expect(new Set(charges(api))).toEqual(new Set(['let go']))
  })
  test('422 for form on all four: missing, too long, too many, repeated', async () => {
    const api = given()
    const six = Array.from({ length: 6 }, (_, n) => `${'1'.repeat(31)}${n + 1}`)
    const cases: [query: string, type: string][] = [
      ['', 'missing'],
      ['mints=', 'too_short'],
      [`mints=${'1'.repeat(225)}`, 'string_too_long'],
      [`mints=${six.join(',')}`, 'too_long'],
      [`mints=${MINT}&mints=${OTHER}`, 'multiple_values'],
    ]
    for (const [query, type] of cases)
      for (const path of ['/v1/check/watchlist', '/v1/check/watch', '/v1/check/coverage']) {
        const { status, body } = await api.paid(`${path}?${query}`)
        expect([path, query, status]).toEqual([path, query, 422])
        expect(body.detail).toMatchObject([{ type, loc: ['query', 'mints'] }])
      }
    for (const path of ALL) {
      const { status, body } = await api.paid(`${path}&cursor=${'A'.repeat(1_025)}`)
      expect(status).toBe(422)
      expect(body.detail).toMatchObject([{ type: 'string_too_long', ctx: { max_length: 1_024 } }])
      expect(body.detail[0].input).toHaveLength(129)
    }
    expect(charges(api)).toEqual([])
  })
  test('form is checked before content', async () => {
    const { status, body } = await given().get(`/v1/check/watchlist?mints=abc&cursor=${'A'.repeat(1_025)}`)
    expect(status).toBe(422)
    expect(body.detail.map(({ loc }: { loc: string[] }) => loc[1])).toEqual(['mints', 'cursor'])
  })
  test('224 characters are allowed: five addresses of 44', async () => {
    const api = given()
    const five = [251, 252, 253, 254, 255].map((byte) => toBase58(key(byte)))
    expect(five.join(',')).toHaveLength(224)
    expect((await api.get(`/v1/check/coverage?mints=${five.join(',')}`)).status).toBe(200)
  })
})

describe('rule 3: nothing new is the unpaid answer', () => {
  test('something new requires payment', async () => {
    const api = given()
    const { cursor } = await watched(api, MINT)
    const path = `/v1/check/mint/${MINT}?cursor=${cursor}`
    expect(await api.get(path)).toMatchObject({ status: 200, body: { data: { status: 'no_new_events', charged: false } } })
    api.view.put(key(1), liveState({ flags: [SOLD] }))
    expect((await api.get(path)).status).toBe(402)
    expect((await api.paid(path)).body.data.status).toBe('flags_observed')
    expect(charges(api)).toEqual(['asked', 'settled'])
  })
})

describe('rule 4: a cursor that is too old', () => {
  test.each(ALL)('a cursor older than 24 h is a 410, unpaid: %s', async (path) => {
    const api = given()
    const { cursor } = await watched(api, MINT)
    const later = (s: number) => {
      api.time.nowMs = (NOW_S + s) * 1_000
      api.view.setStatus({ folded: { number: 2_000, time: NOW_S + s } })
      api.view.put(key(1), liveState({ curve: curveRow({ lastAt: NOW_S + s }) }))
    }
    later(86_400)
    expect((await api.get(`${path}&cursor=${cursor}`)).status).toBe(200)
    later(86_401)
    for (const request of [api.get(`${path}&cursor=${cursor}`), api.paid(`${path}&cursor=${cursor}`)])
      expect(await request).toMatchObject({ status: 410, body: refused('cursor_expired') })
    expect(charges(api)).not.toContain('settled')
  })
})

describe('rule 6: the free coverage route', () => {
  test('lists the coverage of each mint with its reason, the lag and the prices', async () => {
    const api = given({ priceFactor: 2 })
    api.time.nowMs += 1_500
    const { status, body } = await api.get(`/v1/check/coverage?mints=${THIN},${MINT}`)
    expect(status).toBe(200)
    expect(body.coverage).toBe('thin')
    expect(body.data).toEqual({
      items: [
        { mint: THIN, coverage: 'thin', reason: 'the slot of the launch is not known' },
        { mint: MINT, coverage: 'full', reason: expect.stringContaining('witnessed') },
      ],
      all_full: false,
      feed_lag_s: 1.5,
      prices: { single_usd: 0.01, watchlist_usd: 0.02 },
    })
    expect(body.meta).toMatchObject({ price_usd: 0, is_stale: false, max_feed_lag_s: 5 })
    expect((await api.get(`/v1/check/coverage?mints=${MINT}`)).body).toMatchObject({ coverage: 'full', data: { all_full: true } })
  })
  test('reports a stale feed instead of refusing, and 503 while stores restore', async () => {
    const api = given()
    api.time.nowMs += 6_000
    expect((await api.get(`/v1/check/coverage?mints=${MINT}`)).body).toMatchObject({ data: { feed_lag_s: 6 }, meta: { is_stale: true } })
    api.view.setStatus({ folded: null })
    const { data } = (await api.get(`/v1/check/coverage?mints=${MINT}`)).body
    expect(data).toMatchObject({ feed_lag_s: null, feed_lag_s_reason: expect.any(String) })
    api.view.setStatus({ ready: false })
    expect(await api.get(`/v1/check/coverage?mints=${MINT}`)).toMatchObject({ status: 503, body: refused('restoring') })
  })
})

describe('rule 7: one price', () => {
  test.each([1, 3])('the list costs the same for %i mints', async (n) => {
    const api = given()
    const { body } = await api.paid(`/v1/check/watchlist?mints=${[MINT, OTHER, THIRD].slice(0, n).join(',')}`)
    expect(body.data.count).toBe(n)
    expect(body.meta.price_usd).toBe(0.01)
  })
})

describe('402', () => {
  test.each(['/v1/check/mint', '/v1/check/mint/{mint}', '/v1/check/watchlist'])('bare probe of %s reads nothing', async (path) => {
    const api = given()
    expect((await api.get(path)).status).toBe(402)
    expect(charges(api)).toEqual(['quoted'])
    expect(api.view.reads).toBe(0)
  })
  test.each(PAID)('a valid request without payment: %s', async (path) => {
    const api = given()
    const { status, headers } = await api.get(path)
    expect(status).toBe(402)
    expect(headers['payment-required']).toBeDefined()
    expect(charges(api)).toEqual(['asked'])
  })
  test('the second network is offered for the compact checks alone', async () => {
    const api = given()
    for (const path of ['/v1/check/mint', '/v1/check/watchlist', '/v1/mint', '/v1/launches/recent']) await api.get(path)
    expect(api.gate.offers.map(({ secondNetwork }) => secondNetwork)).toEqual([true, true, undefined, undefined])
  })
})

test('with payments off, new and unchanged are both answered', async () => {
  const api = given({ mode: 'off' })
  const { cursor } = await checked(api, MINT)
  expect((await api.get(`/v1/check/mint/${MINT}?cursor=${cursor}`)).body.data.status).toBe('no_new_events')
  expect((await api.get(`/v1/check/mint/${MINT}`)).body.data.status).toBe('no_flags_observed')
})
