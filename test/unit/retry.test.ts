// The one retry policy: how long it waits, what it retries, and when it ends.
import { EngineError } from '../../schemas/errors.ts'
import { Backoff, retry, retryCommit, retryUntil } from '../../topology/waiting/retry.ts'

const FAST = { firstMs: 0, isPassing: () => true }

/** Fails `failures` times, then returns how often it was called before. */
const failing = (failures: number) => (tries: number) =>
  tries < failures ? Promise.reject(new Error(`try ${tries}`)) : Promise.resolve(tries)

test('given delays, then each is a factor longer than the one before, up to the greatest, and from the first again after a reset', async () => {
  const backoff = new Backoff({ firstMs: 1, factor: 3, maxMs: 5 })
  const delays: number[] = []
  for (let i = 0; i < 4; i++) {
    delays.push(backoff.nextMs)
    await backoff.wait()
  }
  backoff.reset()
  expect([...delays, backoff.nextMs]).toEqual([1, 3, 5, 5, 1])
})

test('given one delay alone, then it stays', async () => {
  const backoff = new Backoff({ firstMs: 2 })
  await backoff.wait()
  expect(backoff.nextMs).toBe(2)
})

test('given failures that pass, then each is reported before the next try, and the value is returned', async () => {
  const seen: string[] = []
  const failed = (failure: unknown): void => void seen.push((failure as Error).message)
  expect(await retry(failing(2), { ...FAST, failed })).toBe(2)
  expect(seen).toEqual(['try 0', 'try 1'])
})

test('given a failure that does not pass, or one too many, or one too late, then it is thrown', async () => {
  await expect(retry(failing(9), { ...FAST, isPassing: (_, tries) => tries < 3 })).rejects.toThrow('try 2')
  await expect(retry(failing(9), { ...FAST, triesMax: 2 })).rejects.toThrow('try 1')
  await expect(retry(failing(9), { ...FAST, forMs: 0 })).rejects.toThrow('try 0')
})

test('given a stop, then a long delay is cut short, what failed after it is not reported, and nothing is tried any more', async () => {
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

test('given a commit, then a passing failure is retried within its own limit, longer where nobody answers, and never while stopping', async () => {
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
