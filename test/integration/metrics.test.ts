// Metrics: what is counted, under which names, and that dashboards and alerts use nothing else.
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Registry } from 'prom-client'
import { Rates } from '../../query-api/http/rates.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { apiMetrics } from '../../topology/operations/metrics/api-metrics.ts'
import { barrierMetrics } from '../../topology/operations/metrics/barrier-metrics.ts'
import { measuredLog } from '../../topology/operations/metrics/log-metrics.ts'
import { oddsMetrics } from '../../topology/operations/metrics/odds-metrics.ts'
import { createRegistry, noticeCounter, serveMetrics } from '../../topology/operations/metrics/server.ts'
import { historyMetrics, sourceMetrics } from '../../topology/operations/metrics/source-metrics.ts'
import { viewMetrics } from '../../topology/operations/metrics/view-metrics.ts'
import type { BarrierWait } from '../../topology/runtime/runtime.ts'
import { MapView } from '../fakes/map-view.ts'
import { FakeOdds } from '../fakes/odds.ts'
import { SetHistory } from '../fakes/set-history.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { givenModel } from '../unit/processors/odds/standing-given.ts'
import { base58, key, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
import { harness } from './api-harness.ts'

const fileOf = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')

/** A registry with every metric of every role, and what sets their values. */
const given = () => {
  const registry = createRegistry('up', '0.1.0')
  const view = new MapView()
  const observer = apiMetrics(registry)
  const chain = 'solana'
  viewMetrics(registry, [{ chain, view, clock: { now: () => NOW_S * 1_000 } }])
  const source = { now: () => NOW_S * 1_000, tip: () => ({ number: 1_103, time: NOW_S - 2 }), frames: 7 }
  sourceMetrics(registry, [{ chain, source }])
  historyMetrics(registry, new SetHistory(), () => NOW_S)
  const { log, assigned } = measuredLog(createMemoryLog({ partitions: 2 }), [LAUNCH_RISK], registry)
  const odds = new FakeOdds()
  const models = { records: () => [givenModel('a', { inForceSince: NOW_S - 7_200 })] }
  oddsMetrics(registry, [{ chain, odds: { view: odds, models, graded: { foldedS: NOW_S }, scorer: () => ({ recordsBehind: 3 }) } }])
  const waits: BarrierWait[] = []
  barrierMetrics(registry, () => waits)
  return { registry, view, odds, observer, log, assigned, waits, notice: noticeCounter(registry) }
}
const figureOf = async (registry: Registry, line: string): Promise<number | undefined> => {
  const found = (await registry.metrics()).split('\n').find((text) => text.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length + 1))
}

