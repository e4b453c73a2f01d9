// Long work in slices: the same result as in one go, with other callbacks in between.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { atStop, inTime, pause, runInSlices } from '../../topology/waiting/waiting.ts'

const busyFor = (ms: number): void => {
  for (const endMs = performance.now() + ms; performance.now() < endMs; );
}

test('steps that take longer than a slice let other callbacks run before the end', async () => {
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
  expect(await runInSlices(steps(), 1)).toBe('done')
  expect(seen.indexOf('another')).toBe(1)
  expect(seen).toHaveLength(6)
})

test('steps within one slice never yield', async () => {
  let turns = 0
  setImmediate(() => turns++)
  const steps = function* (): Generator<void, number, void> {
    yield
    yield
    return turns
  }
  expect(await runInSlices(steps(), 10_000)).toBe(0)
})

test('a wait that is over already ends at once, without a warning of Node', async () => {
  const warnings: Error[] = []
  const note = (warning: Error): unknown => warnings.push(warning)
  process.on('warning', note)
  for (const ms of [0, -1, Number.NEGATIVE_INFINITY]) await pause(ms)
  await new Promise(setImmediate)
  process.off('warning', note)
  expect(warnings).toEqual([])
})

test('a timeout without other references fires even after a garbage collection', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const startedMs = performance.now()
  const pending = inTime(new AbortController().signal, 100, (signal) => {
    const forever = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    setTimeout(collect, 20)
    return forever
  })
  await expect(pending).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(performance.now() - startedMs).toBeLessThan(5_000)
})

test('a stop ends the wait before the timeout', async () => {
  const stop = new AbortController()
  const pending = inTime(
    stop.signal,
    60_000,
    (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped'))),
  )
  stop.abort()
  expect(await pending).toBe('stopped')
  expect(await inTime(stop.signal, 60_000, async (signal) => signal.aborted)).toBe(true)
})

test('a stop runs a callback once, and runs one that is added later immediately', () => {
  const stop = new AbortController()
  let done = 0
  atStop(stop.signal, () => done++)
  expect(done).toBe(0)
  stop.abort()
  expect(done).toBe(1)
  atStop(stop.signal, () => done++)
  expect(done).toBe(2)
})
