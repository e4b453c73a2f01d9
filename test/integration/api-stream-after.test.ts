// `/v1/stream/flags?after=`: for clients that cannot set a header, such as a browser's EventSource.
import { base58, NOW_S } from '../unit/query-api/given-mint.ts'
import { given, listen, PATH } from './stream-given.ts'

type Given = Awaited<ReturnType<typeof given>>

/** Four flags, 5,000 to 2,000 s old. */
const withFour = async (): Promise<Given> => {
  const api = await given()
  for (const byte of [1, 2, 3, 4]) api.flagged(byte, 6_000 - byte * 1_000)
  return api
}
/** The events that come: at least `events` of them, and those of the next 100 ms. */
const flowing = async (api: Given, query: string, events: number, lastId?: string) => {
  const client = await listen(api.serving, lastId, query)
  await client.until(() => client.events().length >= events)
  // Events that must not be sent would come at once too.
  await new Promise((resolve) => setTimeout(resolve, 100))
  client.stop()
  return client.events()
}
const mintsOf = (events: Awaited<ReturnType<typeof flowing>>) => events.map(({ data }) => data.mint)

test('a position starts the stream behind it, as the header does', async () => {
  const api = await withFour()
  expect(mintsOf(await flowing(api, `?after=${api.idOf(2)}`, 2))).toEqual([3, 4].map(base58))
  await api.serving.close(1_000)
})

test.each([
  ['between two flags', 3_500, [3, 4]],
  ['the very second of a flag', 4_000, [3, 4]],
  ['the second before it', 4_001, [2, 3, 4]],
])('a time starts the stream after that second: %s', async (_name, ageS, bytes) => {
  const api = await withFour()
  const events = await flowing(api, `?after=${NOW_S - ageS}`, bytes.length)
  expect(mintsOf(events)).toEqual(bytes.map(base58))
  await api.serving.close(1_000)
})

test('a time skips no flag of a later time, even in an earlier slot: block times may go back a little', async () => {
  const api = await given()
  api.flagged(1, 2_000)
  api.flagged(2, 1_000, ['curve_drained'], 1_010)
  api.flagged(3, 1_005, ['curve_drained'], 1_000)
  expect(mintsOf(await flowing(api, `?after=${NOW_S - 1_005}`, 2))).toEqual([2, 3].map(base58))
  await api.serving.close(1_000)
})

test('0 starts with the oldest flag that is kept, and notes that there may have been older ones', async () => {
  const api = await withFour()
  const [skipped, ...flags] = await flowing(api, '?after=0', 5)
  expect(skipped).toMatchObject({ event: 'skipped', id: undefined, data: { from: '0', to: api.idOf(1) } })
  expect(mintsOf(flags)).toEqual([1, 2, 3, 4].map(base58))
  await api.serving.close(1_000)
})

test('the current time sends only later flags, not earlier ones that were still too young to be sent', async () => {
  const api = await given()
  api.flagged(1, 1_000)
  api.flagged(2, 100)
  const client = await listen(api.serving, undefined, `?after=${NOW_S}`)
  await client.until(() => client.read.text.includes('retry: '))
  api.passed(10)
  api.flagged(3, 5)
  api.passed(400)
  await client.until(() => client.events().length > 0)
  expect(mintsOf(client.events())).toEqual([base58(3)])
  client.stop()
  await api.serving.close(1_000)
})

test('the header takes precedence: a reconnecting browser continues, and does not start over', async () => {
  const api = await withFour()
  expect(mintsOf(await flowing(api, `?after=${api.idOf(1)}`, 1, api.idOf(3)))).toEqual([base58(4)])
  await api.serving.close(1_000)
})

test.each([
  ['yesterday', 'position_or_seconds'],
  ['', 'position_or_seconds'],
  ['-5', 'position_or_seconds'],
  ['alt:27823772.4.11', 'position_or_seconds'],
  ['solana:1', 'position_or_seconds'],
  [String(NOW_S + 61), 'less_than_equal'],
  [String(NOW_S * 1_000), 'less_than_equal'],
])('after=%s is a 422 that states what is valid, of GET and HEAD', async (after, type) => {
  const api = await withFour()
  const { status, body } = await api.get(`${PATH}?after=${after}`)
  expect([status, body.detail]).toEqual([422, [expect.objectContaining({ type, loc: ['query', 'after'], input: after })]])
  expect(body.detail[0].msg).toContain(type === 'less_than_equal' ? `now, which is ${NOW_S}` : 'unix seconds (1763000000)')
  expect((await api.head(`${PATH}?after=${after}`)).status).toBe(422)
  await api.serving.close(1_000)
})
test('a repeated after is a 422', async () => {
  const api = await withFour()
  const { status, body } = await api.get(`${PATH}?after=1&after=2`)
  expect([status, body.detail[0].type]).toEqual([422, 'multiple_values'])
  await api.serving.close(1_000)
})

test('every document that lists parameters has after', async () => {
  const api = await given()
  const [openApi, labels, full, index] = [
    await api.get('/openapi.json'),
    await api.get('/v1/labels'),
    await api.get('/llms-full.txt'),
    await api.get('/'),
  ]
  const { parameters } = openApi.body.paths[PATH].get
  expect(parameters.map(({ name, in: where }: { name: string; in: string }) => [name, where])).toEqual([
    ['after', 'query'],
    ['Last-Event-ID', 'header'],
  ])
  expect(labels.body.data.stream.params.after).toContain('unix seconds')
  expect(full.text).toMatch(/### GET \/v1\/stream\/flags[^#]*- after \(string, optional/)
  expect(index.body.data.how_to_start.join()).toContain('?after=')
  await api.serving.close(1_000)
})
