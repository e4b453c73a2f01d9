// The source against a node that fails, returns wrong data and lags in every way: the frames end as those of the node's canonical chain,
// without a manual restart. Each case runs on three chains.
import type { NodeBlock, NodeLog } from '../../../topology/sources/alt/node.ts'
import { pause } from '../../../topology/waiting/waiting.ts'
import { type Case, started } from '../../fixtures/alt-world.ts'

const otherHash = (text: string): string => `${text.slice(0, -4)}${text.endsWith('beef') ? 'cafe' : 'beef'}`
const lie = {
  logsOfAnotherBlock: (logs: readonly NodeLog[]) => logs.map((log) => ({ ...log, blockHash: otherHash(log.blockHash) })),
  headerOfAnotherBlock: (blocks: readonly (NodeBlock | null)[]) =>
    blocks.map((block) => block && { ...block, hash: otherHash(block.hash), parentHash: otherHash(block.parentHash) }),
  blocksInAnotherOrder: (blocks: readonly (NodeBlock | null)[]) => [...blocks].reverse(),
  noLogs: () => [],
}

const troubled = (trouble: 'limited' | 'refused' | 'unreachable' | 'unreadable'): Case => [
  `every third request fails (${trouble})`,
  async (world) => {
    world.sometimes(0.33, () => ({ trouble, waitMs: 5 }))
    await world.mine(20)
    world.mineAtOnce(300)
    await world.fork(7)
  },
]

const FAULTS: readonly Case[] = [
  ...(['limited', 'refused', 'unreachable', 'unreadable'] as const).map(troubled),
  [
    'requests that are never answered',
    async (world) => {
      world.sometimes(0.1, () => ({ hang: true }))
      await world.mine(30)
      await world.fork(4)
    },
  ],
  [
    'answers of a node that is behind its own head',
    async (world) => {
      world.sometimes(0.5, () => ({ lag: world.dice.int(1, 4) }))
      await world.mine(60)
      await world.fork(5)
    },
  ],
  [
    'logs that name another block',
    async (world) => {
      world.sometimes(0.4, () => ({ logs: lie.logsOfAnotherBlock }))
      await world.mine(60)
    },
  ],
  [
    'headers of another block',
    async (world) => {
      world.sometimes(0.4, () => ({ blocks: lie.headerOfAnotherBlock }))
      await world.mine(60)
    },
  ],
  [
    'blocks in another order than requested',
    async (world) => {
      world.sometimes(0.5, () => ({ blocks: lie.blocksInAnotherOrder }))
      await world.mine(20)
      world.mineAtOnce(60)
    },
  ],
  [
    'ranges answered without logs',
    async (world) => {
      world.node.fault = ({ what }) => (typeof what === 'object' && what !== null && 'from' in what ? { logs: lie.noLogs } : undefined)
      await world.mine(60)
    },
  ],
  [
    'ranges that are silently cut short',
    async (world) => {
      world.node.logsMax = 110
      world.mineAtOnce(700)
      await world.caughtUp()
      world.mineAtOnce(90)
    },
  ],
  [
    'a node that takes ranges of 10 blocks at most',
    async (world) => {
      world.node.rangeMax = 10
      world.mineAtOnce(500)
    },
  ],
  [
    'announcements that stop, end and repeat',
    async (world) => {
      await world.mine(5)
      world.node.announcing = 'silent'
      await world.mine(5)
      await world.caughtUp()
      world.node.announcing = 'closed'
      world.node.close()
      await world.mine(5)
      await world.caughtUp()
      world.node.announcing = 'each'
      await world.live.until(() => world.node.subscriptions > 0)
      await world.mine(5)
      for (const block of [...world.chain.blocks.slice(-8), ...world.chain.blocks.slice(-3)]) world.node.announce(block)
      world.node.announce({ ...world.chain.head, number: world.chain.head.number - 2 })
      world.node.announce({ ...world.chain.head, number: world.chain.head.number + 9 })
      await world.mine(5)
    },
  ],
  [
    'the process dies again and again, at any request',
    async (world) => {
      for (let i = 0; i < 8; i++) {
        const dying = world.node.asked.length + world.dice.int(1, 12)
        const dead = new Promise<void>((resolve) => {
          world.node.fault = () => {
            if (world.node.asked.length < dying) return undefined
            resolve()
            return { hang: true }
          }
        })
        await world.mine(world.dice.int(2, 20))
        if (world.dice.share() < 0.5) await world.fork(world.dice.int(1, 10))
        await Promise.race([dead, pause(300)])
        await world.live.stop()
        world.node.fault = () => undefined
        await world.start()
      }
    },
  ],
  [
    'a thousand curves that are created and traded in one block',
    async (world) => {
      world.node.announce(world.chain.mineBlock({ launches: 1_000, buys: 0, strangers: 500 }))
      await world.caughtUp()
      world.node.announce(world.chain.mineBlock({ launches: 500, buys: 1_000, strangers: 0 }))
      await world.mine(3)
    },
  ],
]

describe.each([1, 2, 3])('chain %i', (seed) => {
  test.each(FAULTS)('%s: frames equal the canonical chain, each once', async (_behaviour, play) => {
    const world = await started(seed)
    await play(world)
    world.node.fault = () => undefined
    await world.mine(1)
    await world.caughtUp()
    expect(await world.standing()).toEqual(world.expected())
    await world.live.stop()
  })

  test('without faults never rolls back and reports no trouble', async () => {
    const world = await started(seed, 20_000)
    await world.mine(60)
    world.mineAtOnce(1_200)
    await world.caughtUp()
    expect(await world.reverts()).toBe(0)
    expect(world.live.notices).toEqual([])
    await world.live.stop()
  })
})
