// Busy or down: what the state of the store follows from.
import { EngineError } from '../../../schemas/errors.ts'
import { StoreHealth } from '../../../topology/history/store-health.ts'
import { until } from '../../tools/until.ts'

const given = () => {
  const clock = { ms: 1_000_000 }
  return { clock, health: new StoreHealth(() => clock.ms) }
}

test('a missed query makes the store busy for 10 s, and its caller is told to ask again', () => {
  const { clock, health } = given()
  expect([health.state(), health.silence()]).toEqual(['up', null])
  expect(health.missed()).toMatchObject({ ok: false, isBusy: true })
  clock.ms += 9_999
  health.answered()
  expect(health.state()).toBe('busy')
  clock.ms += 1
  expect(health.state()).toBe('up')
})
test('a busy store that answers others keeps what needs it for sale', () => {
  const { health } = given()
  health.missed()
  expect([health.state(), health.silence()]).toEqual(['busy', null])
})
test('a store that has answered nothing for 10 s is down, until its next answer', () => {
  const { clock, health } = given()
  clock.ms += 9_999
  expect(health.missed()).toMatchObject({ isBusy: true })
  clock.ms += 1
  expect(health.missed()).toEqual({ ok: false, reason: 'the history store does not answer now' })
  expect([health.state(), health.silence()]).toEqual(['down', { ok: false, reason: 'the history store does not answer now' }])
  health.answered()
  expect([health.state(), health.silence()]).toEqual(['busy', null])
})
test.each<[string, (clock: { ms: number }) => Promise<unknown>]>([
  ['fails', () => Promise.reject(new EngineError('history_down', 'refused'))],
  [
    'is late',
    (clock) => {
      clock.ms += 1_501
      return new Promise(() => {})
    },
  ],
])('while a heartbeat %s, nothing is offered, until anything is answered', async (_what, ask) => {
  const { clock, health } = given()
  const stop = new AbortController()
  clock.ms += 1
  const watched = health.watch(() => ask(clock), stop.signal)
  await until(() => health.silence() !== null)
  expect([health.state(), health.silence()]).toEqual(['busy', expect.objectContaining({ isBusy: true })])
  health.answered()
  expect(health.silence()).toBeNull()
  stop.abort()
  watched.catch(() => {})
})
