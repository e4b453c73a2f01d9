// How long a shadow rests between two passes.
import { NEAR_RECORDS } from '../../../topology/versions/rebuild/make.ts'
import { restMs } from '../../../topology/versions/shadow/shadow.ts'

test('it rests as long as the pass took, so that it leaves half of the time to other work', () => {
  expect(restMs(0, 2_000)).toBe(2_000)
  expect(restMs(NEAR_RECORDS, 2_000)).toBe(2_000)
})

test('it goes on soon if the pass left much, as the first does, which takes minutes', () => {
  expect(restMs(NEAR_RECORDS + 1, 130_000)).toBeLessThan(1_000)
})

test('it never goes on at once', () => {
  expect(restMs(0, 1)).toBeGreaterThan(100)
})
