import { until } from '../../tools/until.ts'

const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => {
      throw new Error('nothing failed')
    },
    (failure: Error) => failure,
  )

test('resolves once a condition holds after some polls', async () => {
  let looks = 0
  await until(() => ++looks === 3, { everyMs: 1 })
  expect(looks).toBe(3)
})

test('counts an exception as not yet', async () => {
  let looks = 0
  await until(
    () => {
      if (++looks < 3) throw new Error('not yet')
      return true
    },
    { everyMs: 1 },
  )
  expect(looks).toBe(3)
})

test('fails with the limit, the last reason and the observed value if the condition never holds', async () => {
  const reasons = ['first', 'last']
  const cause = new Error('last')
  const holds = (): boolean => {
    throw reasons.shift() === 'first' ? new Error('first') : cause
  }
  const failure = await failureOf(until(holds, { msMax: 30, everyMs: 1, seen: () => 'rows: 2' }))
  expect(failure.message).toBe('does not hold after 30 ms: Error: last: rows: 2')
  expect(failure.cause).toBe(cause)
})

test('ends a poll that never returns at the limit', async () => {
  const failure = await failureOf(until(() => new Promise<boolean>(() => {}), { msMax: 20 }))
  expect(failure.message).toBe('does not hold after 20 ms')
})
