// A probe is rate-limited for all callers, and times out.
import { Probe } from '../../../topology/history/probe.ts'

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

test('concurrent callers share one request, and its answer is cached for a while', async () => {
  let asked = 0
  const probe = new Probe(async () => void asked++, { keepMs: 60, waitMs: 1_000 })
  expect(await Promise.all(Array.from({ length: 50 }, () => probe.answers()))).toEqual(Array(50).fill(true))
  expect(await probe.answers()).toBe(true)
  expect(asked).toBe(1)
  await wait(80)
  expect(await probe.answers()).toBe(true)
  expect(asked).toBe(2)
})
test('a refusal counts as no answer, until the server answers again', async () => {
  let isAway = true
  const probe = new Probe(async () => (isAway ? Promise.reject(new Error('away')) : 1), { keepMs: 20, waitMs: 1_000 })
  expect(await probe.answers()).toBe(false)
  isAway = false
  await wait(40)
  expect(await probe.answers()).toBe(true)
})
test('a server that never answers makes no caller wait beyond the limit', async () => {
  const probe = new Probe(() => new Promise(() => {}), { keepMs: 1_000, waitMs: 30 })
  expect(await probe.answers()).toBe(false)
})
