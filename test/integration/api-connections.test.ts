// Connections: what one address holds never keeps others out, and no request that has arrived is cut to make room.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import Koa from 'koa'
import { TrustedProxies } from '../../query-api/http/caller-address.ts'
import { type ListenOptions, type Serving, serve } from '../../query-api/http/server.ts'
import { until } from '../tools/until.ts'

const HERE = { host: '127.0.0.1', port: 0 }
/** A pool of 16: three quarters are 12. */
const SMALL = { ...HERE, connectionsMax: 16, connectionsPerAddressMax: 16 }
const PROXY = '127.0.0.9'
const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const WAIT = 'GET /wait HTTP/1.1\r\nHost: x\r\n\r\n'
const HALF_A_POST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{'
const HALF_A_GET = 'GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n'
const LARGE = 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n'
/** More than the buffers of a connection hold. */
const LARGE_BYTES = 16 * 1024 * 1024

let serving: Serving
let waiting: (() => void)[]
/** Requests whose headers the server has read. */
let arrived: number
let clients: Client[]
beforeEach(() => {
  waiting = []
  arrived = 0
  clients = []
})
afterEach(async () => {
  for (const { socket } of clients) socket.destroy()
  await serving.close(0)
})

/** `/wait` answers when the test lets it, `/large` with more than anybody reads at once; a body of POST or in chunks is read to its end first. */
const open = async (limits: ListenOptions): Promise<void> => {
  const app = new Koa()
  app.use(async (ctx) => {
    arrived += 1
    if (ctx.method === 'POST' || ctx.get('transfer-encoding') !== '') await once(ctx.req.resume(), 'end').catch(() => undefined)
    if (ctx.path === '/wait') await new Promise<void>((resolve) => waiting.push(resolve))
    ctx.body = ctx.path === '/large' ? 'x'.repeat(LARGE_BYTES) : 'done'
  })
  serving = await serve(app, limits)
}

interface Client {
  readonly socket: Socket
  answer: string
  isClosed: boolean
}
const client = async (localAddress: string, sent = ''): Promise<Client> => {
  const socket = connect({ port: Number(new URL(serving.url).port), host: '127.0.0.1', localAddress })
  const opened: Client = { socket, answer: '', isClosed: false }
  clients.push(opened)
  socket.on('error', () => undefined)
  socket.on('close', () => {
    opened.isClosed = true
  })
  if (sent !== LARGE)
    socket.on('data', (data) => {
      opened.answer += data.toString()
    })
  await once(socket, 'connect')
  socket.write(sent)
  return opened
}
/** Opens connections one after the other, each of which sends a request. */
const many = async (count: number, localAddress: string, sent: string): Promise<Client[]> => {
  const opened: Client[] = []
  for (let n = 0; n < count; n++) {
    const before = arrived
    opened.push(await client(localAddress, sent))
    await until(() => arrived === before + 1)
  }
  return opened
}
const ended = (one: Client): Promise<void> => until(() => one.answer.endsWith('done') || one.isClosed)
/** Connections with an answered request, kept alive. */
const idle = async (count: number, localAddress: string): Promise<Client[]> => {
  const opened: Client[] = []
  for (let n = 0; n < count; n++) {
    const one = await client(localAddress, GET)
    await ended(one)
    opened.push(one)
  }
  return opened
}
const isAnswered = async (localAddress: string): Promise<boolean> => {
  const one = await client(localAddress, GET)
  await ended(one)
  return one.answer.endsWith('done')
}
const closedOf = (these: readonly Client[]): number => these.filter(({ isClosed }) => isClosed).length

describe('a pool that fills with idle connections', () => {
  test('answers an eighth address though seven hold as many as each may, at the limits of the product', async () => {
    await open({ ...HERE, connectionsPerAddressMax: 600 })
    for (let address = 2; address <= 8; address++)
      for (let n = 0; n < 6; n++) await Promise.all(Array.from({ length: 100 }, () => client(`127.0.0.${address}`, GET)))
    expect([await isAnswered('127.0.0.99'), await isAnswered('127.0.0.99')]).toEqual([true, true])
  }, 60_000)
  test('closes, from three quarters on, the longest idle ones of the address that holds most', async () => {
    await open(SMALL)
    const few = await idle(3, '127.0.0.2')
    const most = await idle(9, '127.0.0.3')
    expect([await isAnswered('127.0.0.4'), await isAnswered('127.0.0.5')]).toEqual([true, true])
    await until(() => closedOf(most) === 2)
    expect(most.slice(0, 2).map(({ isClosed }) => isClosed)).toEqual([true, true])
    expect(closedOf(few)).toBe(0)
  })
  test('closes none below three quarters', async () => {
    await open(SMALL)
    const opened = await idle(11, '127.0.0.3')
    expect(await isAnswered('127.0.0.4')).toBe(true)
    expect(closedOf(opened)).toBe(0)
  })
  test('counts connections that never send anything as idle', async () => {
    await open(SMALL)
    const silent: Client[] = []
    for (let n = 0; n < 16; n++) silent.push(await client('127.0.0.3'))
    expect(await isAnswered('127.0.0.4')).toBe(true)
    await until(() => closedOf(silent) === 5)
  })
})

describe('a full pool', () => {
  test('never cuts a request that has arrived: the newcomer is closed instead, and every request is answered', async () => {
    await open(SMALL)
    const busy = await many(16, '127.0.0.3', WAIT)
    expect(await isAnswered('127.0.0.4')).toBe(false)
    for (const answer of waiting) answer()
    await Promise.all(busy.map(ended))
    expect(busy.every(({ answer }) => answer.endsWith('done'))).toBe(true)
    expect(await isAnswered('127.0.0.4')).toBe(true)
  })
  test.each([HALF_A_POST, HALF_A_GET])(
    'makes room for an address that has none by cutting the oldest request that has not arrived, of the address with most: %j',
    async (half) => {
      await open(SMALL)
      const few = await many(2, '127.0.0.2', half)
      const busy = await many(10, '127.0.0.3', WAIT)
      const slow = await many(4, '127.0.0.3', half)
      expect(await isAnswered('127.0.0.4')).toBe(true)
      await until(() => closedOf(slow) === 1)
      expect([slow[0]?.isClosed, closedOf(few), closedOf(busy)]).toEqual([true, 0, 0])
    },
  )
  test('cuts no arriving request for an address that has a connection already', async () => {
    await open(SMALL)
    const slow = await many(15, '127.0.0.3', HALF_A_POST)
    const [own] = await many(1, '127.0.0.4', WAIT)
    expect(await isAnswered('127.0.0.4')).toBe(false)
    expect([closedOf(slow), own?.isClosed]).toEqual([0, false])
  })
  test('cuts answers that are not read for 5 s, if nothing else is left', async () => {
    await open(SMALL)
    const unread = await many(15, '127.0.0.3', LARGE)
    const [busy] = await many(1, '127.0.0.3', WAIT)
    expect(await isAnswered('127.0.0.4')).toBe(false)
    const laterMs = performance.now() + 5_000
    jest.spyOn(performance, 'now').mockImplementation(() => laterMs)
    expect(await isAnswered('127.0.0.4')).toBe(true)
    jest.restoreAllMocks()
    for (const { socket } of unread.slice(0, 2)) socket.resume()
    await until(() => unread[0]?.isClosed === true)
    expect([closedOf(unread), busy?.isClosed]).toEqual([1, false])
  })
})

describe('trusted proxies', () => {
  const proxies = new TrustedProxies([PROXY])
  test('keep their idle connections, and get new ones, while an address floods the server', async () => {
    await open({ ...SMALL, proxies })
    const ofProxy = await idle(6, PROXY)
    const flood = await idle(20, '127.0.0.3')
    ofProxy.push(...(await idle(8, PROXY)))
    expect(closedOf(ofProxy)).toBe(0)
    expect(closedOf(flood)).toBeGreaterThanOrEqual(18)
  })
  test('that hold all connections give an idle one to an address that has none, and to a proxy', async () => {
    await open({ ...SMALL, proxies })
    const ofProxy = await idle(16, PROXY)
    expect(await isAnswered('127.0.0.4')).toBe(true)
    await until(() => closedOf(ofProxy) === 1)
    expect(await isAnswered(PROXY)).toBe(true)
  })
  test('have no limit of their own', async () => {
    await open({ ...HERE, connectionsPerAddressMax: 1, proxies })
    expect(closedOf(await idle(3, PROXY))).toBe(0)
  })
})

describe('one address', () => {
  test('above its limit is closed unanswered until one of its connections ends', async () => {
    await open({ ...HERE, connectionsPerAddressMax: 3 })
    const [first] = await idle(3, '127.0.0.3')
    expect(await isAnswered('127.0.0.3')).toBe(false)
    first?.socket.destroy()
    await until(() => isAnswered('127.0.0.3'))
  })
  test('that never ends its headers receives a 408 and is disconnected', async () => {
    await open(HERE)
    const slow = await client('127.0.0.3', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    const drip = setInterval(() => slow.socket.write('a'), 200)
    await until(() => slow.isClosed, { msMax: 8_000 })
    clearInterval(drip)
    expect(slow.answer).toMatch(/^HTTP\/1\.1 408 /)
  }, 12_000)
})
