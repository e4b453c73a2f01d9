// `/v1/launches/recent`: every parameter with its bounds, defaults and effect, and the body of a 422.
import { base58, curveRow, flagRow, key, launchRow, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
import { harness } from './api-harness.ts'

const PATH = '/v1/launches/recent'
const mintsOf = (body: { data: { items: { mint: string }[] } }): string[] => body.data.items.map(({ mint }) => mint)

/** Mint `byte` launched `ageS` seconds ago. */
const launched = (byte: number, ageS: number, changes: Parameters<typeof liveState>[0] = {}) =>
  [key(byte), liveState({ ...changes, launch: launchRow({ at: NOW_S - ageS, number: 2_000 - ageS, ...changes.launch }) })] as const

const given = (...mints: ReturnType<typeof launched>[]) => {
  const api = harness()
  for (const [mint, state] of mints) api.view.put(mint, state)
  return api
}

describe('items', () => {
  test('are newest first, whatever the order of arrival', async () => {
    const { body } = await given(launched(1, 300), launched(2, 100), launched(3, 200)).paid(PATH)
    expect(mintsOf(body)).toEqual([base58(2), base58(3), base58(1)])
    expect(body.data.count).toBe(3)
    expect(body.coverage).toBe('full')
    expect(body.meta.price_usd).toBe(0.01)
  })
  test('have the fields of the contract', async () => {
    const { body } = await given(launched(1, 100, { flags: [flagRow('creator_sold')] })).paid(PATH)
    expect(body.data.items[0]).toMatchObject({
      mint: base58(1),
      age_s: 100,
      curve: { rs_sol: 10, progress: expect.any(Number) },
      holders: { bundle_share: expect.any(Number), top5_share: expect.any(Number) },
      demand: { unique_buyers: 12 },
      rug_flags: [{ flag: 'creator_sold', first_seen_at: NOW_S - 20, finality: 'finalized' }],
    })
    expect(body.data.items[0]).toHaveProperty('creator_prior_at_launch')
  })
  test('are an empty list if there is no launch', async () => {
    const { body } = await given().paid(PATH)
    expect(body.data).toEqual({ count: 0, items: [] })
  })
  test('a known gap makes the list thin, with the range', async () => {
    const api = given(launched(1, 100))
    api.view.setStatus({ gap: { from: 10, to: 20, until: NOW_S - 100 } })
    const { body } = await api.paid(PATH)
    expect(body.coverage).toBe('thin')
    expect(body.data.coverage_reason).toContain('slots 10 to 20')
    expect(body.data.coverage_range).toEqual({ from_slot: 10, to_slot: 20 })
  })
  test('a gap that ended before the window leaves the list full', async () => {
    const api = given(launched(1, 100))
    api.view.setStatus({ gap: { from: 10, to: 20, until: NOW_S - 3_601 } })
    const { body } = await api.paid(PATH)
    expect(body.coverage).toBe('full')
    expect(body.data).not.toHaveProperty('coverage_reason')
  })
  test('capture that began within the window makes the list thin, and gives its start', async () => {
    const api = given(launched(1, 100))
    api.view.setStatus({ observedSince: NOW_S - 100 })
    const { body } = await api.paid(PATH)
    expect(body.coverage).toBe('thin')
    expect(body.data).toMatchObject({ coverage_reason: 'capture began within the requested window', observed_since: NOW_S - 100 })
  })
})

describe('limit', () => {
  const many = () => given(...Array.from({ length: 120 }, (_, index) => launched(index + 1, 100 + index)))
  test.each([
    ['', 50],
    ['?limit=1', 1],
    ['?limit=100', 100],
  ])('%s gives %d', async (query, count) => {
    const { body } = await many().paid(PATH + query)
    expect(body.data.items).toHaveLength(count)
    expect(mintsOf(body)[0]).toBe(base58(1))
  })
})

describe('max_age_s', () => {
  const ages = () => given(launched(1, 30), launched(2, 31), launched(3, 3_600), launched(4, 3_601), launched(5, 21_600))
  test.each([
    ['', [1, 2, 3]],
    ['?max_age_s=30', [1]],
    ['?max_age_s=30.5', [1]],
    ['?max_age_s=21600', [1, 2, 3, 4, 5]],
  ])('%s gives %j', async (query, bytes) => {
    expect(mintsOf((await ages().paid(PATH + query)).body)).toEqual(bytes.map(base58))
  })
})

describe('filters', () => {
  test('mayhem is left out unless requested', async () => {
    const api = given(
      launched(1, 100),
      launched(2, 101, { launch: launchRow({ mayhem: true, at: NOW_S - 101 }), curve: curveRow({ mayhem: true }) }),
    )
    expect(mintsOf((await api.paid(PATH)).body)).toEqual([base58(1)])
    expect(mintsOf((await api.paid(`${PATH}?exclude_mayhem=false`)).body)).toEqual([base58(1), base58(2)])
  })
  test('min_rs keeps open curves with at least that much SOL, and leaves out unknown amounts', async () => {
    const api = given(
      launched(1, 100, { curve: curveRow({ realQuoteUnits: 5_000_000_000 }) }),
      launched(2, 101, { curve: curveRow({ realQuoteUnits: 4_999_999_999 }) }),
      launched(3, 102, { curve: curveRow({ realQuoteUnits: -1 }) }),
      launched(4, 103, {
        launch: launchRow({ at: NOW_S - 103, quoteMint: key(99) }),
        curve: curveRow({ quoteMint: key(99), realQuoteUnits: 9e12 }),
      }),
      launched(5, 104, { curve: curveRow({ realQuoteUnits: 85e9, completeAt: NOW_S - 9 }) }),
      launched(6, 105, { curve: curveRow({ realQuoteUnits: 85e9, completeAt: NOW_S - 9, migratedAt: NOW_S - 8, pool: key(77) }) }),
    )
    expect(mintsOf((await api.paid(`${PATH}?min_rs=5`)).body)).toEqual([base58(1)])
    expect(mintsOf((await api.paid(`${PATH}?min_rs=0`)).body)).toHaveLength(6)
  })
  test('only_alive keeps open curves that traded in the last 300 s and are not drained', async () => {
    const api = given(
      launched(1, 400, { curve: curveRow({ lastTradeAt: NOW_S - 299 }) }),
      launched(2, 401, { curve: curveRow({ lastTradeAt: NOW_S - 301 }) }),
      launched(3, 402, { curve: curveRow({ lastTradeAt: 0 }) }),
      launched(4, 403, { curve: curveRow({ completeAt: NOW_S - 9 }) }),
      launched(5, 404, { curve: curveRow({ migratedAt: NOW_S - 9 }) }),
      launched(6, 405, { flags: [flagRow('curve_drained')] }),
      launched(7, 406, { flags: [flagRow('creator_sold')] }),
    )
    expect(mintsOf((await api.paid(`${PATH}?only_alive=true`)).body)).toEqual([base58(1), base58(7)])
    expect(mintsOf((await api.paid(PATH)).body)).toHaveLength(7)
  })
})

describe('422', () => {
  const one = async (query: string) => {
    const { status, body } = await given().paid(PATH + query)
    expect(status).toBe(422)
    return body
  }
  test.each([
    ['limit=0', 'greater_than_equal', 'Input should be greater than or equal to 1', '0', { ge: 1 }],
    ['limit=101', 'less_than_equal', 'Input should be less than or equal to 100', '101', { le: 100 }],
    ['max_age_s=29.9', 'greater_than_equal', 'Input should be greater than or equal to 30', '29.9', { ge: 30 }],
    ['max_age_s=21601', 'less_than_equal', 'Input should be less than or equal to 21600', '21601', { le: 21600 }],
    ['min_rs=-1', 'greater_than_equal', 'Input should be greater than or equal to 0', '-1', { ge: 0 }],
  ])('%s', async (query, type, msg, input, ctx) => {
    expect(await one(`?${query}`)).toEqual({ detail: [{ type, loc: ['query', query.split('=')[0]], msg, input, ctx }], charged: false })
  })
  test.each([
    ['limit=abc', 'int_parsing', 'Input should be a valid integer, unable to parse string as an integer', 'abc'],
    ['limit=', 'int_parsing', 'Input should be a valid integer, unable to parse string as an integer', ''],
    ['max_age_s=nan', 'float_parsing', 'Input should be a valid number, unable to parse string as a number', 'nan'],
    ['exclude_mayhem=perhaps', 'bool_parsing', 'Input should be a valid boolean, unable to interpret input', 'perhaps'],
    ['only_alive=2', 'bool_parsing', 'Input should be a valid boolean, unable to interpret input', '2'],
  ])('%s', async (query, type, msg, input) => {
    expect(await one(`?${query}`)).toEqual({ detail: [{ type, loc: ['query', query.split('=')[0]], msg, input }], charged: false })
  })
  test('names every wrong parameter', async () => {
    const { detail } = await one('?limit=0&max_age_s=x&min_rs=-1')
    expect(detail.map(({ loc }: { loc: string[] }) => loc[1])).toEqual(['limit', 'max_age_s', 'min_rs'])
  })
  test('a repeated parameter is refused, even with one value', async () => {
    expect(await one('?limit=5&limit=5')).toEqual({
      detail: [{ type: 'multiple_values', loc: ['query', 'limit'], msg: 'Parameter should be given once', input: ['5', '5'] }],
      charged: false,
    })
  })
  test('an echoed input is truncated', async () => {
    const { detail } = await one(`?limit=${'z'.repeat(3_000)}`)
    expect(detail[0].input).toHaveLength(129)
    const many = await one(`?${Array.from({ length: 500 }, () => 'limit=1').join('&')}`)
    expect(many.detail[0].input).toHaveLength(10)
  })
})
