import fc from 'fast-check'
import { type Member, planAssignment, type Weighed } from '../../../topology/logs/kafka/group/assignment-plan.ts'

const CHAIN_WEIGHT = 4
const weighed = (partitions: number): Weighed[] => [
  { topicPartition: 'raw/0', weight: CHAIN_WEIGHT },
  ...Array.from({ length: partitions }, (_, partition) => ({ topicPartition: `tape/${partition}`, weight: 1 })),
]
const members = (...has: readonly string[][]): Member[] => has.map((partitions, index) => ({ id: `m${index}`, has: partitions }))
const shares = (plan: ReadonlyMap<string, readonly string[]>): (readonly string[])[] => [...plan.values()]

describe('the assignment of partitions', () => {
  test('gives everything to a single member', () => {
    expect(shares(planAssignment(members([]), weighed(3)))).toEqual([['raw/0', 'tape/0', 'tape/1', 'tape/2']])
  })
  test('gives nothing without members', () => {
    expect(planAssignment([], weighed(3)).size).toBe(0)
  })
  test('gives a new member its share and moves no others', () => {
    const before = shares(planAssignment(members([]), weighed(12)))[0] as string[]
    const [first, second] = shares(planAssignment(members(before, []), weighed(12)))
    expect(first).toHaveLength(5)
    expect(second).toHaveLength(8)
    expect(first).toContain('raw/0')
  })
  test('gives a partition that two members claim to one of them', () => {
    const plan = shares(planAssignment(members(['tape/0'], ['tape/0']), weighed(1)))
    expect(plan.flat().sort()).toEqual(['raw/0', 'tape/0'])
  })
  test('for any members: each partition once, as even as possible, and a member within its share keeps its partitions', () => {
    const arbitrary = fc
      .record({
        partitions: fc.integer({ min: 1, max: 24 }),
        count: fc.integer({ min: 1, max: 8 }),
        seed: fc.array(fc.nat(7), { maxLength: 25 }),
      })
      .map(({ partitions, count, seed }) => {
        const all = weighed(partitions)
        const group = Array.from({ length: count }, (_, index) => ({ id: `m${index}`, has: [] as string[] }))
        for (const [index, { topicPartition }] of all.entries()) group[seed[index] ?? 99]?.has.push(topicPartition)
        return { all, group }
      })
    fc.assert(
      fc.property(arbitrary, ({ all, group }) => {
        const plan = planAssignment(group, all)
        expect(shares(plan).flat().sort()).toEqual(all.map(({ topicPartition }) => topicPartition).sort())
        const weightOf = (share: readonly string[]): number => share.reduce((sum, place) => sum + (place === 'raw/0' ? CHAIN_WEIGHT : 1), 0)
        const loads = shares(plan).map(weightOf)
        const heaviest = shares(plan).find((share) => weightOf(share) === Math.max(...loads)) as string[]
        const lightest = Math.min(...heaviest.map((place) => weightOf([place])))
        expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(lightest)
        expect(planAssignment([...group].reverse(), all)).toEqual(plan)
        const settled = [...plan].map(([id, has]) => ({ id, has: [...has] }))
        const again = planAssignment(settled, all)
        for (const [id, assigned] of again) expect([...assigned].sort()).toEqual([...(plan.get(id) ?? [])].sort())
      }),
      { numRuns: 300 },
    )
  })
})
