// Which rows come from frames before the first of a rebuild: the rebuild keeps these and folds the others again.
import type { AllRows } from '../../../processors/contract.ts'
import { creatorProcessor } from '../../../processors/creator/creator.ts'
import { mintProcessor } from '../../shipped.ts'
import { curveProcessor } from './curve/curve-given.ts'

const DAY_S = 86_400
const TIME = 20_000 * DAY_S + 5
const FIRST = { number: 100, time: TIME }
const isOlder = (processor: Pick<typeof mintProcessor | typeof curveProcessor, 'isOlder'>, rows: object): boolean | undefined =>
  processor.isOlder?.(rows as AllRows, FIRST)

test.each([
  [99, true],
  [100, false],
])('a creator or a curve with a launch at frame %i, and a mint launched or last active there: %s', (number, is) => {
  expect(isOlder(creatorProcessor, { days: [], launches: [{ number }] })).toBe(is)
  expect(isOlder(mintProcessor, { launch: { number }, curve: null, stub: null })).toBe(is)
  expect(isOlder(mintProcessor, { launch: null, curve: { lastNumber: number }, stub: null })).toBe(is)
  expect(isOlder(curveProcessor, { launch: { number }, stub: null })).toBe(is)
  expect(isOlder(curveProcessor, { launch: null, stub: { launchNumber: number } })).toBe(is)
})
test.each([
  [TIME - DAY_S, true],
  [TIME, false],
])('a creator with a count of the day of %i: %s', (time, is) => {
  expect(isOlder(creatorProcessor, { days: [{ day: Math.floor(time / DAY_S) }], launches: [] })).toBe(is)
})
test.each([
  [{ launchAt: TIME - 1, forgottenAt: TIME + 9 }, true],
  [{ launchAt: TIME, forgottenAt: TIME + 9 }, false],
  [{ launchAt: null, forgottenAt: TIME - 1 }, true],
  [{ launchAt: null, forgottenAt: TIME }, false],
])('a mint with only the stub %p: %s', (stub, is) => {
  expect(isOlder(mintProcessor, { launch: null, curve: null, stub })).toBe(is)
})
test('a mint or a curve without rows is not older', () => {
  expect(isOlder(mintProcessor, { launch: null, curve: null, stub: null })).toBe(false)
  expect(isOlder(curveProcessor, { launch: null, stub: null })).toBe(false)
})
