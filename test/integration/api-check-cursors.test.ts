// What moves a watch cursor, and what is charged when nothing moved.
import { curveRow, flagRow, key, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
import { charges, checked, given, MINT, migratedState, OTHER, SOLD, step, watched } from './check-given.ts'

describe('a cursor', () => {
  test.each(['creator_sold', 'bundle_dumped', 'curve_drained', 'pool_drained', 'curve_closed_low', 'migrate_below_grad'])(
    'moves on %s, once',
    async (flag) => {
      const api = given()
      const { cursor } = await checked(api, `${MINT},${OTHER}`)
      api.view.put(key(2), liveState({ flags: [flagRow(flag)] }))
      expect((await watched(api, `${MINT},${OTHER}`, cursor)).has_new_events).toBe(true)
      const next = await checked(api, `${OTHER},${MINT}`, cursor)
      expect((await checked(api, `${MINT},${OTHER}`, next.cursor)).status).toBe('no_new_events')
    },
  )
  test('moves on each step of the lifecycle', async () => {
    const api = given()
    let { cursor } = await checked(api, MINT)
    const steps = [step('curve_complete', 1_044), step('migrated_graduated')]
    for (const n of [1, 2]) {
      api.view.put(key(1), migratedState({ steps: steps.slice(0, n) }))
      expect((await watched(api, MINT, cursor)).has_new_events).toBe(true)
      const after = await checked(api, MINT, cursor)
      expect(after.items[0].lifecycle).toBe(steps[n - 1]?.step)
      cursor = after.cursor
    }
    expect((await checked(api, MINT, cursor)).status).toBe('no_new_events')
  })
  test('does not move on trades, ages, totals and creator changes', async () => {
    const api = given()
    const { cursor } = await checked(api, MINT)
    const change = { n: 0, creator: key(3), kind: 'set_creator', number: 1_010, tx: 0, outer: 0, inner: 0, at: NOW_S }
    api.view.put(
      key(1),
      liveState({ curve: curveRow({ trades: 900, realQuoteUnits: 1, lastNumber: 1_090 }), holders: [], changes: [change] }),
    )
    api.time.nowMs += 4_000
    expect((await watched(api, MINT, cursor)).has_new_events).toBe(false)
  })
  test('of the free watch starts at the present state, and the free watch gives no event details', async () => {
    const api = given()
    api.view.put(key(1), liveState({ flags: [SOLD] }))
    const first = await watched(api, `${OTHER},${MINT}`)
    expect(first).toEqual({ has_new_events: false, cursor: expect.any(String), mints: [OTHER, MINT], next_check_after_s: 15 })
    api.view.put(key(1), liveState({ flags: [SOLD, flagRow('curve_drained', { findingId: 'x' })] }))
    const second = await watched(api, `${MINT},${OTHER}`, first.cursor)
    expect(second).toEqual({ has_new_events: true, cursor: expect.any(String), mints: [MINT, OTHER], next_check_after_s: 15 })
    const third = await watched(api, `${MINT},${OTHER}`, second.cursor)
    expect(third.has_new_events).toBe(true)
    const paid = await checked(api, `${MINT},${OTHER}`, third.cursor)
    expect(paid.items[0].findings).toHaveLength(2)
    expect((await watched(api, `${MINT},${OTHER}`, paid.cursor)).has_new_events).toBe(false)
    expect(charges(api)).toEqual(['settled'])
  })
  test('of the free watch is returned unchanged while it is young, and renewed after an hour, so it never expires for an active client', async () => {
    const api = given()
    const { cursor } = await watched(api, MINT)
    const later = async (seconds: number): Promise<string> => {
      api.time.nowMs = (NOW_S + seconds) * 1_000
      api.view.setStatus({ folded: { number: 2_000, time: NOW_S + seconds } })
      return (await watched(api, MINT, cursor)).cursor
    }
    expect(await later(3_599)).toBe(cursor)
    expect(await later(3_600)).not.toBe(cursor)
  })
  test('survives a restart and a key rotation', async () => {
    const [old, young] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
    const { cursor } = await checked(given({ cursorKeys: [old] }), MINT)
    expect((await watched(given({ cursorKeys: [old] }), MINT, cursor)).has_new_events).toBe(false)
    expect((await watched(given({ cursorKeys: [young, old] }), MINT, cursor)).has_new_events).toBe(false)
    expect((await given({ cursorKeys: [young] }).get(`/v1/check/watch?mints=${MINT}&cursor=${cursor}`)).status).toBe(422)
  })
})

describe('new items for the holder of a cursor', () => {
  const newsIn = ({ items }: { items: readonly { new_events: string[]; findings: readonly { code: string; is_new: boolean }[] }[] }) =>
    items.map(({ new_events, findings }) => [new_events, findings.map(({ code, is_new }) => [code, is_new])])

  test('mark the mint and the finding, by each cursor independently, whatever the order of the mints', async () => {
    const api = given()
    api.view.put(key(1), liveState({ flags: [SOLD] }))
    const first = await checked(api, `${MINT},${OTHER}`)
    expect(newsIn(first)).toEqual([
      [['creator_sold'], [['creator_sold', true]]],
      [[], []],
    ])
    const later = flagRow('curve_drained', { findingId: 'x', firstSeenAt: NOW_S - 9 })
    api.view.put(key(1), liveState({ flags: [SOLD, later] }))
    expect(newsIn(await checked(api, `${OTHER},${MINT}`, first.cursor))).toEqual([
      [[], []],
      [
        ['curve_drained'],
        [
          ['creator_sold', false],
          ['curve_drained', true],
        ],
      ],
    ])
  })
  test('mark a lifecycle step too, once where several were taken', async () => {
    const api = given()
    const { cursor } = await checked(api, MINT)
    api.view.put(key(1), migratedState({ flags: [SOLD] }))
    expect(newsIn(await checked(api, MINT, cursor))).toEqual([[['creator_sold', 'lifecycle_transition'], [['creator_sold', true]]]])
  })
})

describe('nothing new', () => {
  test('is the unpaid answer, with and without a payment; the payment stays untouched', async () => {
    const api = given()
    const { cursor } = await checked(api, MINT)
    charges(api)
    const path = `/v1/check/mint/${MINT}?cursor=${cursor}`
    for (const request of [api.get(path), api.paid(path)]) {
      const { status, body } = await request
      expect(status).toBe(200)
      expect(body).toMatchObject({ ok: true, schema_version: '2.0', coverage: 'full' })
      expect(body.data).toEqual({
        status: 'no_new_events',
        changed: false,
        count: 0,
        items: [],
        cursor: expect.any(String),
        charged: false,
        next_check_after_s: 15,
      })
      expect(body.meta.price_usd).toBe(0)
    }
    expect(charges(api)).toEqual(['let go'])
  })
  test('returns a cursor that is valid for another day', async () => {
    const api = given()
    const { cursor } = await checked(api, MINT)
    api.time.nowMs += 80_000_000
    api.view.setStatus({ folded: { number: 2_000, time: NOW_S + 80_000 } })
    api.view.put(key(1), liveState({ curve: curveRow({ lastAt: NOW_S + 79_999 }) }))
    const renewed = await checked(api, MINT, cursor)
    expect(renewed.status).toBe('no_new_events')
    api.time.nowMs += 80_000_000
    api.view.setStatus({ folded: { number: 3_000, time: NOW_S + 160_000 } })
    api.view.put(key(1), liveState({ curve: curveRow({ lastAt: NOW_S + 159_999 }) }))
    expect((await checked(api, MINT, renewed.cursor)).status).toBe('no_new_events')
    expect((await api.get(`/v1/check/mint/${MINT}?cursor=${cursor}`)).status).toBe(410)
  })
  test('is also reported when it becomes so between the two checks before a sale', async () => {
    const api = given()
    const { cursor } = await checked(api, MINT)
    charges(api)
    api.view.put(key(1), liveState({ flags: [SOLD] }))
    const get = api.view.get.bind(api.view)
    let looks = 0
    api.view.get = (mint) => {
      looks += 1
      if (looks === 3) api.view.put(key(1), liveState())
      return get(mint)
    }
    const { status, body } = await api.paid(`/v1/check/mint/${MINT}?cursor=${cursor}`)
    expect(status).toBe(503)
    expect(body).toMatchObject({ ok: false, error: 'news_taken_back', charged: false })
    expect(charges(api)).toEqual(['let go'])
  })
})
