// Long work in turns: it gives what it gives in one go, and what waits comes in between.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { atStop, inTime, inTurns } from '../../topology/waiting/waiting.ts'

const busyFor = (ms: number): void => {
  for (const endMs = performance.now() + ms; performance.now() < endMs; );
}

test('given steps that take longer than a slice, then what waits has its turn before the end', async () => {
  const seen: string[] = []
  const steps = function* (): Generator<void, string, void> {
    for (let step = 0; step < 5; step++) {
      busyFor(2)
      seen.push(`step ${step}`)
      yield
    }
    return 'done'
  }
  setImmediate(() => seen.push('another'))
  expect(await inTurns(steps(), 1)).toBe('done')
  expect(seen.indexOf('another')).toBe(1)
  expect(seen).toHaveLength(6)
})

test('given steps within one slice, then nothing waits for a turn', async () => {
  let turns = 0
  setImmediate(() => turns++)
  const steps = function* (): Generator<void, number, void> {
    yield
    yield
    return turns
  }
  expect(await inTurns(steps(), 10_000)).toBe(0)
})

test('given a limit that nobody else knows of, then it fires after a collection of garbage too', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const startedMs = performance.now()
  const asked = inTime(new AbortController().signal, 100, (signal) => {
    const forever = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    setTimeout(collect, 20)
    return forever
  })
  await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(performance.now() - startedMs).toBeLessThan(5_000)
})

test('given a stop, then the limit is not waited for', async () => {
  const stop = new AbortController()
  const asked = inTime(
    stop.signal,
    60_000,
    (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped'))),
  )
  stop.abort()
  expect(await asked).toBe('stopped')
  expect(await inTime(stop.signal, 60_000, async (signal) => signal.aborted)).toBe(true)
})

test('given a stop, then what waits for it is done once, also where it was before', () => {
  const stop = new AbortController()
  let done = 0
  atStop(stop.signal, () => done++)
  expect(done).toBe(0)
  stop.abort()
  expect(done).toBe(1)
  atStop(stop.signal, () => done++)
  expect(done).toBe(2)
})
