// A flood of free lookups that ClickHouse is slow to answer: it has connections, a queue and a limit of its own, and delays nothing else.
import { createServer, type IncomingMessage, request as passOn, type ServerResponse } from 'node:http'
import { type Key, keyOf } from '../../schemas/keys.ts'
import { ClickHouseHistory } from '../../topology/history/history.ts'
import { type LocalServer, startLocal } from '../tools/local-server.ts'
import { until } from '../tools/until.ts'
import { DATABASE, describeEngine, type GivenEngine, givenEngine } from './history-server-given.ts'

const MINUTE_MS = 60_000
/** Lookups on the wire and in the queue of each kind of free lookups. */
const FREE_MAX = 2 + 16
const FLOOD = 60
const MINT = keyOf(new Uint8Array(32).fill(9)) as Key
const FINDING = { id: 'solana:1.1.0.1@11111111:creator-sold:x', mint: MINT, number: 1 }

/** Lookups have it, the figures' own refreshes do not. */
const ENDS_WITH_CALLER = 'cancel_http_readonly_queries_on_client_close=1'

/** The real server behind a proxy that holds the queries that `isHeld` matches, and counts the lookups among them that are open. */
const givenHeld = async (url: string) => {
  const held = { isHeld: (_sql: string): boolean => false, open: 0, openMax: 0 }
  const hold = (response: ServerResponse, url: string): void => {
    if (response.destroyed || !url.includes(ENDS_WITH_CALLER)) return
    held.open += 1
    held.openMax = Math.max(held.openMax, held.open)
    response.on('close', () => {
      held.open -= 1
    })
  }
  const proxy = await startLocal(
    createServer(async (request: IncomingMessage, response) => {
      const body = Buffer.concat((await request.toArray()) as Buffer[])
      if (held.isHeld(body.toString())) return hold(response, request.url ?? '')
      const { host: _host, ...headers } = request.headers
      const asked = passOn(new URL(request.url ?? '/', url), { method: request.method ?? 'POST', headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      asked.on('error', () => response.destroy()).end(body)
    }),
  )
  return { held, proxy }
}

describeEngine('under a flood of free lookups', () => {
  let engine: GivenEngine
  let proxy: LocalServer
  let held: Awaited<ReturnType<typeof givenHeld>>['held']
  let history: ClickHouseHistory
  beforeAll(async () => {
    engine = await givenEngine([DATABASE])
    const given = await givenHeld(engine.server.target().url)
    proxy = given.proxy
    held = given.held
    history = new ClickHouseHistory({ at: { ...engine.server.target(), url: proxy.url }, sink: () => null, notice: () => {} })
    await history.start()
    await until(() => history.status().store === 'up')
  }, 3 * MINUTE_MS)
  afterAll(async () => {
    await history.stop()
    await proxy.close()
    await engine.remove()
  })
  afterEach(() => {
    held.isHeld = () => false
  })
  const flood = <Result>(ask: () => Promise<Result>): Promise<Result[]> => Promise.all(Array.from({ length: FLOOD }, ask))
  const isOfFindings = (sql: string): boolean => / AND id = \{id:String\}/.test(sql)
  const isOfOdds = (sql: string): boolean => /odds/.test(sql)

  test(
    'wallets, cohorts and evidence are answered while odds are held, and the rest is refused as busy at once',
    async () => {
      held.isHeld = isOfOdds
      const startMs = performance.now()
      const asked = Array.from({ length: FLOOD }, () =>
        history.oddsOf(MINT).then((result) => ({ result, ms: performance.now() - startMs })),
      )
      await until(() => held.open > 0)
      expect([(await history.wallet(MINT)).ok, (await history.shape(MINT, 'quote')).ok, (await history.finding(FINDING)).ok]).toEqual([
        true,
        true,
        true,
      ])
      expect(history.unavailable()).toBeNull()
      const answers = await Promise.all(asked)
      expect(answers.every(({ result }) => !result.ok && result.isBusy === true)).toBe(true)
      const [first] = answers.slice(FREE_MAX)
      const [last] = answers
      expect(first?.ms).toBeLessThan(last?.ms as number)
      expect([held.openMax, history.status().store]).toEqual([2, 'busy'])
    },
    MINUTE_MS,
  )
  test(
    'lookups that are given up leave no request open',
    async () => {
      held.isHeld = isOfFindings
      const answers = await flood(() => history.finding(FINDING))
      expect(answers.some(({ ok }) => ok)).toBe(false)
      await until(() => held.open === 0)
      held.isHeld = () => false
      expect((await history.finding(FINDING)).ok).toBe(true)
    },
    MINUTE_MS,
  )
  test(
    'a store that answers nothing is busy first, and down after 10 s; then nobody waits for it',
    async () => {
      held.isHeld = () => true
      expect(await history.settled(MINT, 'paid')).toMatchObject({ ok: false, isBusy: true })
      await until(() => history.status().store === 'down')
      const startMs = performance.now()
      expect(await history.settled(MINT, 'paid')).toEqual({ ok: false, reason: 'the history store does not answer now' })
      expect(performance.now() - startMs).toBeLessThan(1_000)
      held.isHeld = () => false
      await until(() => history.unavailable() === null)
      expect((await history.wallet(MINT)).ok).toBe(true)
    },
    2 * MINUTE_MS,
  )
})
