// A generic webhook proves that it wants the alerts, behind the real gate over the sandbox: what is charged, and what the target gets.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { openSender } from '../../query-api/alerts/target/sender.ts'
import { Rates } from '../../query-api/http/rates.ts'
import { createGate } from '../../query-api/payment/create-gate.ts'
import type { PaymentGate } from '../../query-api/payment/gate.ts'
import type { PaymentEntry } from '../../query-api/payment/stores/idempotency-store.ts'
import type { SettlementLine } from '../../query-api/payment/stores/settlement-log.ts'
import { TableLog } from '../../query-api/payment/stores/table-log.ts'
import { TableIdempotencyStore } from '../../query-api/payment/stores/table-store.ts'
import { createMemoryTable } from '../../topology/data-dir/memory-table.ts'
import { type LocalServer, startLocal } from '../tools/local-server.ts'
import { harness } from './api-harness.ts'
import { send, startWorld, type World } from './payment/world.ts'

const SANDBOX = { allowsLoopback: true }
const PRICE_MICRO_USDC = 100_000
type Respond = (challenge: string, response: ServerResponse, request: IncomingMessage) => void

let world: World
let gate: PaymentGate
let server: LocalServer
/** The target: its requests, and how it answers. */
let target: LocalServer
const received: string[] = []
let respond: Respond = () => undefined

beforeAll(async () => {
  world = await startWorld()
  const { payTo, network, rpcUrl } = world.sandbox
  const clock = { now: Date.now }
  const kept = {
    book: new TableIdempotencyStore(createMemoryTable<PaymentEntry>(), clock),
    log: new TableLog(createMemoryTable<SettlementLine>()),
  }
  gate = createGate({ mode: 'sandbox', facilitatorUrl: world.facilitator.url, payTo, network, rpcUrl, priceFactor: 1, clock, ...kept })
})
beforeEach(async () => {
  const rates = new Rates({ perMinute: 100, paidPerMinute: 100 })
  const alerts = { openSender: () => openSender(async () => [], SANDBOX), challengeWaitS: (host: string) => rates.challenge(host) }
  server = await startLocal(createServer(harness({ till: gate, sandbox: true, alerts }).app.callback()))
  received.length = 0
  const answering = createServer(async (request, response) => {
    const body = await text(request)
    received.push(body)
    respond(String((JSON.parse(body) as { readonly challenge?: string }).challenge), response, request)
  })
  target = await startLocal(answering)
})
afterEach(async () => {
  await server.close()
  await target.close()
})
afterAll(async () => {
  await gate.close(1_000)
  await world.close()
})

const orderOf = (path = '/hook', kind = 'generic'): string =>
  `${server.url}/v1/alerts/webhook?kinds=rug_flags&target=${kind}&url=${encodeURIComponent(`${target.url}${path}`)}`
type Body = Readonly<Record<string, unknown>>
const bodyOf = async (response: Response): Promise<Body> => ({ status: response.status, ...((await response.json()) as Body) })
const charged = async (work: () => Promise<unknown>): Promise<number> => {
  const before = await world.spentMicroUsdc()
  await work()
  return (await world.spentMicroUsdc()) - before
}

test.each<[string, Respond]>([
  ['as the same JSON', (challenge, response) => response.end(JSON.stringify({ challenge, of: 'a receiver' }))],
  ['as text', (challenge, response) => response.writeHead(201).end(`${challenge}\n`)],
])('a target that returns the challenge %s is sold; copies of the payment challenge no further', async (_form, returned) => {
  respond = returned
  const header = await world.signed(orderOf())
  const spent = await charged(async () => {
    const [first, copy] = await Promise.all([send(orderOf(), header), send(orderOf(), header)])
    const again = await bodyOf(await send(orderOf(), header))
    expect(await bodyOf(first)).toMatchObject({ status: 200, data: again.data })
    expect(await bodyOf(copy)).toMatchObject({ status: 200, data: again.data })
  })
  expect(spent).toBe(PRICE_MICRO_USDC)
  expect(received).toEqual([expect.stringMatching(/^\{"challenge":"[\w-]{32}"\}$/)])
})

test.each<[string, Respond, string]>([
  ['answers with another text', (_challenge, response) => response.end('ok'), 'another answer'],
  ['answers with another challenge', (_challenge, response) => response.end('{"challenge":"other"}'), 'another answer'],
  ['quotes the request in a page', (challenge, response) => response.end(`<p>You sent ${challenge}</p>`), 'another answer'],
  ['returns it with a failure', (challenge, response) => response.writeHead(404).end(challenge), 'status 404'],
  ['redirects', (_challenge, response) => response.writeHead(307, { Location: '/elsewhere' }).end(), 'status 307'],
  ['breaks the connection', (_challenge, _response, request) => request.socket.destroy(), 'connection_reset'],
  ['never answers', () => undefined, 'no_answer_in_time'],
])('a target that %s is refused unpaid, with what it must answer', async (_what, refusing, problem) => {
  respond = refusing
  const header = await world.signed(orderOf())
  const spent = await charged(async () => {
    const refused = await bodyOf(await send(orderOf(), header))
    const [detail] = refused.detail as { readonly type: string; readonly msg: string }[]
    expect(refused).toMatchObject({ status: 422, charged: false, detail: [{ loc: ['query', 'url'], input: null }] })
    expect([detail?.type, detail?.msg]).toEqual(['unproven_target', expect.stringContaining(`did not return its challenge (${problem})`)])
  })
  expect([spent, received.length]).toEqual([0, 1])
})

test('a host is challenged once a minute, whatever its path; another sale is refused unpaid until then', async () => {
  respond = (_challenge, response) => response.end('no')
  expect(await bodyOf(await send(orderOf(), await world.signed(orderOf())))).toMatchObject({ status: 422 })
  respond = (challenge, response) => response.end(challenge)
  const spent = await charged(async () => {
    const refused = await send(orderOf('/other?x=2'), await world.signed(orderOf('/other?x=2')))
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30)
    expect(await bodyOf(refused)).toMatchObject({ status: 429, error: 'rate_limited', charged: false })
  })
  expect([spent, received.length]).toEqual([0, 1])
})

test('nothing is sent without payment, or for a payment that cannot be verified', async () => {
  expect((await fetch(orderOf())).status).toBe(402)
  const forLess = await world.signed(orderOf(), ({ accepts: [terms] }) => {
    if (terms !== undefined) (terms as { amount: string }).amount = '1'
  })
  expect((await send(orderOf(), forLess)).status).toBe(402)
  expect(received).toEqual([])
})

test('a webhook of Discord is sold without a challenge', async () => {
  const path = orderOf('/hook', 'discord')
  expect((await send(path, await world.signed(path))).status).toBe(200)
  expect(received).toEqual([])
})
