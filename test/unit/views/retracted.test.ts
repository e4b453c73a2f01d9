// Retracted flags after forks, against the simplest model: a list of all findings, searched at every call.
import fc from 'fast-check'
import type { FlagRecord } from '../../../topology/ports/chain-view.ts'
import { Retracted } from '../../../topology/views/retracted.ts'
import { key } from '../query-api/given-mint.ts'

const DAY = 86_400
const idOf = ({ findingId }: FlagRecord): string => findingId
const flagRecord = (number: number, hash8: string, n = 0): FlagRecord => ({
  mint: key(n),
  creator: null,
  flag: 'creator_sold',
  findingId: `${number}@${hash8}:${n}`,
  at: 1_790_000_000 + number,
  mintAgeS: 1,
  evidence: '{}',
  chain: 'solana',
  number,
  tx: n,
  outer: 0,
  inner: 0,
})
const idsOf = (flags: readonly FlagRecord[]): string[] => flags.map(({ findingId }) => findingId)

describe('a retracted frame', () => {
  test('retracts the findings of that frame and partition, and no others', () => {
    const flags = new Retracted(idOf)
    flags.published(0, flagRecord(5, 'a'), 'a')
    flags.published(0, flagRecord(6, 'a', 1), 'a')
    flags.published(0, flagRecord(6, 'a', 2), 'a')
    flags.published(1, flagRecord(6, 'a', 3), 'a')
    expect(idsOf(flags.retract(0, { number: 6, hash8: 'a' }))).toEqual(['6@a:1', '6@a:2'])
    expect(flags.get('6@a:1')).toEqual(flagRecord(6, 'a', 1))
    expect([flags.get('5@a:0'), flags.get('6@a:3'), flags.get('unknown')]).toEqual([undefined, undefined, undefined])
  })
  test('is unchanged by a second retraction, and valid again if its branch returns, until it is retracted again', () => {
    const flags = new Retracted(idOf)
    flags.published(0, flagRecord(5, 'a'), 'a')
    flags.retract(0, { number: 5, hash8: 'a' })
    expect(flags.retract(0, { number: 5, hash8: 'a' })).toEqual([])
    flags.published(0, flagRecord(5, 'b'), 'b')
    flags.retract(0, { number: 5, hash8: 'b' })
    flags.published(0, flagRecord(5, 'a'), 'a')
    expect([flags.get('5@a:0'), flags.get('5@b:0')?.findingId]).toEqual([undefined, '5@b:0'])
    expect(idsOf(flags.retract(0, { number: 5, hash8: 'a' }))).toEqual(['5@a:0'])
  })
  test('is kept for a day of stream time', () => {
    const flags = new Retracted(idOf)
    flags.published(0, flagRecord(5, 'a'), 'a')
    flags.retract(0, { number: 5, hash8: 'a' })
    flags.published(0, flagRecord(5 + DAY, 'a'), 'a')
    expect(flags.get('5@a:0')).toBeDefined()
    flags.published(0, flagRecord(6 + DAY, 'a'), 'a')
    expect(flags.get('5@a:0')).toBeUndefined()
    flags.retract(0, { number: 6 + DAY, hash8: 'a' })
    expect(flags.size).toBe(1)
  })
})

test('findings older than the deepest fork are released', () => {
  const flags = new Retracted(idOf)
  for (let number = 0; number < 60_000; number++) flags.published(0, flagRecord(number, 'a'), 'a')
  expect(flags.retract(0, { number: 30_000, hash8: 'a' })).toEqual([])
  expect(idsOf(flags.retract(0, { number: 59_999, hash8: 'a' }))).toEqual(['59999@a:0'])
})

test('after any branches, the retracted findings are those not on the last branch', () => {
  // A step rolls back `back` frames, then adds a frame with `count` findings in each of two partitions.
  const steps = fc.array(fc.record({ back: fc.nat(4), branch: fc.constantFrom('a', 'b'), count: fc.nat(2) }), { maxLength: 40 })
  fc.assert(
    fc.property(steps, (all) => {
      const flags = new Retracted(idOf)
      const chain: { number: number; hash8: string; ids: string[] }[] = []
      const everFound = new Set<string>()
      for (const { back, branch, count } of all) {
        for (const { number, hash8, ids } of chain.splice(Math.max(0, chain.length - back)).reverse())
          for (const partition of [0, 1])
            expect(idsOf(flags.retract(partition, { number, hash8 }))).toEqual(ids.filter((_id, n) => n % 2 === partition))
        const number = chain.length
        const hash8 = `${chain.at(-1)?.hash8 ?? ''}${branch}`
        const ids = Array.from({ length: count * 2 }, (_, n) => {
          flags.published(n % 2, flagRecord(number, hash8, n), hash8)
          return `${number}@${hash8}:${n}`
        })
        chain.push({ number, hash8, ids })
        for (const id of ids) everFound.add(id)
      }
      const canonical = new Set(chain.flatMap(({ ids }) => ids))
      for (const id of everFound) expect([id, flags.get(id) !== undefined]).toEqual([id, !canonical.has(id)])
    }),
  )
})
