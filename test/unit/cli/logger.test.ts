import { Writable } from 'node:stream'
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

test.each([
  ['history_started', 30],
  ['history_goes_on', 30],
  ['history_ended', 40],
  ['anything_else', 40],
])('the notice %s has level %i', (code, level) => {
  const line = written(false, 'info', (logger) => noticesTo(logger)(code, { port: 1 }))
  expect(JSON.parse(line)).toMatchObject({ level, msg: code, port: 1 })
})
