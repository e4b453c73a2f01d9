// The source against forks of various depths: at the head, during catch-up, across a restart, and back to an orphaned branch. In the end
// its frames are those of the node's canonical chain. Each case runs on three chains.
import { pause } from '../../../topology/waiting/waiting.ts'
import { type Case, started } from '../../fixtures/alt-world.ts'
import { sent } from '../../fixtures/live-given.ts'

const FORKS: readonly Case[] = [
  ...[1, 2, 7, 20, 100].map(
    (depth): Case => [
      `a fork of depth ${depth} at the head`,
      async (world) => {
        world.node.tags = { safe: 150, finalized: 200 }
        await world.mine(depth + 5)
        await world.caughtUp()
        await world.fork(depth)
      },
    ],
  ),
  [
    'forks one after the other',
    async (world) => {
      await world.mine(30)
      for (let i = 0; i < 12; i++) await world.fork(world.dice.int(1, 12), world.dice.int(1, 14))
    },
  ],
  [
    'a fork to a shorter branch, which grows later',
    async (world) => {
      await world.mine(30)
      await world.caughtUp()
      await world.fork(20, 5)
      await world.mine(30)
    },
  ],
  [
    'a fork during catch-up',
    async (world) => {
      world.mineAtOnce(1_500)
      await pause(world.dice.int(1, 30))
      await world.fork(world.dice.int(5, 800), 900)
    },
  ],
  [
    'a fork while the source is down',
    async (world) => {
      await world.mine(40)
      await world.caughtUp()
      await world.live.stop()
      world.chain.cut(world.dice.int(1, 35))
      world.mineAtOnce(50)
      await world.start()
    },
  ],
  [
    'a branch that is orphaned and comes back',
    async (world) => {
      await world.mine(20)
      await world.caughtUp()
      const first = world.chain.cut(8)
      await world.mine(9)
      await world.caughtUp()
      world.chain.blocks = first
      await world.mine(3)
    },
  ],
  [
    'a head that goes backwards, and blocks that come again',
    async (world) => {
      await world.mine(20)
      await world.caughtUp()
      const whole = world.chain.cut(6)
      for (const block of world.chain.blocks.slice(-4)) world.node.announce(block)
      await pause(30)
      world.chain.blocks = whole
      await world.mine(2)
    },
  ],
]

describe.each([1, 2, 3])('chain %i', (seed) => {
  test.each(FORKS)('%s: frames equal the canonical chain, each once', async (_behaviour, play) => {
    const world = await started(seed)
    await play(world)
    await world.mine(1)
    await world.caughtUp()
    expect(await world.standing()).toEqual(world.expected())
    await world.live.stop()
  })

  test('rolls nothing back for a branch that forks below finality, and resumes once the node is back on the final branch', async () => {
    const world = await started(seed)
    world.node.tags = { safe: 5, finalized: 10 }
    await world.mine(30)
    await world.live.until(async () => (await sent(world.live.log)).some((body) => body.type === 'finality' && body.finalized > 10))
    await world.caughtUp()
    const before = world.chain.cut(25)
    world.mineAtOnce(40)
    await world.live.until(() => world.live.notices.some((one) => one.startsWith('finality_broken')))
    expect(await world.reverts()).toBe(0)
    world.chain.blocks = before
    await world.mine(20)
    await world.caughtUp()
    expect(await world.standing()).toEqual(world.expected())
    expect(await world.reverts()).toBe(0)
    await world.live.stop()
  })
})
