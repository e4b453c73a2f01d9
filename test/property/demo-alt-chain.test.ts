// The demo's chain of curves: one chain whatever the request pattern, orphaned branches, and bounded memory.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { nodeLogs } from '../../processors/chains/alt/chain.ts'
import { DemoChain, FIRST_BLOCK } from '../../topology/simulator/alt/chain.ts'
import { AltMarket } from '../../topology/simulator/alt/market.ts'
import { DemoNode } from '../../topology/simulator/alt/node.ts'
import type { NodeBlock, NodeLog } from '../../topology/sources/alt/node.ts'
import { BLOCKS_BATCH_MAX } from '../../topology/sources/alt/node.ts'

const START_MS = 1_790_000_000_000
const HOUR_BLOCKS = 36_000
const never = new AbortController().signal
const chainOf = (forksPerHour: number, seed = 1): DemoChain => new DemoChain({ seed, startMs: START_MS, forksPerHour })
/** A node whose newest block is at index `at`, counted from the first block. */
const nodeOf = (chain: DemoChain, at: () => number, seed = 1): DemoNode =>
  new DemoNode({ chain, market: new AltMarket({ seed, rate: 30 }, FIRST_BLOCK), head: () => FIRST_BLOCK + at() })
const logsOf = (node: DemoNode, from: number, to: number): Promise<readonly NodeLog[]> =>
  node.logs({ from: FIRST_BLOCK + from, to: FIRST_BLOCK + to }, nodeLogs.topics, never)
const blocksOf = async (node: DemoNode, from: number, count: number): Promise<readonly (NodeBlock | null)[]> =>
  node.blocks(
    Array.from({ length: count }, (_, n) => FIRST_BLOCK + from + n),
    true,
    never,
  )

describe('the chain of the demo', () => {
  const LENGTH = 600
  let whole: readonly NodeLog[]
  let blocks: readonly (NodeBlock | null)[]
  beforeAll(async () => {
    const node = nodeOf(chainOf(0), () => LENGTH)
    whole = await logsOf(node, 0, LENGTH)
    blocks = await blocksOf(node, 0, LENGTH)
  })

  test('returns the same blocks and logs whatever the request steps', async () => {
    expect(whole.length).toBeGreaterThan(200)
    const steps = fc.array(fc.record({ blocks: fc.integer({ min: 1, max: 90 }), back: fc.nat({ max: 40 }), asksBlocks: fc.boolean() }), {
      minLength: 30,
      maxLength: 30,
    })
    await fc.assert(
      fc.asyncProperty(steps, async (asked) => {
        const node = nodeOf(chainOf(0), () => LENGTH)
        let at = 0
        for (const { blocks: count, back, asksBlocks } of asked) {
          const [from, to] = [Math.max(0, at - back), Math.min(LENGTH, at + count)]
          if (asksBlocks) {
            const some = await blocksOf(node, from, BLOCKS_BATCH_MAX)
            const known = some.slice(0, Math.max(0, LENGTH - from))
            expect(known).toEqual(blocks.slice(from, from + known.length))
          }
          expect(await logsOf(node, from, to)).toEqual(
            whole.filter(({ blockNumber }) => blockNumber >= FIRST_BLOCK + from && blockNumber <= FIRST_BLOCK + to),
          )
          at = to
        }
      }),
      { numRuns: 10 },
    )
  })

  test('is another chain for another seed', async () => {
    const other = nodeOf(chainOf(0, 2), () => LENGTH, 2)
    expect(await logsOf(other, 0, LENGTH)).not.toEqual(whole)
    expect((await blocksOf(other, 0, 1))[0]?.hash).not.toBe(blocks[0]?.hash)
  })

  test('drops the logs of blocks far behind the newest requested block', async () => {
    const node = nodeOf(chainOf(0), () => 6_000)
    expect(await logsOf(node, 0, LENGTH)).toEqual(whole)
    expect((await logsOf(node, 6_000 - 2_048, 6_000)).length).toBeGreaterThan(0)
    expect(await logsOf(node, 0, LENGTH)).toEqual([])
  })
})

describe('orphaned branches', () => {
  /** Numbers of the blocks of an orphaned branch that ends at the newest block `head`, from `head` downwards. */
  const dyingAt = (chain: DemoChain, head: number): number[] => {
    const numbers: number[] = []
    for (let number = head; chain.isDying(number, head); number--) numbers.push(number)
    return numbers
  }
  const depthsOf = (chain: DemoChain, blocks: number): number[] => {
    const depths: number[] = []
    for (let head = FIRST_BLOCK; head < FIRST_BLOCK + blocks; head++) {
      const [now, next] = [dyingAt(chain, head).length, dyingAt(chain, head + 1).length]
      if (now > 0 && next < now) depths.push(now)
    }
    return depths
  }

  test('occur at the configured rate per hour, at every depth from 1 to 20 where there is space', () => {
    const depths = depthsOf(chainOf(600), HOUR_BLOCKS)
    expect(depths.length).toBe(600)
    expect(new Set(depths)).toEqual(new Set(Array.from({ length: 20 }, (_, n) => n + 1)))
    expect(depthsOf(chainOf(0), HOUR_BLOCKS)).toEqual([])
  })
  test.each([12, 1_700, 1_800, 3_600])('%i an hour: the rate is about as configured', (forksPerHour) => {
    const { length } = depthsOf(chainOf(forksPerHour), HOUR_BLOCKS)
    expect(Math.abs(length - forksPerHour)).toBeLessThanOrEqual(forksPerHour * 0.02)
  })
  test('are the newest blocks of any head, and their base equals the chain without forks', () => {
    const [chain, straight] = [chainOf(600), chainOf(0)]
    let forks = 0
    for (let head = FIRST_BLOCK + 50; head < FIRST_BLOCK + 1_000; head++) {
      const dying = dyingAt(chain, head)
      forks += dying.length > 0 ? 1 : 0
      const numbers = Array.from({ length: 40 }, (_, n) => head - n)
      expect(numbers.filter((number) => chain.hashOf(number, head) !== straight.hashOf(number, head))).toEqual(dying)
    }
    expect(forks).toBeGreaterThan(50)
  })
  test('miss transactions, and later requests to a node whose head advances return the canonical branch', async () => {
    let at = 0
    const [node, straight] = [nodeOf(chainOf(900), () => at), nodeOf(chainOf(0), () => 2_000)]
    let missed = 0
    for (; at < 2_000; at++) {
      const [newest, canonical] = [await logsOf(node, at, at), await logsOf(straight, at, at)]
      if (newest.length < canonical.length) missed += 1
      else expect(newest.map(({ data, topics }) => [data, topics])).toEqual(canonical.map(({ data, topics }) => [data, topics]))
    }
    expect(missed).toBeGreaterThan(20)
    expect(await logsOf(node, 0, 1_900)).toEqual(await logsOf(straight, 0, 1_900))
  })
})

test('the memory of the curves does not grow over hours of the market', () => {
  const market = new AltMarket({ seed: 1, rate: 10 }, FIRST_BLOCK)
  const heapAfter = (hours: number): number => {
    for (let n = 0; n < hours * HOUR_BLOCKS; n++) market.block()
    return heapBytes()
  }
  const before = heapAfter(1)
  expect(heapAfter(3) - before).toBeLessThan(2_000_000)
})

const heapBytes = (): number => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}
