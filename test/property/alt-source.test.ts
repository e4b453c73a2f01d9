// The pure core of the alt chain's source, over random chains, forks of any depth and answers of every kind.
import fc from 'fast-check'
import { searchAncestor } from '../../topology/sources/alt/ancestor.ts'
import { bloomReader } from '../../topology/sources/alt/bloom.ts'
import { checkRange, isDoubtful } from '../../topology/sources/alt/checked-range.ts'
import { BLOCKS_BATCH_MAX, type NodeBlock } from '../../topology/sources/alt/node.ts'
import { SPAN_BLOCKS_MAX, Span, sizeOf } from '../../topology/sources/alt/span.ts'
import { type OwnBlock, WINDOW_BLOCKS, Window } from '../../topology/sources/alt/window.ts'
import { EvmChain, someContent } from '../fakes/evm-chain.ts'
import { launchpadLogs } from '../fixtures/alt-logs.ts'

const own = (number: number, branch: string, isFrame = true): OwnBlock => ({ number, hash: `${branch}${number}`, time: number, isFrame })
const { topics } = launchpadLogs()
const readBloom = bloomReader(topics)

describe('the search for the common ancestor', () => {
  test('finds the newest shared block in at most 5 requests, for any window with or without holes and any fork depth', () => {
    const windows = fc.uniqueArray(fc.nat(5_000), { minLength: 1, maxLength: 400 })
    fc.assert(
      fc.property(windows, fc.nat(5_000), (numbers, forkedAt) => {
        const ours = [...numbers].sort((a, b) => a - b).map((number) => own(number, 'ours'))
        const hashAt = (number: number): string => (number < forkedAt ? `ours${number}` : `theirs${number}`)
        const answers = new Map<number, string>()
        let questions = 0
        for (let search = searchAncestor(ours, answers); ; search = searchAncestor(ours, answers)) {
          const expected = ours.findLast(({ number }) => number < forkedAt)
          if (search.type === 'found') return expect(search.ancestor).toBe(expected)
          if (search.type === 'none') return expect(expected).toBeUndefined()
          expect(search.numbers.length).toBeGreaterThan(0)
          expect(search.numbers.length).toBeLessThanOrEqual(BLOCKS_BATCH_MAX)
          for (const number of search.numbers) {
            expect(answers.has(number)).toBe(false)
            answers.set(number, hashAt(number))
          }
          expect(++questions).toBeLessThanOrEqual(5)
        }
      }),
    )
  })
  test('ends when the answers do not describe one branch', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 300 }), (shared) => {
        const ours = shared.map((_, number) => own(number, 'ours'))
        const answers = new Map<number, string>()
        let search = searchAncestor(ours, answers)
        for (; search.type === 'ask'; search = searchAncestor(ours, answers))
          for (const number of search.numbers) answers.set(number, shared[number] ? `ours${number}` : 'other')
        expect(['found', 'none']).toContain(search.type)
      }),
    )
  })
})

describe('the window', () => {
  test('keeps the blocks that a fork may reach, and truncates only to a frame', () => {
    fc.assert(
      fc.property(fc.nat(12_000), fc.integer({ min: 1, max: 40 }), (blocks, every) => {
        const window = new Window()
        for (let number = 0; number <= blocks; number++) window.push(own(number, 'a', number % every === 0))
        const { head, tip } = window
        expect(head?.number).toBe(blocks)
        expect(tip?.number).toBe(blocks - (blocks % every))
        const reach = Math.max(0, blocks - WINDOW_BLOCKS)
        const frame = window.frameUpTo(reach)
        expect(frame?.number).toBe(reach - (reach % every))
        const back = window.upTo(frame as OwnBlock)
        expect(back.head).toEqual(frame)
        expect(window.blocks.length).toBeLessThanOrEqual(2 * WINDOW_BLOCKS + 1)
      }),
      { numRuns: 30 },
    )
  })
})

