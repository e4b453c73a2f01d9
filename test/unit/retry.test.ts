// The retry policy: its delays, the errors it retries, and when it gives up.
import { EngineError } from '../../schemas/errors.ts'
import { Backoff, retry, retryCommit, retryUntil } from '../../topology/waiting/retry.ts'

const FAST = { firstMs: 0, isPassing: () => true }

/** Fails `failures` times, then returns the number of earlier calls. */
const failing = (failures: number) => (tries: number) =>
  tries < failures ? Promise.reject(new Error(`try ${tries}`)) : Promise.resolve(tries)

test('delays grow by a factor up to the maximum, and start again after a reset', async () => {
  const backoff = new Backoff({ firstMs: 1, factor: 3, maxMs: 5 })
  const delays: number[] = []
  for (let i = 0; i < 4; i++) {
    delays.push(backoff.nextMs)
    await backoff.wait()
  }
  backoff.reset()
  expect([...delays, backoff.nextMs]).toEqual([1, 3, 5, 5, 1])
})

test('a single delay is constant', async () => {
  const backoff = new Backoff({ firstMs: 2 })
  await backoff.wait()
  expect(backoff.nextMs).toBe(2)
})

test('retriable failures are reported before each retry, and the value is returned', async () => {
  const seen: string[] = []
  const failed = (failure: unknown): void => void seen.push((failure as Error).message)
  expect(await retry(failing(2), { ...FAST, failed })).toBe(2)
  expect(seen).toEqual(['try 0', 'try 1'])
})

test('a permanent failure, the failure of the last try, and a failure after the time limit are thrown', async () => {
  await expect(retry(failing(9), { ...FAST, isPassing: (_, tries) => tries < 3 })).rejects.toThrow('try 2')
  await expect(retry(failing(9), { ...FAST, triesMax: 2 })).rejects.toThrow('try 1')
  await expect(retry(failing(9), { ...FAST, forMs: 0 })).rejects.toThrow('try 0')
})

test('a stop ends a long delay, hides later failures, and ends the retries', async () => {
  const stop = new AbortController()
  const seen: unknown[] = []
  let tries = 0
  const action = async (): Promise<void> => {
    if (++tries === 2) stop.abort()
    throw new Error(`try ${tries}`)
  }
  const failed = (failure: unknown): void => void seen.push(failure)
  expect(await retryUntil(stop.signal, action, { ...FAST, failed })).toBeUndefined()
  expect([tries, seen.length]).toEqual([2, 1])
  expect(await retryUntil(stop.signal, action, FAST)).toBeUndefined()
  expect(tries).toBe(2)

  const later = new AbortController()
  setTimeout(() => later.abort(), 5)
  expect(await retryUntil(later.signal, failing(9), { ...FAST, firstMs: 60_000 })).toBeUndefined()
})

test('a commit retries a retriable failure within its own limit, longer if the log is unreachable, and never while stopping', async () => {
  const limits = { commitRetriesMax: 2, commitRetryMs: 0, awayRetriesMax: 4 }
  const triesOf = async (failure: Error, isStopping = false): Promise<number> => {
    let tries = 0
    const commit = async (): Promise<void> => {
      tries++
      throw failure
    }
    await expect(retryCommit({ commit }, { outputs: [], inputs: new Map() }, limits, () => isStopping)).rejects.toBe(failure)
    return tries
  }
  const [full, away] = [new EngineError('log_full', '', { retriable: true }), new EngineError('log_unreachable', '', { retriable: true })]
  expect([await triesOf(full), await triesOf(away), await triesOf(full, true)]).toEqual([3, 5, 1])
  expect([await triesOf(new EngineError('fenced', '')), await triesOf(new Error('a bug'))]).toEqual([1, 1])
})
