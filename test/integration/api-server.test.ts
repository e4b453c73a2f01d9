// The HTTP server: ports, limits before Koa, and shutdown.
import { request } from 'node:http'
import { connect } from 'node:net'
import Koa from 'koa'
import { HEADER_BYTES_MAX } from '../../query-api/http/http-limits.ts'
import { serve } from '../../query-api/http/server.ts'
import { EngineError } from '../../schemas/errors.ts'
import { isLoopback } from '../../topology/ports/loopback.ts'
import { harness } from './api-harness.ts'

const HERE = { host: '127.0.0.1', port: 0 }
const slowApp = (ms: number): Koa => {
  const app = new Koa()
  app.use(async (ctx) => {
    await new Promise((resolve) => setTimeout(resolve, ms).unref())
    ctx.body = 'done'
  })
  return app
}
/** Sends raw bytes and returns the response. */
const raw = (url: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', (data) => {
      answer += data.toString()
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })

test('port 0 takes a free port and reports it', async () => {
  const serving = await serve(harness().app, HERE)
  expect(serving.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
  expect((await fetch(`${serving.url}/health`)).status).toBe(200)
  await serving.close(1_000)
  await expect(fetch(`${serving.url}/health`)).rejects.toThrow()
})

test('fails on a port in use with an error that names the port and the setting', async () => {
  const first = await serve(harness().app, HERE)
  const port = Number(new URL(first.url).port)
  const failure = await serve(harness().app, { host: '127.0.0.1', port }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(EngineError)
  expect(failure).toMatchObject({ code: 'port_in_use', facts: { port, host: '127.0.0.1' } })
  expect((failure as EngineError).message).toMatch(new RegExp(`port ${port} .*MINTFOLD_PORT`))
  await first.close(1_000)
})

test('cannot listen on an address of another machine', async () => {
  await expect(serve(harness().app, { host: '192.0.2.1', port: 0 })).rejects.toMatchObject({ code: 'cannot_listen' })
})

test('close lets a request in progress end, also on kept-alive connections', async () => {
  const serving = await serve(slowApp(150), HERE)
  const answer = fetch(serving.url).then((response) => response.text())
  await new Promise((resolve) => setTimeout(resolve, 50))
  const closed = serving.close(5_000)
  expect(await answer).toBe('done')
  const before = performance.now()
  await closed
  expect(performance.now() - before).toBeLessThan(1_000)
})

test('close cuts requests that do not end in time', async () => {
  const serving = await serve(slowApp(60_000), HERE)
  const answer = fetch(serving.url)
  const cut = expect(answer).rejects.toThrow()
  await new Promise((resolve) => setTimeout(resolve, 50))
  await serving.close(100)
  await cut
})

test('headers over the limit are a 431 in JSON', async () => {
  const serving = await serve(harness().app, HERE)
  const answer = await raw(serving.url, `GET /health HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(HEADER_BYTES_MAX)}\r\n\r\n`)
  expect(answer).toMatch(/^HTTP\/1\.1 431 /)
  expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ ok: false, error: 'headers_too_large' })
  await serving.close(1_000)
})

test('a non-HTTP request is a 400 in JSON', async () => {
  const serving = await serve(harness().app, HERE)
  const answer = await raw(serving.url, 'HELLO\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ ok: false, error: 'bad_request' })
  await serving.close(1_000)
})

test('a client that disconnects early does not affect other requests', async () => {
  const serving = await serve(slowApp(100), HERE)
  const gone = request(serving.url)
  gone.on('error', () => undefined)
  gone.end()
  await new Promise((resolve) => setTimeout(resolve, 30))
  gone.destroy()
  expect(await (await fetch(serving.url)).text()).toBe('done')
  await serving.close(1_000)
})

describe('loopback', () => {
  test.each(['127.0.0.1', '127.8.9.10', '::1', 'localhost'])('%s is this machine', (host) => {
    expect(isLoopback(host)).toBe(true)
  })
  test.each(['0.0.0.0', '::', '10.0.0.1', '127.evil.example', 'example.com', ''])('%s is not', (host) => {
    expect(isLoopback(host)).toBe(false)
  })
})
