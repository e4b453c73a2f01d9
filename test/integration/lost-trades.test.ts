// Detects small trades missing from frames marked whole: by the reserves of the next trade, or by a second source.
import { lossesOfOne, lossesOfTwo, misreported } from '../fixtures/lost-trades.ts'

test('with one source verify-tape names every mint that lost a small trade and traded later, and no other', async () => {
  const report = await lossesOfOne({ seed: 3, rate: 10, seconds: 110 })
  expect(misreported(report, false)).toEqual({ missed: [], extra: [] })
  expect(report.touched.lost).toBeGreaterThan(100)
  expect(report.touched.withLater.size).toBeGreaterThan(30)
  expect(report.touched.mints.size).toBeGreaterThan(report.touched.withLater.size)
  expect(report.exitCode).toBe(1)
})

test('a second source names every mint that lost a small trade, and no other', async () => {
  const report = await lossesOfTwo({ seed: 3, rate: 20, seconds: 6 })
  expect(misreported(report, true)).toEqual({ missed: [], extra: [] })
  expect(report.touched.mints.size).toBeGreaterThan(5)
  expect(report.exitCode).toBe(1)
})
