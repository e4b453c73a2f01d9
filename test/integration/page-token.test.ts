// `/token/{mint}`: the free card of one launch, once the launch has not changed for 5 minutes.
import type { SeriesPoint } from '../../topology/ports/history.ts'
import { SetHistory } from '../fakes/set-history.ts'
import { pointsOf, settlementOf } from '../fixtures/record-market.ts'
import { base58, CREATOR, curveRow, flagRow, key, launchRow, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
import { harness } from './api-harness.ts'

const PATH = `/token/${base58(1)}`
const given = (change: Parameters<typeof liveState>[0] = {}, history = new SetHistory()) => {
  const api = harness({ history, sandbox: true, around: { buyCommand: (path) => `npx mintfold buy ${path}` } })
  const flags = [flagRow('creator_sold', { firstSeenAt: NOW_S - 360 })]
  api.view.put(
    key(1),
    liveState({
      ...{ flags, flows: [], curve: curveRow({ lastAt: NOW_S - 310, lastTradeAt: NOW_S - 310, lastBuyAt: NOW_S - 310 }) },
      launch: launchRow({ at: NOW_S - 400, name: '<script>alert(1)</script>', symbol: '"><img src=x>' }),
      ...change,
    }),
  )
  return api
}

test('a launch unchanged for 5 minutes is shown with its reasons, its figures and the answer as an agent gets it', async () => {
  const api = given()
  const { status, headers, text } = await api.get(PATH)
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'text/html; charset=utf-8', 'no-store'])
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
  for (const part of [
    base58(1),
    'creator_sold was observed 40 s after launch',
    'as of 5 min ago, unchanged since',
    'launched 100 s ago',
    '1 min',
    '12.00 at its peak',
    `npx mintfold buy /v1/mint/${base58(1)}`,
  ])
    expect(text).toContain(part)
  const json = /<pre class="answer"[^>]*><code>(.*?)<\/code>/s.exec(text)?.[1] ?? ''
  const card = JSON.parse(
    json.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
  )
  const sold = (await api.paid(`/v1/mint/${base58(1)}`)).body
  expect(Object.keys(card.data).sort()).toEqual(Object.keys(sold.data).sort())
  expect(card).toMatchObject({
    ok: true,
    data: { mint: base58(1), rug_flags: [{ flag: 'creator_sold' }] },
    meta: { delayed_s: 300, price_usd: 0 },
  })
})

test('hostile names stay text', async () => {
  const { text } = await given().get(PATH)
  expect(text).toContain('<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>')
  expect(text.match(/<script/g)).toHaveLength(2)
  expect(text).not.toMatch(/<img|\son\w+=|style=/)
  const facts = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '')
  expect(facts).toMatchObject({ '@type': 'Dataset', name: '<script>alert(1)</script>: record of a token launch' })
})

test.each([
  ['a trade', { curve: curveRow({ lastAt: NOW_S - 299 }) }],
  ['a flag', { flags: [flagRow('bundle_dumped', { firstSeenAt: NOW_S - 299 })] }],
])('a launch with %s in the last 5 minutes shows older state only', async (_what, change) => {
  const { status, text } = await given({ launch: launchRow({ at: NOW_S - 400, name: 'Older' }), ...change }).get(PATH)
  expect([status, text.includes('Older'), text.includes('are in the paid card')]).toEqual([200, true, true])
  expect(text).toContain(`/v1/mint/${base58(1)}`)
  expect(text).not.toMatch(/at its peak|bundle.dumped|class="answer"|Holders by class/)
})
test('a launch younger than 5 minutes shows only where it is sold', async () => {
  const { status, text } = await given({ flags: [], launch: launchRow({ at: NOW_S - 299, name: 'Secret' }) }).get(PATH)
  expect([status, text.includes('its card can be bought now'), text.includes('Secret')]).toEqual([200, true, false])
})

test.each([
  [`/token/${base58(9)}`, 'No launch of this address is known here'],
  ['/token/0OIl', 'This is not a token address'],
  ['/token/', 'This is not a token address'],
  ['/token/%3Cscript%3E', 'This is not a token address'],
])('%s is a page too, as a 404 with the cause', async (path, message) => {
  const { status, headers, text } = await given().get(path)
  expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  expect(text).toContain(message)
})

test('while stores restore is a 503 that reloads', async () => {
  const api = given()
  api.view.setStatus({ ready: false })
  const { status, text } = await api.get(PATH)
  expect([status, text.includes('http-equiv="refresh"')]).toEqual([503, true])
})

