import fc from 'fast-check'
import type { FlagRecord } from '../../../topology/ports/chain-view.ts'
import { RecentIndex } from '../../../topology/views/recent-index.ts'
import { key } from '../query-api/given-mint.ts'

const KEEPING = { keepS: 21_600, keepMax: 150_000 }
const idOf = ({ findingId }: FlagRecord): string => findingId
const sighting = (n: number, at: number): FlagRecord => ({
  mint: key(n % 200),
  creator: null,
  flag: 'creator_sold',
  findingId: `f${n}`,
  at,
  mintAgeS: 1,
  evidence: '{}',
  chain: 'solana',
  number: n,
  tx: 0,
  outer: 0,
  inner: 0,
})
const indexOf = (...ats: readonly number[]): RecentIndex<FlagRecord> => {
  const index = new RecentIndex(KEEPING, idOf)
  for (const [n, at] of ats.entries()) index.add(sighting(n, at))
  return index
}
const idsOf = (flags: Iterable<FlagRecord>): string[] => Array.from(flags, ({ findingId }) => findingId)

test('newest first, whatever the order of arrival; later positions first within a second', () => {
  expect(idsOf(indexOf(50, 70, 60, 60).since(0))).toEqual(['f1', 'f3', 'f2', 'f0'])
})
test('both bounds are inclusive', () => {
  expect(idsOf(indexOf(50, 60, 70, 80).since(60, 70))).toEqual(['f2', 'f1'])
})
test('a repeated finding is listed once', () => {
  const index = indexOf(50, 60)
  index.add(sighting(0, 50))
  expect(index.size).toBe(2)
})
test('a retracted finding is removed, once; the rest keeps its order, even if nothing remains', () => {
  const index = indexOf(50, 60, 60, 70)
  for (const taken of [sighting(2, 60), sighting(2, 60), sighting(9, 60)]) index.remove(taken)
  expect(idsOf(index.since(0))).toEqual(['f3', 'f1', 'f0'])
  for (const [n, at] of [50, 60, 60, 70].entries()) index.remove(sighting(n, at))
  expect([index.size, idsOf(index.since(0))]).toEqual([0, []])
  index.add(sighting(1, 60))
  expect(idsOf(index.since(0))).toEqual(['f1'])
})
test('findings 6 h older than the newest are removed, and not added later', () => {
  const index = indexOf(1_000, 1_001, 1_000 + 21_601)
  expect(idsOf(index.since(0))).toEqual(['f2', 'f1'])
  index.add(sighting(9, 1_000))
  expect(index.size).toBe(2)
})
test('the oldest are removed beyond the limit', () => {
  const index = new RecentIndex({ keepS: 21_600, keepMax: 2 }, idOf)
  for (const [n, at] of [50, 70, 60].entries()) index.add(sighting(n, at))
  expect(idsOf(index.since(0))).toEqual(['f1', 'f2'])
})
test('equals the sorted list of the last 6 h, for any order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50_000 }), { maxLength: 60 }), fc.nat(50_000), (ats, since) => {
      const oldest = Math.max(0, ...ats) - 21_600
      const expected = ats
        .map((at, n) => ({ at, n }))
        .filter(({ at }) => at >= oldest && at >= since)
        .sort((a, b) => b.at - a.at || b.n - a.n)
      expect(idsOf(indexOf(...ats).since(since))).toEqual(expected.map(({ n }) => `f${n}`))
    }),
  )
})
