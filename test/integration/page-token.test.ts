// `/token/{mint}`: the sample card of one launch, once nothing of it has changed for 5 minutes.
import { SetHistory } from '../fakes/set-history.ts'
import { base58, curveRow, flagRow, key, launchRow, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
import { harness } from './api-harness.ts'

const PATH = `/token/${base58(1)}`
const given = (change: Parameters<typeof liveState>[0] = {}) => {
  const api = harness({ history: new SetHistory(), sandbox: true, around: { buyCommand: (path) => `npx mintfold buy ${path}` } })
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

test('a launch that has rested is shown with its reasons, its figures and the answer as an agent gets it', async () => {
  const api = given()
  const { status, headers, text } = await api.get(PATH)
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'text/html; charset=utf-8', 'no-store'])
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
  for (const part of [
    base58(1),
    'creator_sold was observed 40 s after launch',
    '10.00 SOL of 12.00',
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
  expect(text.match(/<script/g)).toHaveLength(1)
  expect(text).not.toMatch(/<img|\son\w+=|style=/)
})

test.each([
  ['a trade', { curve: curveRow({ lastAt: NOW_S - 299 }) }],
  ['a flag', { flags: [flagRow('creator_sold', { firstSeenAt: NOW_S - 299 })] }],
  ['its launch', { flags: [], launch: launchRow({ at: NOW_S - 299, name: 'Secret' }) }],
])('of one with %s in the last 5 minutes nothing is shown but where it is sold', async (_what, change) => {
  const { status, text } = await given({ launch: launchRow({ at: NOW_S - 400, name: 'Secret' }), ...change }).get(PATH)
  expect(status).toBe(200)
  expect(text).toContain('its card is what is sold')
  expect(text).toContain(`/v1/mint/${base58(1)}`)
  expect(text).not.toMatch(/Secret|SOL of|creator.sold|class="answer"/)
})

test.each([
  [`/token/${base58(9)}`, 'No launch of this address is known here'],
  ['/token/0OIl', 'This is no token address'],
  ['/token/', 'This is no token address'],
  ['/token/%3Cscript%3E', 'This is no token address'],
])('%s is a page too, as a 404 that says what is wrong', async (path, words) => {
  const { status, headers, text } = await given().get(path)
  expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  expect(text).toContain(words)
})

test('while stores restore it is a 503 that comes again', async () => {
  const api = given()
  api.view.say({ ready: false })
  const { status, text } = await api.get(PATH)
  expect([status, text.includes('http-equiv="refresh"')]).toEqual([503, true])
})

test('HEAD has no body, POST is a 405, and the log names the template', async () => {
  const api = given()
  const head = await api.head(PATH)
  expect([head.status, head.text ?? '']).toEqual([200, ''])
  const { status, headers } = await api.post(PATH)
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  await api.get(PATH)
  expect(api.requests.at(-1)).toMatchObject({ route: '/token/{mint}', status: 200 })
})