describe('names', () => {
  const asked = (text: string): string[] => [...new Set(text.match(/\b(?:mintfold|process|nodejs)_[a-z0-9_]+/g))]
  const exprs = (text: string): string => (JSON.stringify(JSON.parse(text)).match(/"expr":"(?:[^"\\]|\\.)*"/g) ?? []).join('\n')
  test.each([
    ['deploy/grafana/mintfold.json', exprs],
    ['deploy/prometheus/alerts.yml', (text: string) => (text.match(/^ +(?:expr|description): .*/gm) ?? []).join('\n')],
  ] as const)('every metric that %s queries is exported', async (path, part) => {
    const { registry } = given()
    const exported = new Set(
      (await registry.getMetricsAsJSON()).flatMap(({ name }) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`]),
    )
    const names = asked(part(fileOf(path)))
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => !exported.has(name))).toEqual([])
  })
  test('every series whose increase an alert watches exists from the start: one created by its first event shows no increase', async () => {
    const { registry } = given()
    const awaited = [...fileOf('deploy/prometheus/alerts.yml').matchAll(/increase\((\w+)(?:\{(\w+="\w+")\})?\[/g)]
    const lines = (await registry.metrics()).split('\n')
    const isThere = ([, name = '', label = '']: RegExpMatchArray): boolean =>
      lines.some((line) => line.startsWith(name) && line.includes(label) && /^\w+[ {]/.test(line))
    expect(awaited.length).toBeGreaterThan(5)
    expect(awaited.filter((one) => !isThere(one)).map(([text]) => text)).toEqual([])
  })
  test('every metric has a help text and a name with a known prefix', async () => {
    for (const { name, help } of await given().registry.getMetricsAsJSON()) {
      expect(help.length).toBeGreaterThan(5)
      expect(name).toMatch(/^(mintfold|process|nodejs)_[a-z0-9_]+$/)
    }
  })
})

test('odds: how far the scorer is behind, how old the model is, and which heads are shown', async () => {
  const { registry, odds } = given()
  odds.stand('true_graduation', { isShown: false, reason: 'withdrawn' })
  const of = (line: string): Promise<number | undefined> => figureOf(registry, `mintfold_${line.replace('}', ',role="up"}')}`)
  expect(await of('scorer_records_behind{chain="solana"}')).toBe(3)
  expect(await of('odds_model_age_seconds{chain="solana"}')).toBe(7_200)
  expect(await of('odds_shown{chain="solana",head="rug_within_300s"}')).toBe(1)
  expect(await of('odds_shown{chain="solana",head="true_graduation"}')).toBe(0)
})

describe('the API', () => {
  test('requests are counted by template and status, never by path', async () => {
    const { registry, observer } = given()
    const api = harness({ around: { observer, rates: new Rates({ perMinute: 5, paidPerMinute: 5 }) } })
    api.view.put(key(1), liveState({}))
    const paths = [`/v1/mint/${base58(1)}`, '/v1/mint', '/v1/secret-path?token=s3cret', '/health', '/page/page.css', '/ready', '/health']
    for (const path of paths) await api.get(path)
    const text = await registry.metrics()
    const count = (route: string, status: number) =>
      figureOf(registry, `mintfold_http_requests_total{route="${route}",method="GET",status="${status}",role="up"}`)
    expect(await count('/v1/mint/{mint}', 402)).toBe(1)
    expect(await count('unmatched', 404)).toBe(1)
    expect(await count('/health', 200)).toBe(1)
    expect(await count('/ready', 200)).toBe(1)
    expect(await figureOf(registry, 'mintfold_limited_total{by="caller",role="up"}')).toBe(1)
    expect(await figureOf(registry, 'mintfold_sales_total{outcome="asked",role="up"}')).toBe(1)
    expect(text).toContain('mintfold_http_request_duration_seconds_bucket{le="0.001",role="up",route="/health"')
    expect(text).not.toMatch(/s3cret|secret-path/)
    expect(text).not.toContain(base58(1))
  })
})

describe('the tasks', () => {
  const record = { topic: TOPICS.deadLetters, partition: 0, key: Buffer.from('k'), value: Buffer.from('v') }
  test('commits, their writes and the lag are per task', async () => {
    const { registry, log, assigned } = given()
    const source = await log.own('source')
    const frame = { topic: TOPICS.raw, partition: 0, key: Buffer.from('k'), value: Buffer.from('v') }
    await source.commit({ outputs: [frame, frame, frame], inputs: new Map([['frames', 3]]) })
    const task = await log.own('decode-solana-0')
    await task.commit({ outputs: [record], inputs: new Map([[`${TOPICS.raw.name}/0`, 1]]) })
    expect(await figureOf(registry, 'mintfold_commit_duration_seconds_count{role="up",task="decode-solana"}')).toBe(1)
    expect(await figureOf(registry, `mintfold_log_records_total{topic="${TOPICS.deadLetters.name}",role="up"}`)).toBe(1)
    const lag = `mintfold_task_lag_records{topic="${TOPICS.raw.name}",partition="0",role="up"}`
    expect(await figureOf(registry, lag)).toBe(2)
    assigned([`${TOPICS.tape.name}/0`])
    expect(await figureOf(registry, lag)).toBeUndefined()
    await task.commit({ outputs: [], inputs: new Map([[`${TOPICS.raw.name}/0`, 3]]) })
    expect(await figureOf(registry, lag)).toBeUndefined()
  })
  test('an assigned partition has a lag while no task runs on it: from the log start, or from the committed offset after a takeover', async () => {
    const { registry, log, assigned } = given()
    const partition = `${TOPICS.raw.name}/0`
    const lag = `mintfold_task_lag_records{topic="${TOPICS.raw.name}",partition="0",role="up"}`
    const source = await log.own('source')
    const record = { topic: TOPICS.raw, partition: 0, key: Buffer.from('k'), value: Buffer.from('v') }
    await source.commit({ outputs: [record, record, record], inputs: new Map() })
    const before = await log.own('decode-solana-0')
    await before.commit({ outputs: [], inputs: new Map([[partition, 2]]) })
    assigned([])
    expect(await figureOf(registry, lag)).toBeUndefined()
    assigned([partition])
    expect(await figureOf(registry, lag)).toBe(3)
    await log.own('decode-solana-0')
    expect(await figureOf(registry, lag)).toBe(1)
  })
  test('a failed commit is rethrown and counted', async () => {
    const { registry, log } = given()
    const older = await log.own('mint-solana-1')
    await log.own('mint-solana-1')
    await expect(older.commit({ outputs: [record], inputs: new Map() })).rejects.toMatchObject({ code: 'fenced' })
    expect(await figureOf(registry, 'mintfold_commit_failures_total{task="mint-solana",role="up"}')).toBe(1)
  })
})

test('a partition awaited at the barrier has a metric while a task waits for it', async () => {
  const { registry, waits } = given()
  waits.push({ writer: 3, seconds: 12.5 })
  expect(await figureOf(registry, 'mintfold_barrier_wait_seconds{writer="3",role="up"}')).toBe(12.5)
  waits.pop()
  expect(await figureOf(registry, 'mintfold_barrier_wait_seconds{writer="3",role="up"}')).toBeUndefined()
})

test('values are read at the scrape; unknown ones are absent', async () => {
  const { registry, view, notice } = given()
  expect(await figureOf(registry, 'mintfold_feed_lag_seconds{chain="solana",role="up"}')).toBeUndefined()
  view.setStatus({ folded: { number: 1_100, time: NOW_S - 4 }, tip: { number: 1_103, time: NOW_S } })
  view.behind = { views: [{ view: 'flags', recordsBehind: 12 }], streamMsBehind: 1_500 }
  notice('settlement_uncertain')
  expect(await figureOf(registry, 'mintfold_feed_lag_seconds{chain="solana",role="up"}')).toBe(4)
  expect(await figureOf(registry, 'mintfold_slots_behind{chain="solana",role="up"}')).toBe(3)
  expect(await figureOf(registry, 'mintfold_view_records_behind{topic="flags",role="up"}')).toBe(12)
  expect(await figureOf(registry, 'mintfold_view_behind_seconds{chain="solana",role="up"}')).toBe(1.5)
  expect(await figureOf(registry, 'mintfold_source_lag_seconds{chain="solana",role="up"}')).toBe(2)
  expect(await figureOf(registry, 'mintfold_source_frames{chain="solana",role="up"}')).toBe(7)
  expect(await figureOf(registry, 'mintfold_notices_total{code="settlement_uncertain",role="up"}')).toBe(1)
})

describe('the endpoint', () => {
  const taken = async (): Promise<{ readonly port: number; free(): Promise<void> }> => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    return { port, free: () => new Promise((resolve) => server.close(() => resolve())) }
  }
  test('serves one page in the format of Prometheus, and nothing else', async () => {
    const server = await serveMetrics(given().registry, { host: '127.0.0.1', port: 0, isSet: true, names: [] })
    const response = await fetch(server.url)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain; version=0\.0\.4/)])
    expect(await response.text()).toMatch(/^mintfold_info\{version="0\.1\.0",role="up"\} 1$/m)
    expect((await fetch(new URL('/', server.url))).status).toBe(404)
    await server.close()
  })
  describe('answers', () => {
    const statusOf = async (headers: Record<string, string>): Promise<number> => {
      const place = { host: '127.0.0.1', port: 0, isSet: true, names: ['serve-1', 'Mintfold-Serve.monitoring.svc'] }
      const server = await serveMetrics(given().registry, place)
      const { statusCode = 0 } = await new Promise<IncomingMessage>((resolve) => get(server.url, { headers }, resolve))
      await server.close()
      return statusCode
    }
    test.each(['10.1.2.3:9464', '[2001:db8::1]:9464', 'localhost', `${hostname()}:9464`, 'serve-1:9464', 'mintfold-serve.monitoring.svc'])(
      'Prometheus that addresses it as %s',
      async (host) => {
        expect(await statusOf({ host })).toBe(200)
      },
    )
    test.each(['evil.example', 'evil.example:9464', 'serve-1.evil.example', '127.0.0.1.evil.example', 'localhost.evil.example'])(
      'with 403 a request for %s, a name that a page may have',
      async (host) => {
        expect(await statusOf({ host })).toBe(403)
      },
    )
    test.each<Record<string, string>>([
      { origin: 'http://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ])('with 403 a request of a page, %j', async (headers) => {
      expect(await statusOf(headers)).toBe(403)
    })
    test('a user who types its address into a browser', async () => {
      expect(await statusOf({ 'sec-fetch-site': 'none' })).toBe(200)
    })
  })
  test('listens on the address that is set, such as all addresses of a container', async () => {
    const server = await serveMetrics(given().registry, { host: '0.0.0.0', port: 0, isSet: true, names: [] })
    expect(new URL(server.url).hostname).toBe('0.0.0.0')
    expect((await fetch(`http://127.0.0.2:${new URL(server.url).port}/metrics`)).status).toBe(200)
    await server.close()
  })
  test('if the port is taken, a configured one ends the start with an error that names the setting; a default one is replaced by a free one', async () => {
    const other = await taken()
    await expect(serveMetrics(given().registry, { host: '127.0.0.1', port: other.port, isSet: true, names: [] })).rejects.toMatchObject({
      code: 'port_in_use',
      message: expect.stringMatching(/MINTFOLD_METRICS_PORT/),
    })
    const server = await serveMetrics(given().registry, { host: '127.0.0.1', port: other.port, isSet: false, names: [] })
    expect(Number(new URL(server.url).port)).not.toBe(other.port)
    expect((await fetch(server.url)).status).toBe(200)
    await server.close()
    await other.free()
  })
})
