import fc from 'fast-check'
import { type Member, planAssignment, type Share, type Weighed } from '../../../topology/logs/kafka/group/assignment-plan.ts'

const CHAIN_WEIGHT = 4
const weighed = (partitions: number): Weighed[] => [
  { topicPartition: 'raw/0', weight: CHAIN_WEIGHT },
  ...Array.from({ length: partitions }, (_, partition) => ({ topicPartition: `tape/${partition}`, weight: 1 })),
]
const members = (...has: readonly string[][]): Member[] =>
  has.map((partitions, index) => ({ id: `m${index}`, has: partitions, warm: [], canStandBy: true }))
const shares = (plan: ReadonlyMap<string, Share>): (readonly string[])[] => [...plan.values()].map(({ partitions }) => partitions)

describe('the assignment of partitions', () => {
  test('gives everything to a single member', () => {
    expect(shares(planAssignment(members([]), weighed(3), 0))).toEqual([['raw/0', 'tape/0', 'tape/1', 'tape/2']])
  })
  test('gives nothing without members', () => {
    expect(planAssignment([], weighed(3), 0).size).toBe(0)
  })
  test('gives a new member its share and moves no others', () => {
    const before = shares(planAssignment(members([]), weighed(12), 0))[0] as string[]
    const [first, second] = shares(planAssignment(members(before, []), weighed(12), 0))
    expect(first).toHaveLength(5)
    expect(second).toHaveLength(8)
    expect(first).toContain('raw/0')
  })
  test('gives a partition that two members claim to one of them', () => {
    const plan = shares(planAssignment(members(['tape/0'], ['tape/0']), weighed(1), 0))
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
        const group = Array.from({ length: count }, (_, index) => ({
          id: `m${index}`,
          has: [] as string[],
          warm: [] as string[],
          canStandBy: true,
        }))
        for (const [index, { topicPartition }] of all.entries()) group[seed[index] ?? 99]?.has.push(topicPartition)
        return { all, group }
      })
    fc.assert(
      fc.property(arbitrary, ({ all, group }) => {
        const plan = planAssignment(group, all, 0)
        expect(shares(plan).flat().sort()).toEqual(all.map(({ topicPartition }) => topicPartition).sort())
        const weightOf = (share: readonly string[]): number => share.reduce((sum, place) => sum + (place === 'raw/0' ? CHAIN_WEIGHT : 1), 0)
        const loads = shares(plan).map(weightOf)
        const heaviest = shares(plan).find((share) => weightOf(share) === Math.max(...loads)) as string[]
        const lightest = Math.min(...heaviest.map((place) => weightOf([place])))
        expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(lightest)
        expect(planAssignment([...group].reverse(), all, 0)).toEqual(plan)
        const settled = [...plan].map(([id, { partitions: has }]) => ({ id, has, warm: [], canStandBy: true }))
        const again = planAssignment(settled, all, 0)
        for (const [id, { partitions: assigned }] of again)
          expect([...assigned].sort()).toEqual([...(plan.get(id)?.partitions ?? [])].sort())
      }),
      { numRuns: 300 },
    )
  })
})

const ALL = weighed(6)
const names = (partitions: readonly Weighed[]): string[] => partitions.map(({ topicPartition }) => topicPartition)

/** The members after they have carried out a plan: warm where they stood by. */
const settle = (plan: ReadonlyMap<string, Share>, canStandBy = true): Member[] =>
  [...plan].map(([id, { partitions, standbys }]) => ({ id, has: partitions, warm: canStandBy ? standbys : [], canStandBy }))

describe('standbys', () => {
  test('a new member first stands by for the partitions that will move to it, then runs them', () => {
    const old = { id: 'm0', has: names(ALL), warm: [], canStandBy: true }
    const first = planAssignment([old, { id: 'm1', has: [], warm: [], canStandBy: true }], ALL, 1)
    expect(first.get('m0')?.partitions).toHaveLength(ALL.length)
    expect([...(first.get('m1')?.standbys ?? [])].sort()).toEqual(names(ALL).sort())
    const awaited = first.get('m1')?.awaited ?? []
    expect(awaited.length).toBeGreaterThan(0)
    const second = planAssignment(settle(first), ALL, 1)
    expect([...(second.get('m1')?.partitions ?? [])].sort()).toEqual([...awaited].sort())
    expect(second.get('m1')?.awaited).toEqual([])
  })
  test('the partitions of a dead member go to the members that stood by for them', () => {
    const partitions = names(ALL)
    const members: Member[] = [
      { id: 'm0', has: partitions.slice(0, 2), warm: partitions.slice(4), canStandBy: true },
      { id: 'm1', has: partitions.slice(2, 4), warm: [], canStandBy: true },
    ]
    const plan = planAssignment(members, ALL, 1)
    expect(plan.get('m0')?.partitions).toEqual(expect.arrayContaining(partitions.slice(4)))
  })
  test('without standbys, or for a member of an older version, partitions move at once', () => {
    const members = (canStandBy: boolean): Member[] => [
      { id: 'm0', has: names(ALL), warm: [], canStandBy: true },
      { id: 'm1', has: [], warm: [], canStandBy },
    ]
    expect(planAssignment(members(true), ALL, 0).get('m1')?.partitions.length).toBeGreaterThan(0)
    expect(planAssignment(members(false), ALL, 1).get('m1')?.partitions.length).toBeGreaterThan(0)
    expect(planAssignment(members(false), ALL, 1).get('m1')?.standbys).toEqual([])
  })
  test('for any members: as many standbys as wanted and possible, no cold move, and the plan settles', () => {
    const kind = fc.record({ has: fc.subarray(names(ALL)), warm: fc.subarray(names(ALL)) })
    fc.assert(
      fc.property(fc.array(kind, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 3 }), (kinds, count) => {
        let group: Member[] = kinds.map((one, index) => ({ id: `m${index}`, ...one, canStandBy: true }))
        // One member that has nothing, and another that is warm for what a third one runs: five rounds.
        for (let round = 0; round < 6; round++) {
          const plan = planAssignment(group, ALL, count)
          expect(shares(plan).flat().sort()).toEqual(names(ALL).sort())
          for (const name of names(ALL)) {
            const runner = group.find(({ id }) => plan.get(id)?.partitions.includes(name)) as Member
            const standbys = [...plan].filter(([, share]) => share.standbys.includes(name)).map(([id]) => id)
            expect(standbys).toHaveLength(Math.min(count, group.length - 1))
            expect(standbys).not.toContain(runner.id)
            const isReady = (member: Member): boolean => member.has.includes(name) || member.warm.includes(name)
            if (group.some(isReady)) expect(isReady(runner)).toBe(true)
          }
          for (const { standbys, awaited } of plan.values()) expect(standbys).toEqual(expect.arrayContaining([...awaited]))
          group = settle(plan)
        }
        const settled = planAssignment(group, ALL, count)
        expect([...settled.values()].flatMap(({ awaited }) => awaited)).toEqual([])
        for (const { id, has } of group) expect([...(settled.get(id)?.partitions ?? [])].sort()).toEqual([...has].sort())
      }),
      { numRuns: 300 },
    )
  })
})
