// `/radar`: the ranked preview for people, of the same rows as `/v1/radar`.
import { base58, flagRow, key, launchRow, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
import { harness } from './api-harness.ts'

const HOSTILE = { name: '<script>alert(1)</script>', symbol: '"><img src=x>' }
const given = () => {
  const api = harness()
  api.view.put(key(1), liveState({ launch: launchRow({ at: NOW_S - 10, number: 1_090, ...HOSTILE }), flags: [flagRow('creator_sold')] }))
  api.view.put(key(2), liveState({ launch: launchRow({ at: NOW_S - 600, number: 500, name: '' }) }))
  return api
}

test('shows both sides with their odds, or why there are none', async () => {
  const api = given()
  api.odds.set(key(1), 'rug_within_300s', 0.625)
  api.odds.stand('true_graduation', { isShown: false, reason: 'withdrawn: ECE is over 0.05' })
  const { status, headers, text } = await api.get('/radar')
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'text/html; charset=utf-8', 'no-store'])
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
  for (const part of ['63 %', 'withdrawn: ECE is over 0.05', `/token/${base58(1)}`, 'creator sold', 'no name', '10 min', '/v1/radar'])
    expect(text).toContain(part)
})
test('names that look like markup stay text', async () => {
  const { text } = await given().get('/radar')
  expect(text).not.toContain('<script>alert')
  expect(text).not.toContain('<img')
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
})
test('shares its rows with the answer, which are computed at most every 5 s', async () => {
  const api = given()
  const first = await api.get('/radar')
  const { reads } = api.view
  api.time.nowMs += 4_999
  expect((await api.get('/radar')).text).toBe(first.text)
  await api.get('/v1/radar')
  expect(api.view.reads).toBe(reads)
})
test('states that an empty market has no rows', async () => {
  const { text } = await harness().get('/radar')
  expect(text).toContain('No launch is that young at the moment.')
})
test('while stores restore states the current step, and reloads', async () => {
  const api = given()
  api.view.setStatus({ ready: false })
  const { status, text } = await api.get('/radar')
  expect([status, text.includes('http-equiv="refresh"')]).toEqual([503, true])
})
test('answers GET and HEAD alone, and the page of the market links to it', async () => {
  const api = given()
  expect((await api.head('/radar')).status).toBe(200)
  expect((await api.post('/radar')).status).toBe(405)
  expect((await api.get('/').set('Accept', 'text/html')).text).toContain('href="/radar"')
})
