import { Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import type { Logger } from 'pino'
import { createLogger, noticesTo, plainLines } from '../../../topology/cli/output/logger.ts'

const written = (terminal: boolean, logLevel: 'info' | 'error', write: (logger: Logger) => void): string => {
  let text = ''
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      text += String(chunk)
      done()
    },
  })
  write(createLogger({ logLevel, terminal }, stream))
  return text
}
const logged = (terminal: boolean, facts: object, logLevel: 'info' | 'error' = 'info'): string =>
  written(terminal, logLevel, (logger) => logger.info(facts, 'served'))

test('without a terminal a line is JSON with its time', () => {
  expect(JSON.parse(logged(false, { slot: 1 }))).toMatchObject({
    level: 30,
    msg: 'served',
    slot: 1,
    time: expect.stringMatching(/^\d{4}-.*Z$/),
  })
})

test('below the level nothing is written', () => {
  expect(logged(false, {}, 'error')).toBe('')
})

test.each([false, true])('secrets never reach the log (terminal: %s)', async (terminal) => {
  const text = logged(terminal, {
    secretKey: 's3cret-1',
    wallet: { privateKey: 's3cret-2' },
    req: { headers: { authorization: 's3cret-3', 'payment-signature': 's3cret-4' } },
    rpcUrl: 'https://user:s3cret-5@rpc.example/s3cret-6',
  })
  await new Promise(setImmediate)
  expect(text).toContain('served')
  expect(text).not.toContain('s3cret')
  if (!terminal) expect(JSON.parse(text)).toMatchObject({ rpcUrl: 'https://rpc.example', secretKey: '[redacted]' })
})

test('plain lines are not scanned, and go to the same log', () => {
  const line = (plain: boolean): object =>
    JSON.parse(
      written(false, 'info', (logger) => (plain ? plainLines(logger) : logger).info({ route: '/health', token: 'open' }, 'request')),
    )
  expect(line(true)).toMatchObject({ level: 30, msg: 'request', route: '/health', token: 'open' })
  expect(line(false)).toMatchObject({ level: 30, msg: 'request', route: '/health', token: '[redacted]' })
})

describe('on a terminal', () => {
  const shown = async (facts: object, message: string): Promise<string> => {
    let text = ''
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        text += String(chunk)
        done()
      },
    })
    createLogger({ logLevel: 'info', terminal: true }, stream).info(facts, message)
    await new Promise(setImmediate)
    return stripVTControlCharacters(text)
  }
  const request = (route: string, status: number): object => ({
    ...{ requestId: 'b1946ac9-2f5e-4a11-9d3c-2f6c1c2b5a10', method: 'GET', route, status, ms: 12.4, caller: '127.0.0.1', bytes: 5_123 },
  })
  test('a request of a program is one short line', async () => {
    expect(await shown(request('/v1/mint/{mint}', 402), 'request')).toMatch(
      /^\[\d\d:\d\d:\d\d\] INFO: GET \/v1\/mint\/\{mint\} 402 12 ms\n$/,
    )
  })
  test('a request of the page, which repeats every few seconds, is no line unless it fails', async () => {
    expect(await shown(request('/token/{mint}', 200), 'request')).toBe('')
    expect(await shown(request('/token/{mint}', 503), 'request')).toContain('GET /token/{mint} 503 12 ms\n')
  })
  test('any other message is one line with its facts', async () => {
    expect(await shown({ reason: 'the port is taken', port: 1 }, 'history_not_connected')).toMatch(
      /^\[\S+\] INFO: history_not_connected \{"reason":"the port is taken","port":1\}\n$/,
    )
  })
})

test.each([
  ['history_started', 30],
  ['history_goes_on', 30],
  ['history_ended', 40],
  ['anything_else', 40],
])('the notice %s has level %i', (code, level) => {
  const line = written(false, 'info', (logger) => noticesTo(logger)(code, { port: 1 }))
  expect(JSON.parse(line)).toMatchObject({ level, msg: code, port: 1 })
})
