import { verdictOf } from '../../soak/month.ts'
import { type Day, simulateDays } from '../../soak/month-folds.ts'

const MB = 1e6
/** A day of a chain whose creators take this many bytes each, in addition to the held and resident memory. */
const dayOf = (day: number, creatorBytes: number, more: Partial<Day> = {}): Day => {
  const creators = day * 20_000
  const base = {
    day,
    launches: day * 33_000,
    heapMB: 100,
    heapKeptMB: 200,
    arrayBuffersMB: 50,
    creators,
    mints: 41_000,
    viewMints: 41_000,
    wallets: 3_840,
  }
  const externalMB = 50 + (creators * creatorBytes) / MB
  return { ...base, externalMB, rssMB: 500 + externalMB, tookS: 30, ...more }
}
const month = (of: (day: number) => Day): Day[] => Array.from({ length: 30 }, (_, n) => of(n + 1))

test('memory that grows only with the creators, by a few bytes each, is flat', () => {
  expect(verdictOf(month((day) => dayOf(day, 700)))).toEqual({ creatorBytes: 700, baseMB: 150, overShare: 0, faults: [] })
})

test.each([
  ['a creator takes too much', (day: number) => dayOf(day, 8_500), 'a creator takes 8500 bytes'],
  ['something else grows', (day: number) => dayOf(day, 700, { heapMB: 100 + Math.max(0, day - 9) * 5 }), 'more than the days 3 to 9'],
  ['resident memory grows beyond held memory', (day: number) => dayOf(day, 700, { rssMB: 600 + day * 30 }), 'resident memory grew by'],
])('memory is not flat if %s', (_, of, fault) => {
  expect(verdictOf(month(of)).faults).toEqual([expect.stringContaining(fault)])
})

test('a day of few launches runs through the folds and the view, and memory is reported at its end', async () => {
  const days: Day[] = []
  await simulateDays({ days: 1, launchesPerDay: 300, paymentsPerFrame: 0, seed: 1 }, (day) => days.push(day))
  expect(days).toMatchObject([{ day: 1, launches: 300, mints: 300, viewMints: 300, wallets: 0 }])
  expect(days[0]?.creators).toBeGreaterThan(150)
  expect(days[0]?.creators).toBeLessThan(210)
})
