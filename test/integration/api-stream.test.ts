// `/v1/stream/flags`: content, order, start position, and end.
import fc from 'fast-check'
import { solana } from '../../processors/chains/solana/chain.ts'
import { EVENT_ID_PATTERN } from '../../query-api/answer-schemas/stream.ts'
import { STREAMS_PER_CALLER_MAX } from '../../query-api/stream/mount.ts'
import { formatPosition, parsePosition, tickOf } from '../../schemas/position.ts'
import type { FlagRecord } from '../../topology/ports/chain-view.ts'
import { base58, flagRow, key, launchRow, liveState } from '../unit/query-api/given-mint.ts'
import { given, listen, PATH } from './stream-given.ts'

test('without a start position sends each flag once it is 300 s old, with its position as id', async () => {
  const api = await given()
  api.flagged(1, 400)
  api.flagged(2, 298)
  api.flagged(3, 100)
  const client = await listen(api.serving)
  expect(client.response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
  expect(client.response.headers['cache-control']).toMatch(/no-store/)
  await client.until(() => client.read.text.includes('retry: '))
  api.passed(5)
  await client.until(() => client.events().length > 0)
  const [first, ...rest] = client.events()
  expect(rest).toEqual([])
  expect(first).toMatchObject({
    id: api.idOf(2),
    event: 'flag',
    data: { mint: base58(2), flag: 'curve_drained', name: 'Coin 2', delayed_s: 300, finding_id: 'finding-2-curve_drained' },
  })
  client.stop()
  await api.serving.close(1_000)
})

test('after the last id sends all later flags in chain order; of two flags at one position the last has the id', async () => {
  const api = await given()
  for (const [byte, ageS] of [
    [1, 5_000],
    [2, 4_000],
    [3, 3_000],
    [4, 2_000],
  ] as const)
    api.flagged(byte, ageS, byte === 3 ? ['creator_sold', 'bundle_dumped'] : ['curve_drained'])
  const client = await listen(api.serving, api.idOf(1))
  await client.until(() => client.events().length >= 4)
  const events = client.events()
  expect(events.map(({ data }) => data.mint)).toEqual([2, 3, 3, 4].map(base58))
  expect(events.map(({ id }) => id)).toEqual([api.idOf(2), undefined, api.idOf(3), api.idOf(4)])
  client.stop()
  const again = await listen(api.serving, api.idOf(3))
  await again.until(() => again.events().length >= 1)
  expect(again.events().map(({ id }) => id)).toEqual([api.idOf(4)])
  again.stop()
  await api.serving.close(1_000)
})

test('a flag that fired at a tick has the position of the tick as id, and the stream continues after it', async () => {
  const api = await given()
  api.flagged(1, 1_000)
  const at = api.time.nowMs / 1_000 - 900
  const tick = tickOf('solana', 1_000_000 - 900)
  api.view.put(key(2), liveState({ launch: launchRow({ at: at - 60 }), flags: [flagRow('curve_drained', { ...tick, firstSeenAt: at })] }))
  api.flagged(3, 600)
  const client = await listen(api.serving, api.idOf(1))
  await client.until(() => client.events().length >= 2)
  expect(client.events().map(({ id }) => id)).toEqual([formatPosition(tick), api.idOf(3)])
  client.stop()
  const again = await listen(api.serving, formatPosition(tick))
  await again.until(() => again.events().length >= 1)
  expect(again.events().map(({ id }) => id)).toEqual([api.idOf(3)])
  again.stop()
  await api.serving.close(1_000)
})

test('for an id older than the flags that are kept, reports the range that may be missing, and begins with the oldest flag', async () => {
  const api = await given()
  api.flagged(1, 5_000)
  const client = await listen(api.serving, 'solana:5.1.0.0')
  await client.until(() => client.events().length >= 2)
  expect(client.events()).toMatchObject([
    { event: 'skipped', id: undefined, data: { from: 'solana:5.1.0.0', to: api.idOf(1) } },
    { event: 'flag', id: api.idOf(1) },
  ])
  client.stop()
  await api.serving.close(1_000)
})

test('sends a retracted event for a flag that was sent, also to a client that reconnects later', async () => {
  const api = await given()
  api.flagged(1, 1_000)
  api.flagged(2, 600)
  const [newest] = [...api.view.flagsSince(0)] as [FlagRecord]
  const client = await listen(api.serving)
  await client.until(() => client.read.text.includes('retry: '))
  api.view.put(key(2), liveState({ flags: [] }))
  api.view.retract(newest)
  await client.until(() => client.events().length > 0)
  expect(client.events()).toMatchObject([{ id: undefined, event: 'retracted', data: { finding_id: newest.findingId, mint: base58(2) } }])
  client.stop()
  const again = await listen(api.serving, `solana:${newest.number}.2.0.0`)
  await again.until(() => again.events().length > 0)
  expect(again.events()).toMatchObject([{ event: 'retracted', data: { finding_id: newest.findingId } }])
  again.stop()
  await api.serving.close(1_000)
})

test('holds back unconfirmed flags that are old enough, and everything behind them', async () => {
  const api = await given()
  api.flagged(1, 1_000)
  api.flagged(2, 600)
  api.flagged(3, 500)
  const [, second] = [...api.view.flagsSince(0)] as FlagRecord[]
  api.view.sure({ confirmed: (second?.number ?? 0) - 1, finalized: 0 })
  const client = await listen(api.serving, api.idOf(1))
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(client.events()).toEqual([])
  api.view.sure({ confirmed: 2_000_000, finalized: 0 })
  await client.until(() => client.events().length >= 2)
  expect(client.events().map(({ id }) => id)).toEqual([api.idOf(2), api.idOf(3)])
  client.stop()
  await api.serving.close(1_000)
})

test('limits the streams of one address', async () => {
  const api = await given()
  const clients = await Promise.all(Array.from({ length: STREAMS_PER_CALLER_MAX }, () => listen(api.serving)))
  const refused = await fetch(api.serving.url + PATH)
  expect([refused.status, refused.headers.get('retry-after'), api.limited]).toEqual([429, '30', ['streams']])
  clients[0]?.stop()
  await new Promise((resolve) => setTimeout(resolve, 100))
  const next = await listen(api.serving)
  expect(next.response.statusCode).toBe(200)
  for (const client of [...clients, next]) client.stop()
  await api.serving.close(1_000)
})

test('a header that is not a stream id is a 422, and HEAD has the status of GET', async () => {
  const api = await given()
  const { status, body } = await api.get(PATH).set('Last-Event-ID', 'yesterday')
  expect([status, body.detail]).toEqual([422, [expect.objectContaining({ loc: ['header', 'last-event-id'], input: 'yesterday' })]])
  const head = await api.head(PATH)
  expect([head.status, head.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
  await api.serving.close(1_000)
})

test('streams end cleanly when the service stops, and the server need not wait for them', async () => {
  const api = await given()
  const client = await listen(api.serving)
  await client.until(() => client.read.text.includes('retry: '))
  const before = performance.now()
  api.closing.abort()
  await api.serving.close(5_000)
  expect(performance.now() - before).toBeLessThan(2_000)
  await client.until(() => client.read.isOver)
  expect(client.read.isOver).toBe(true)
  expect(client.read.text).toMatch(/: the service is stopping; reconnect\n\n$/)
})

test('the stream can continue from every id that its published pattern allows', () => {
  fc.assert(
    fc.property(fc.stringMatching(new RegExp(EVENT_ID_PATTERN)), (id) => {
      expect(parsePosition(id, solana.positions)).toBeDefined()
    }),
  )
})
