// Which frame carries the result of a check, over every order of verdicts and forks.
import fc from 'fast-check'
import type { RawFrame } from '../../../schemas/types.ts'
import { type Verdict, Verdicts } from '../../../topology/sources/checks/verdicts.ts'

const frame = (number: number, hash: string): RawFrame => ({ number, hash, whole: true, missing: [] }) as unknown as RawFrame
const verdict = (number: number, hash: string, isWhole = false): Verdict => ({
  number,
  hash,
  missing: [{ from: number, to: number, reason: isWhole ? 'not checked' : 'lacks', signature: isWhole ? null : `s${hash}`, mints: [] }],
  isWhole,
})
const named = ({ missing }: RawFrame): string[] => missing.flatMap(({ signature }) => signature ?? [])

describe('verdicts', () => {
  test('are carried by the next frame, once, which then counts as not whole', () => {
    const verdicts = new Verdicts(512)
    const isCanonical = ({ hash }: { readonly hash: string }): boolean => ['a', 'b', 'c'].includes(hash)
    verdicts.add([verdict(1, 'a')])
    const carrier = verdicts.carriedBy(frame(2, 'b'), isCanonical)
    expect([carrier.whole, named(carrier)]).toEqual([false, ['sa']])
    expect(verdicts.carriedBy(frame(3, 'c'), isCanonical)).toEqual(frame(3, 'c'))
  })
  test('on unchecked neighbours are one range, and leave the frame whole', () => {
    const verdicts = new Verdicts(512)
    verdicts.add([verdict(2, 'b', true), verdict(1, 'a', true)])
    expect(verdicts.carriedBy(frame(3, 'c'), () => true)).toMatchObject({ whole: true, missing: [{ from: 1, to: 2, signature: null }] })
  })
  test('are on the canonical branch exactly once, whatever forks occur and whenever a check ends', () => {
    const step = fc.oneof(
      fc.record({ type: fc.constant('grow' as const) }),
      fc.record({ type: fc.constant('fork' as const), back: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ type: fc.constant('end' as const), which: fc.nat(20) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const verdicts = new Verdicts(512)
        let branch: RawFrame[] = []
        const waiting: Verdict[] = []
        const ended = new Set<string>()
        let next = 0
        const grow = (): void => {
          const made = frame((branch.at(-1)?.number ?? 0) + 1, `f${next++}`)
          const isCanonical = ({ hash }: { readonly hash: string }): boolean =>
            hash === made.hash || branch.some((one) => one.hash === hash)
          branch.push(verdicts.carriedBy(made, isCanonical))
          waiting.push(verdict(made.number, made.hash))
        }
        for (const one of steps)
          if (one.type === 'grow') grow()
          else if (one.type === 'fork') branch = branch.slice(0, Math.max(0, branch.length - one.back))
          else {
            const [over] = waiting.splice(one.which % Math.max(1, waiting.length), 1)
            if (over === undefined) continue
            ended.add(over.hash)
            verdicts.add([over])
          }
        const before = branch.map(({ hash }) => hash)
        grow()
        const due = before.filter((hash) => ended.has(hash)).map((hash) => `s${hash}`)
        expect(branch.flatMap(named).sort()).toEqual(due.sort())
      }),
    )
  })
})
