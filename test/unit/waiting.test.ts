// Long work in turns: it gives what it gives in one go, and what waits comes in between.
import { inTurns } from '../../topology/waiting.ts'

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