describe('the block span of a request', () => {
  test('stays within its limits and always makes progress, whatever order of failed and successful ranges', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean()), fc.integer({ min: 1, max: 10_000 }), (fates, behind) => {
        const span = new Span()
        for (const isHeld of fates) {
          const range = span.range(10, 9 + behind)
          expect(sizeOf(range)).toBeGreaterThanOrEqual(1)
          expect(sizeOf(range)).toBeLessThanOrEqual(Math.min(SPAN_BLOCKS_MAX, behind))
          const before = span.blocks
          if (isHeld) span.held(range)
          else span.failed(range)
          expect(span.blocks <= before).toBe(!isHeld || span.blocks === before)
        }
      }),
    )
  })
  test('converges to the block limit of a node, and most ranges succeed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: SPAN_BLOCKS_MAX }), (limit) => {
        const span = new Span()
        let refused = 0
        for (let tries = 0; tries < 400; tries++) {
          const range = span.range(0, 1_000_000)
          if (sizeOf(range) <= limit) span.held(range)
          else {
            span.failed(range)
            refused++
          }
        }
        expect(refused).toBeLessThan(limit === 1 ? 210 : 160)
      }),
    )
  })
})

const chains = fc.integer({ min: 1, max: 1_000_000 }).map((seed) => {
  const chain = new EvmChain()
  const content = someContent(seed)
  for (let i = 0; i < 12; i++) chain.mineBlock(content())
  return chain
})

describe('a range that a node answered', () => {
  test('links all blocks of an honest answer, and marks each block with missing logs as doubtful', () => {
    fc.assert(
      fc.property(chains, ({ blocks }) => {
        const [parent, ...rest] = blocks
        const logs = rest.flatMap((block) => block.logs)
        const checked = checkRange({ from: 1, to: rest.length }, parent?.hash ?? '', rest, logs)
        expect(checked).toEqual({ type: 'linked', blocks: rest.map((block) => ({ block, logs: block.logs })) })
        for (const block of rest) {
          const first = block.logs.filter((log) => topics.includes(log.topics[0] as string))
          expect(isDoubtful({ block, logs: [] }, readBloom(block.logsBloom)) || first.length === 0).toBe(true)
        }
      }),
    )
  })
  test('accepts of a changed answer only blocks of the chain with their own logs', () => {
    const change = fc.record({
      place: fc.nat(11),
      kind: fc.constantFrom('hash', 'parent', 'number', 'absent', 'log block', 'log twice', 'log transaction'),
    })
    fc.assert(
      fc.property(chains, change, ({ blocks }, { place: index, kind }) => {
        const [parent, ...rest] = blocks
        const victim = rest[index] as NodeBlock
        const changed = rest.map((block, at): NodeBlock | null => {
          if (at !== index) return block
          if (kind === 'absent') return null
          if (kind === 'hash') return { ...block, hash: `${block.hash}x` }
          if (kind === 'parent') return { ...block, parentHash: `${block.parentHash}x` }
          return kind === 'number' ? { ...block, number: block.number + 1 } : block
        })
        const logs = rest.flatMap((block) => block.logs)
        const faulty = logs.flatMap((log, at) => {
          if (log.blockHash !== victim.hash || logs[at - 1]?.blockHash === victim.hash) return [log]
          if (kind === 'log block') return [{ ...log, blockHash: parent?.hash ?? '' }]
          if (kind === 'log transaction') return [{ ...log, transactionHash: 'another' }]
          return kind === 'log twice' ? [log, log] : [log]
        })
        const checked = checkRange({ from: 1, to: rest.length }, parent?.hash ?? '', changed, faulty)
        if (checked.type !== 'linked') return
        for (const [at, one] of checked.blocks.entries())
          if (at !== index || kind !== 'hash') expect(one).toEqual({ block: rest[at], logs: rest[at]?.logs })
          // No later block of the answer confirms this hash: the next one does not link to it, so the rest is requested again.
          else expect(checked.blocks.length).toBe(index + 1)
      }),
    )
  })
})
