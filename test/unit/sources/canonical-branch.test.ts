// Frames of a forking chain as written to a recording: those of the canonical branch, in order, each part once.
import fc from 'fast-check'
import type { RawFrame } from '../../../schemas/types.ts'
import { CanonicalBranch } from '../../../topology/sources/recording/canonical-branch.ts'

const frame = (number: number, hash: string, changes: Partial<RawFrame> = {}): RawFrame => ({
  type: 'frame',
  chain: 'solana',
  number,
  hash,
  hashSynthetic: false,
  parentNumber: null,
  parentHash: null,
  status: 'processed',
  blockTime: number,
  whole: true,
  placed: true,
  vouched: false,
  part: 0,
  parts: 1,
  missing: [],
  body: Buffer.alloc(0),
  ...changes,
})
const given = (): { readonly branch: CanonicalBranch; readonly taken: string[] } => {
  const taken: string[] = []
  const branch = new CanonicalBranch(async ({ number, hash, part }) => void taken.push(`${number}${hash}${part}`))
  return { branch, taken }
}

describe('frames of a chain that forks', () => {
  test('are released at once if they arrive finalized, with the frames before them', async () => {
    const { branch, taken } = given()
    await branch.frame(frame(1, 'a'))
    expect(taken).toEqual([])
    await branch.frame(frame(2, 'a', { status: 'finalized', parts: 2 }))
    await branch.frame(frame(2, 'a', { status: 'finalized', parts: 2, part: 1 }))
    expect(taken).toEqual(['1a0', '2a0', '2a1'])
  })
  test('are released as final up to the finality; at the end, others with their original status', async () => {
    const taken: string[] = []
    const branch = new CanonicalBranch(async ({ number, status }) => void taken.push(`${number} ${status}`))
    for (const number of [1, 2, 4]) await branch.frame(frame(number, 'a'))
    await branch.finality({ finalized: 3 })
    expect(taken).toEqual(['1 finalized', '2 finalized'])
    await branch.finality({ finalized: 4 })
    await branch.frame(frame(5, 'a'))
    await branch.end()
    expect(taken).toEqual(['1 finalized', '2 finalized', '4 finalized', '5 processed'])
  })
  test('are all dropped by a fork before the first frame; a fork before released frames is refused', async () => {
    const { branch, taken } = given()
    await branch.frame(frame(5, 'a'))
    branch.revert({ number: 4, hash: 'a' })
    await branch.frame(frame(5, 'b', { status: 'finalized' }))
    await branch.frame(frame(6, 'b'))
    branch.revert({ number: 5, hash: 'b' })
    await branch.frame(frame(6, 'c', { status: 'finalized' }))
    expect(taken).toEqual(['5b0', '6c0'])
    expect(() => branch.revert({ number: 5, hash: 'b' })).toThrow('slot 5')
  })
  test('wait for finality up to 128 at a time; if the source reports none, the oldest are released', async () => {
    const { branch, taken } = given()
    for (let number = 0; number < 200; number++) await branch.frame(frame(number, 'a'))
    expect(taken).toHaveLength(200 - 128)
  })
  test('form the last branch, after any branches', () => {
    const moves = fc.array(fc.record({ back: fc.nat(4), branch: fc.constantFrom('a', 'b'), parts: fc.integer({ min: 1, max: 3 }) }))
    return fc.assert(
      fc.asyncProperty(moves, fc.integer({ min: 4, max: 9 }), async (all, finalBehind) => {
        const { branch, taken } = given()
        const chain: RawFrame[][] = []
        for (const { back, branch: name, parts } of all) {
          const gone = chain.splice(Math.max(1, chain.length - back)).length
          const tip = chain.at(-1)?.[0]
          if (gone > 0 && tip !== undefined) branch.revert(tip)
          const number = chain.length
          const whole = Array.from({ length: parts }, (_, part) => frame(number, `${tip?.hash ?? ''}${name}`, { part, parts }))
          chain.push(whole)
          for (const part of whole) await branch.frame(part)
          await branch.finality({ finalized: number - finalBehind })
        }
        await branch.end()
        expect(taken).toEqual(chain.flat().map(({ number, hash, part }) => `${number}${hash}${part}`))
      }),
    )
  })
})
