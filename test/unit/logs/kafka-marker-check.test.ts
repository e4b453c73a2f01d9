// Which partitions an owner's next transaction has to close, according to the last stable offsets.
import { MarkerCheck } from '../../../topology/logs/kafka/owners/marker-check.ts'
import { until } from '../../tools/until.ts'

/** A check against these last stable offsets; each `next` answers one of its requests. */
const checkOf = (decided: ReadonlyMap<string, number>) => {
  const asked: (() => void)[] = []
  let checks = 0
  let found = 0
  const decidedEnds = async (names: readonly string[]) => {
    checks++
    await new Promise<void>((resolve) => void asked.push(resolve))
    if (decided.size === 0) throw new Error('no broker')
    return new Map(names.map((name) => [name, decided.get(name) ?? 0]))
  }
  const check = new MarkerCheck({ decidedEnds, found: () => void found++, checkMs: 1 })
  const next = async (): Promise<void> => {
    await until(() => asked.length > 0)
    asked.shift()?.()
    await new Promise((done) => setImmediate(done))
  }
  return { check, next, seen: () => ({ checks, found }) }
}

test('partitions whose commits are decided are checked once and named never', async () => {
  const { check, next, seen } = checkOf(new Map([['a/0', 5]]))
  check.committed(new Map([['a/0', 5]]))
  await next()
  await new Promise((done) => setTimeout(done, 20))
  expect(seen()).toEqual({ checks: 1, found: 0 })
  check.stop()
})
test('a partition that is undecided in two checks is named until it is decided', async () => {
  const decided = new Map([['a/0', 5]])
  const { check, next, seen } = checkOf(decided)
  check.committed(
    new Map([
      ['a/0', 5],
      ['b/1', 3],
    ]),
  )
  await next()
  expect(check.unmarked).toEqual([])
  await next()
  expect(check.unmarked).toEqual(['b/1'])
  check.committed(new Map([['b/1', 9]]))
  await next()
  expect(check.unmarked).toEqual(['b/1'])
  expect(seen().found).toBe(2)
  decided.set('b/1', 9)
  await next()
  expect(check.unmarked).toEqual([])
  check.stop()
})
test('a partition that is written all the time is not named while each commit is decided by the next check', async () => {
  const decided = new Map<string, number>()
  const { check, next, seen } = checkOf(decided)
  for (let end = 1; end <= 20; end++) {
    check.committed(new Map([['a/0', end]]))
    decided.set('a/0', end - 1)
    await next()
  }
  expect(seen().found).toBe(0)
  check.stop()
})
test('while the log is unreachable no partition is named, and the log is asked again', async () => {
  const decided = new Map<string, number>()
  const { check, next } = checkOf(decided)
  check.committed(new Map([['a/0', 1]]))
  await next()
  await next()
  await next()
  expect(check.unmarked).toEqual([])
  decided.set('a/0', 0)
  await next()
  await next()
  expect(check.unmarked).toEqual(['a/0'])
  check.stop()
})
