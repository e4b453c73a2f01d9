import fc from 'fast-check'
import { type Member, planAssignment, type Weighed } from '../../../topology/logs/kafka/group/assignment-plan.ts'

const CHAIN_WEIGHT = 4
const places = (partitions: number): Weighed[] => [
  { topicPartition: 'raw/0', weight: CHAIN_WEIGHT },
  ...Array.from({ length: partitions }, (_, partition) => ({ topicPartition: `tape/${partition}`, weight: 1 })),
]
const members = (...has: readonly string[][]): Member[] => has.map((mine, index) => ({ id: `m${index}`, has: mine }))
const shares = (plan: ReadonlyMap<string, readonly string[]>): (readonly string[])[] => [...plan.values()]

describe('the assignment of places', () => {
  test('gives everything to a single member', () => {
    expect(shares(planAssignment(members([]), places(3)))).toEqual([['raw/0', 'tape/0', 'tape/1', 'tape/2']])
  })
  test('gives nothing without members', () => {
    expect(planAssignment([], places(3)).size).toBe(0)
  })
  test('gives a new member its share and keeps the rest in place', () => {
    const before = shares(planAssignment(members([]), places(12)))[0] as string[]
    const [first, second] = shares(planAssignment(members(before, []), places(12)))
    expect(first).toHaveLength(5)
    expect(second).toHaveLength(8)
    expect(first).toContain('raw/0')
  })
  test('gives a place that two members claim to one of them', () => {
    const plan = shares(planAssignment(members(['tape/0'], ['tape/0']), places(1)))
    expect(plan.flat().sort()).toEqual(['raw/0', 'tape/0'])
  })
  test('for any members: each place once, as even as possible, and a member within its share keeps its places', () => {
    const arbitrary = fc
      .record({
        partitions: fc.integer({ min: 1, max: 24 }),
        count: fc.integer({ min: 1, max: 8 }),
        seed: fc.array(fc.nat(7), { maxLength: 25 }),
      })
      .map(({ partitions, count, seed }) => {
        const all = places(partitions)
        const group = Array.from({ length: count }, (_, index) => ({ id: `m${index}`, has: [] as string[] }))
        for (const [index, { topicPartition }] of all.entries()) group[seed[index] ?? 99]?.has.push(topicPartition)
        return { all, group }
      })
    fc.assert(
      fc.property(arbitrary, ({ all, group }) => {
        const plan = planAssignment(group, all)
        expect(shares(plan).flat().sort()).toEqual(all.map(({ topicPartition }) => topicPartition).sort())
        const weightOf = (mine: readonly string[]): number => mine.reduce((sum, place) => sum + (place === 'raw/0' ? CHAIN_WEIGHT : 1), 0)
        const loads = shares(plan).map(weightOf)
        const heaviest = shares(plan).find((mine) => weightOf(mine) === Math.max(...loads)) as string[]
        const lightest = Math.min(...heaviest.map((place) => weightOf([place])))
        expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(lightest)
        expect(planAssignment([...group].reverse(), all)).toEqual(plan)
        const settled = [...plan].map(([id, has]) => ({ id, has: [...has] }))
        const again = planAssignment(settled, all)
        for (const [id, mine] of again) expect([...mine].sort()).toEqual([...(plan.get(id) ?? [])].sort())
      }),
      { numRuns: 300 },
    )
  })
})