test('HEAD has no body, POST is a 405, and the request log names the route template', async () => {
  const api = given()
  const head = await api.head(PATH)
  expect([head.status, head.text ?? '']).toEqual([200, ''])
  const { status, headers } = await api.post(PATH)
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  await api.get(PATH)
  expect(api.requests.at(-1)).toMatchObject({ route: '/token/{mint}', status: 200 })
})

describe('drawings', () => {
  const drawn = async (points: readonly SeriesPoint[], change: Parameters<typeof liveState>[0] = {}): Promise<string> => {
    const history = new SetHistory()
    history.points.set(key(1), points)
    return (await given(change, history).get(PATH)).text
  }
  test('show reserves with flags, price, flow and holders, each with its text and as a table', async () => {
    const text = await drawn(pointsOf(NOW_S - 400, 90))
    const titles = [...text.matchAll(/<title id="[^"]*">([^<]*)</g)].map(([, title]) => title)
    expect(new Set(titles)).toEqual(new Set(['SOL held over time', 'Price', 'Buys and sells', 'Holders by class']))
    expect(text).toContain('Flags: 1, creator sold, 40 s after launch.')
    expect(text).toContain('<caption>In steps of 4 s; steps without a trade are left out</caption>')
    expect(text).toMatch(/href="\/v1\/evidence\/solana%3A[^"]*">evidence/)
    expect(text).not.toMatch(/style=|NaN|undefined|Infinity/)
  })
  test('show nothing younger than 5 minutes, also while the launch changes', async () => {
    const points = pointsOf(NOW_S - 400, 400)
    const text = await drawn(points, { curve: curveRow({ lastAt: NOW_S - 2 }), flags: [] })
    const shown = points.filter(({ at }) => at <= NOW_S - 300).reduce((sum, { buys }) => sum + buys, 0)
    expect(text).toContain(`${shown} buys and`)
  })
  test('state that the history has no trade of the launch', async () => {
    expect((await given({}).get(PATH)).text).toContain('The history has no trade of this launch')
  })
  test('that the history did not give are stated as not known, and asked for again by the next request', async () => {
    const history = new SetHistory()
    const api = given({}, history)
    history.awayReason = 'the history store is busy'
    expect((await api.get(PATH)).text).toContain('Not known: the history store is busy.')
    history.awayReason = null
    expect((await api.get(PATH)).text).toContain('The history has no trade of this launch')
  })
  test('show huge amounts, and one trade alone', async () => {
    const [point] = pointsOf(NOW_S - 400, 90) as [SeriesPoint]
    const huge = { ...point, reserveUnits: 2n ** 200n, boughtUnits: 2n ** 255n, price: { quoteUnits: 2n ** 200n, tokenUnits: 1 } }
    for (const points of [[point], [huge], [{ ...point, reserveUnits: null, price: { quoteUnits: 0, tokenUnits: 0 } }]])
      expect(await drawn(points)).not.toMatch(/NaN|undefined|Infinity/)
  })
})

test('a launch that the view has forgotten is shown from the history, from 5 minutes after it settled', async () => {
  const history = new SetHistory()
  const settlement = settlementOf(key(4), NOW_S - 9_000, NOW_S - 300)
  history.launches.set(key(4), { settlement, flags: [], launch: { name: 'Gone', symbol: 'GONE', user: CREATOR } })
  history.launches.set(key(5), { settlement: { ...settlement, settledAt: NOW_S - 299 }, flags: [], launch: null })
  const api = given({}, history)
  const { status, text } = await api.get(`/token/${base58(4)}`)
  expect([status, text.includes('Gone'), text.includes('Outcome:')]).toEqual([200, true, true])
  expect((await api.get(`/token/${base58(5)}`)).status).toBe(404)
})

test('a launch that only the history could know is not called unknown while the history does not answer', async () => {
  const history = new SetHistory()
  const api = given({}, history)
  history.awayReason = 'the history store is busy'
  const { status, text } = await api.get(`/token/${base58(4)}`)
  expect([status, text.includes('Not known: the history store is busy')]).toEqual([503, true])
  expect((await api.get(`/token/${base58(4)}/picture.png`)).status).toBe(503)
  history.awayReason = null
  expect((await api.get(`/token/${base58(4)}`)).status).toBe(404)
})

test('the history is read once in 15 s for all requests', async () => {
  const history = new SetHistory()
  const api = given({}, history)
  for (let n = 0; n < 3; n += 1) await api.get(PATH)
  expect(history.asked).toEqual(['series'])
  api.time.nowMs += 15_000
  await api.get(PATH)
  expect(history.asked).toEqual(['series', 'series'])
})
