// The access log: one line per request, and what a line never contains.
import { request } from 'node:http'
import { serve } from '../../query-api/http/server.ts'
import { base58, key, liveState } from '../unit/query-api/given-mint.ts'
import { harness } from './api-harness.ts'

const MINT = `/v1/mint/${base58(1)}`
const given = () => {
  const api = harness()
  api.view.put(key(1), liveState({}))
  return api
}

test('logs one line per request with its id, template, status, time, bytes and caller', async () => {
  const api = given()
  const { text } = await api.get(MINT).set('X-Request-Id', 'mine-12345')
  expect(api.requests).toEqual([
    {
      requestId: 'mine-12345',
      method: 'GET',
      route: '/v1/mint/{mint}',
      status: 402,
      ms: expect.any(Number),
      caller: '127.0.0.1',
      bytes: expect.any(Number),
    },
  ])
  const [{ ms, bytes }] = api.requests as [{ ms: number; bytes: number }]
  expect(ms).toBeGreaterThan(0)
  expect(bytes).toBeGreaterThan(text.length)
})

test('logs no payment, no query value and no unknown path', async () => {
  const api = given()
  await api.get(`${MINT}?token=s3cret-1&url=https://hooks.example/s3cret-2&chat_id=s3cret-3`).set('payment-signature', 's3cret-4')
  await api.get('/v1/alerts/s3cret-5/../s3cret-6')
  await api.get('/health').set('Authorization', 's3cret-7').set('Cookie', 's3cret-8').set('User-Agent', 's3cret-9')
  expect(api.requests).toHaveLength(3)
  expect(JSON.stringify(api.requests)).not.toMatch(/s3cret|base58/)
  expect(api.requests).toMatchObject([{ route: '/v1/mint/{mint}' }, { route: 'unmatched', status: 404 }, { route: '/health' }])
})

test('logs a caller that disconnects before its response as cut', async () => {
  const api = given()
  api.gate.sell = () => new Promise(() => {})
  const serving = await serve(api.app, { host: '127.0.0.1', port: 0 })
  const gone = request(serving.url + MINT)
  gone.on('error', () => undefined)
  gone.end()
  await new Promise((resolve) => setTimeout(resolve, 200))
  gone.destroy()
  for (let waitedMs = 0; api.requests.length === 0 && waitedMs < 5_000; waitedMs += 20)
    await new Promise((resolve) => setTimeout(resolve, 20))
  expect(api.requests).toMatchObject([{ route: '/v1/mint/{mint}', cut: true }])
  await serving.close(100)
})
