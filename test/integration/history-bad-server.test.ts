// The sink on a ClickHouse that is full, read-only, hanging, or sends partial responses: it reports this, waits, and in the end writes
// every row once.
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createHistoryClient } from '../../topology/history/client.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { syntheticTape } from '../bench/synthetic-tape.ts'
import { appendTape } from '../live.ts'
import { startLocal } from '../tools/local-server.ts'
import { until } from '../tools/until.ts'
import { describeEngine } from './history-server-given.ts'
import { contentsOf, type GivenHistories, givenHistories, sinkAll, startSink } from './sink-given.ts'

/** A busy machine is slow for good responses too. */
const REQUEST_MS = 4_000
const TAPE = [...syntheticTape({ events: 1_500, eventsPerFrame: 15, eventsPerMint: 31, seed: 3 })]

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => Buffer.concat((await request.toArray()) as Buffer[])
/** Sends the same request to the real server. */
const passOn = (url: string, request: IncomingMessage, body: Buffer): Promise<{ status: number; body: Buffer }> =>
  new Promise((resolve, reject) => {
    const { host: _host, ...headers } = request.headers
    const asked = ask(new URL(request.url ?? '/', url), { method: request.method ?? 'POST', headers }, (answer) =>
      bodyOf(answer).then((given) => resolve({ status: answer.statusCode ?? 500, body: given }), reject),
    )
    asked.on('error', reject).end(body)
  })

type Misbehave = (response: ServerResponse, passOnInsert: () => Promise<unknown>) => void | Promise<void>
const saysError =
  (code: number, type: string, text: string): Misbehave =>
  (response) =>
    void response.writeHead(500, { 'x-clickhouse-exception-code': String(code) }).end(`Code: ${code}. DB::Exception: ${text}. (${type})`)
const CASES: readonly (readonly [name: string, misbehave: Misbehave, trouble: RegExp])[] = [
  ['is full', saysError(243, 'NOT_ENOUGH_SPACE', 'Cannot reserve 1.00 MiB, not enough space'), /not enough space.*Free space on its disk/],
  ['only reads', saysError(164, 'READONLY', 'Cannot execute query in readonly mode'), /readonly mode.*Give the user the right to write/],
  ['never answers', () => undefined, /gives no valid response/],
  [
    'takes the rows and sends half a response',
    async (response, passOnInsert) => {
      await passOnInsert()
      response.writeHead(200, { 'content-length': '100' }).write('half')
      setTimeout(() => response.destroy(), 20)
    },
    /gives no valid response/,
  ],
]

describeEngine('the sink', () => {
  let given: GivenHistories
  let expected: Readonly<Record<string, string>>
  const filled = async (): Promise<Log> => {
    const log = createMemoryLog({ partitions: 2 })
    await appendTape(log, TAPE)
    return log
  }
  beforeAll(async () => {
    given = await givenHistories({ views: false, copied: 2 })
    const client = await given.fresh()
    await sinkAll(await filled(), client)
    expected = await contentsOf(client)
  })
  afterEach(() => given.rollBack())
  afterAll(() => given.remove())

  test.each(CASES)(
    'while ClickHouse %s reports it, and then writes each row once',
    async (_name, misbehave, trouble) => {
      const target = given.engine.server.target()
      const history = await given.lent()
      let isBad = true
      const passing = createServer(async (request, response) => {
        const body = await bodyOf(request)
        const pass = () => passOn(target.url, request, body)
        if (isBad && (request.url ?? '').includes('INSERT')) return misbehave(response, pass)
        const answer = await pass()
        response.writeHead(answer.status).end(answer.body)
      })
      const proxy = await startLocal(passing)
      const client = createHistoryClient({ ...target, url: proxy.url, database: history.database }, REQUEST_MS)
      const { sink, notices, stop } = await startSink(await filled(), client)
      await until(() => sink.status().trouble !== null)
      expect(sink.status().trouble).toMatch(trouble)
      isBad = false
      await until(() => sink.isCaughtUp && sink.status().trouble === null)
      expect(notices).toEqual(['history_behind', 'history_goes_on'])
      expect(await contentsOf(history)).toEqual(expected)
      await stop()
      await client.close()
      await proxy.close()
    },
    600_000,
  )
})
