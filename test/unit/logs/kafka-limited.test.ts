// Requests to a broker end by a monotonic clock, whatever the wall clock does.
import type { Broker } from 'kafkajs'
import { ANSWER_MS_MAX, limited } from '../../../topology/logs/kafka/wire/limited.ts'
import { sendRaw } from '../../../topology/logs/kafka/wire/raw-request.ts'

const never = (): Promise<never> => new Promise(() => {})

test('an answer and a failure pass', async () => {
  expect(await limited(Promise.resolve(7), 20)).toBe(7)
  await expect(limited(Promise.reject(new Error('closed')), 20)).rejects.toThrow('closed')
})

test('without an answer it fails, and says after how long', async () => {
  await expect(limited(never(), 20)).rejects.toThrow('no answer within 0.02 s')
})

test('a request whose answer is lost while the wall clock is set back ends anyway', async () => {
  jest.useFakeTimers()
  try {
    const broker = { connectionPool: { send: never } } as unknown as Broker
    const sent = sendRaw(broker, { apiKey: 1, apiVersion: 4, apiName: 'Fetch' }, Buffer.alloc(0))
    const ended = expect(sent).rejects.toThrow('no answer within 45 s')
    jest.setSystemTime(Date.now() - 3_600_000)
    await jest.advanceTimersByTimeAsync(ANSWER_MS_MAX)
    await ended
  } finally {
    jest.useRealTimers()
  }
})
