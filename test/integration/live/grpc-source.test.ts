// The gRPC source against a server that speaks the protocol: forks, ends, silence, repeats and omissions.
import type { RawFrame } from '../../../schemas/types.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { RpcBlocks } from '../../../topology/sources/solana/rpc/blocks.ts'
import { RpcClient } from '../../../topology/sources/solana/rpc/client.ts'
import { RpcFeed } from '../../../topology/sources/solana/rpc/feed.ts'
import { clockWake } from '../../../topology/sources/solana/rpc/wake.ts'
import { YellowstoneFeed } from '../../../topology/sources/solana/yellowstone/feed.ts'
import { GrpcNode } from '../../fakes/grpc-node.ts'
import { RpcNode, SECRET } from '../../fakes/rpc-node.ts'
import { type ChainBlock, marketBlocks, otherBranch } from '../../fixtures/chain-blocks.ts'
import { canonicalOn, type Running, runLive, sent } from '../../fixtures/live-given.ts'

const CHAIN = marketBlocks()
const at = (index: number): ChainBlock => CHAIN[index] as ChainBlock
const hashes = (blocks: readonly ChainBlock[]): string[] => blocks.map(({ hash }) => hash)
const gapsOf = (frames: readonly RawFrame[]) => frames.flatMap(({ number, missing }) => missing.map((one) => ({ number, ...one })))

let node: GrpcNode
let rpc: RpcNode
let running: Running | undefined
beforeEach(async () => {
  node = new GrpcNode()
  rpc = new RpcNode()
  await Promise.all([node.start(), rpc.start()])
})
afterEach(async () => {
  await running?.stop()
  running = undefined
  await Promise.all([node.stop(), rpc.stop()])
})

const start = async ({
  log = createMemoryLog({ partitions: 1 }),
  withRpc = false,
  silentMsMax = 5_000,
}: {
  log?: Log
  withRpc?: boolean
  silentMsMax?: number
} = {}) => {
  running = await runLive((notice) => {
    const client = new RpcClient({ url: rpc.url, name: 'test', notice, retryMsMin: 5 })
    const blocks = new RpcBlocks(client, 200)
    const filling = new RpcFeed(client, blocks, clockWake(5))
    const fill = withRpc ? filling.fill.bind(filling) : null
    const reader = withRpc ? blocks : null
    const feed = new YellowstoneFeed({ url: node.url, token: SECRET, fill, reader, notice, silentMsMax, retryMsMin: 10 })
    return { feed, reader, check: null }
  }, log)
  return running
}
const subscribed = async (options: Parameters<typeof start>[0] = {}): Promise<Running> => {
  const before = node.requests.length
  const live = await start(options)
  await live.until(() => node.subscribers > 0 && node.requests.length > before)
  return live
}
const canonicalHashes = async (live: Running): Promise<string[]> => (await canonicalOn(live.log)).map(({ hash }) => hash)
const sendBlocks = (blocks: readonly ChainBlock[]): void => {
  for (const block of blocks) node.block(block)
}

describe('the gRPC source', () => {
  test('sends a chain’s frames in order; reports confirmed and finalized for sent frames only', async () => {
    const live = await subscribed()
    expect(node.tokens).toEqual([SECRET])
    node.ping()
    await live.until(() => node.pings === 1)
    sendBlocks(CHAIN.slice(0, 8))
    node.slot(at(5).slot, 'confirmed')
    node.slot(at(2).slot, 'finalized')
    node.slot(at(9).slot, 'confirmed')
    await live.until(async () => (await sent(live.log)).at(-1)?.type === 'finality' && live.source.frames === 8)
    await live.until(
      async () =>
        JSON.stringify((await sent(live.log)).at(-1)) ===
        JSON.stringify({ type: 'finality', chain: 'solana', confirmed: at(5).slot, finalized: at(2).slot }),
    )
    sendBlocks(CHAIN.slice(8))
    await live.until(() => live.source.frames === CHAIN.length)
    const frames = await canonicalOn(live.log)
    expect(frames.map(({ hash }) => hash)).toEqual(hashes(CHAIN))
    expect(frames.every(({ status }) => status === 'processed')).toBe(true)
    expect(gapsOf(frames)).toEqual([])
    await live.until(async () =>
      JSON.stringify((await sent(live.log)).findLast(({ type }) => type === 'finality')).includes(`"confirmed":${at(9).slot}`),
    )
  })

  test('resumes a little before its newest frame after the stream ends, and takes repeated blocks once', async () => {
    const live = await subscribed()
    sendBlocks(CHAIN.slice(0, 10))
    await live.until(() => live.source.frames === 10)
    node.hangUp()
    sendBlocks(CHAIN.slice(10, 14))
    await live.until(() => live.source.frames === 14)
    expect(Number(node.requests.at(-1)?.fromSlot)).toBeLessThan(at(9).slot)
    expect(await canonicalHashes(live)).toEqual(hashes(CHAIN.slice(0, 14)))
    expect(live.notices.map((line) => line.split(' ')[0])).toEqual(['chain_stream_broken', 'chain_streams_again'])
    expect(live.notices.join()).not.toContain(SECRET)
  })

  test('resumes from its last committed frame in the next process', async () => {
    const live = await subscribed()
    sendBlocks(CHAIN.slice(0, 5))
    await live.until(() => live.source.frames === 5)
    await live.stop()
    sendBlocks(CHAIN.slice(5, 9))
    const again = await subscribed({ log: live.log })
    await again.until(() => again.source.frames === 9)
    expect(await canonicalHashes(again)).toEqual(hashes(CHAIN.slice(0, 9)))
  })

  test('reopens a stream that falls silent', async () => {
    const live = await subscribed({ silentMsMax: 150 })
    sendBlocks(CHAIN.slice(0, 2))
    await live.until(() => live.source.frames === 2 && node.requests.length > 1)
    expect(live.notices.join()).toContain('silent')
    sendBlocks(CHAIN.slice(2, 4))
    await live.until(() => live.source.frames === 4)
  })

  test('sends a revert on a fork; the first branch comes back if it is confirmed after all', async () => {
    const live = await subscribed()
    const other = otherBranch(at(3))
    const otherNext = otherBranch(at(4), other)
    sendBlocks([at(0), at(1), at(2), other, at(3), otherNext])
    await live.until(() => live.source.frames === 5)
    expect(await canonicalHashes(live)).toEqual(hashes([at(0), at(1), at(2), other, otherNext]))
    sendBlocks([at(4), at(5)])
    await live.until(async () => (await canonicalHashes(live)).length === 6)
    expect(await canonicalHashes(live)).toEqual(hashes(CHAIN.slice(0, 6)))
    expect((await sent(live.log)).filter(({ type }) => type === 'revert')).toMatchObject([{ number: at(2).slot }])
    const stray = { ...otherBranch(at(7)), parentSlot: at(5).slot, parentHash: at(5).hash }
    sendBlocks([at(6), stray])
    await live.until(async () => (await canonicalHashes(live)).at(-1) === stray.hash)
    node.slot(at(6).slot, 'confirmed')
    await live.until(async () => (await canonicalHashes(live)).at(-1) === at(6).hash)
    sendBlocks([at(7)])
    await live.until(async () => (await canonicalHashes(live)).length === 8)
    expect(await canonicalHashes(live)).toEqual(hashes(CHAIN.slice(0, 8)))
    expect(gapsOf(await canonicalOn(live.log))).toEqual([])
  })

  test('rolls back a dead slot, and a later block builds on the surviving one', async () => {
    const live = await subscribed()
    const dead = otherBranch(at(2))
    sendBlocks([at(0), at(1), dead])
    node.slot(dead.slot, 'dead')
    await live.until(async () => (await sent(live.log)).at(-1)?.type === 'revert')
    const next = { ...at(3), parentSlot: at(1).slot, parentHash: at(1).hash }
    sendBlocks([next])
    await live.until(async () => (await canonicalHashes(live)).length === 3)
    expect(await canonicalHashes(live)).toEqual(hashes([at(0), at(1), next]))
    expect(gapsOf(await canonicalOn(live.log))).toEqual([])
  })

  test('makes a gap of a block that the stream lost; with a JSON-RPC node, fetches that block there', async () => {
    const live = await subscribed()
    sendBlocks([at(0), at(1), at(3)])
    await live.until(() => live.source.frames === 3)
    expect(gapsOf(await canonicalOn(live.log))).toMatchObject([{ number: at(3).slot, from: at(1).slot + 1, to: at(2).slot }])
    await live.stop()
    rpc.add(...CHAIN)
    const again = await subscribed({ log: live.log, withRpc: true })
    sendBlocks([at(6)])
    await again.until(() => again.source.frames === 6)
    expect((await canonicalHashes(again)).slice(3)).toEqual(hashes([at(4), at(5), at(6)]))
  })

  test('when a node cannot go back far enough, the slots between are a gap, or filled by the JSON-RPC node in order', async () => {
    const live = await subscribed()
    sendBlocks([at(0)])
    await live.until(() => live.source.frames === 1)
    await live.stop()
    node.firstAvailable = null
    const before = node.fresh
    const lone = await start({ log: live.log })
    await lone.until(() => node.fresh > before)
    sendBlocks([at(4)])
    await lone.until(() => lone.source.frames === 2)
    expect(gapsOf(await canonicalOn(lone.log))).toMatchObject([{ number: at(4).slot, to: at(3).slot }])
    await lone.stop()
    const far = CHAIN.slice(5)
    rpc.add(...far)
    const { fresh } = node
    const filled = await start({ log: live.log, withRpc: true })
    await filled.until(() => node.fresh > fresh)
    sendBlocks([far.at(-1) as ChainBlock])
    await filled.until(() => filled.source.frames === 2 + far.length)
    expect((await canonicalHashes(filled)).slice(2)).toEqual(hashes(far))
    expect(gapsOf((await canonicalOn(filled.log)).slice(2))).toEqual([])
  })

  test('advances finality while blocks before the stream are filled in', async () => {
    const live = await subscribed()
    sendBlocks([at(0)])
    await live.until(() => live.source.frames === 1)
    await live.stop()
    node.firstAvailable = null
    const far = CHAIN.slice(5)
    const last = far.at(-1) as ChainBlock
    rpc.add(...far)
    rpc.finalized = at(9).slot
    rpc.fault = ({ method, params }) => (method === 'getBlock' && params[0] === far.at(-2)?.slot ? { hang: true } : undefined)
    const { fresh } = node
    const filled = await start({ log: live.log, withRpc: true })
    await filled.until(() => node.fresh > fresh)
    node.slot(last.slot, 'confirmed')
    sendBlocks([last])
    await filled.until(() => filled.source.frames >= 2)
    await filled.until(async () => (await sent(filled.log)).some(({ type }) => type === 'finality'))
    expect((await sent(filled.log)).findLast(({ type }) => type === 'finality')).toMatchObject({
      confirmed: at(5).slot,
      finalized: at(5).slot,
    })
  })

  test('marks a block without some of its transactions as incomplete; with a JSON-RPC node, takes the whole block from there', async () => {
    const live = await subscribed()
    node.block(at(0))
    node.block(at(1), 1)
    await live.until(() => live.source.frames === 2)
    const frames = await canonicalOn(live.log)
    expect(frames.map(({ whole }) => whole)).toEqual([true, false])
    expect(gapsOf(frames)).toMatchObject([
      { number: at(1).slot, from: at(1).slot, to: at(1).slot, reason: expect.stringContaining('left 1 transactions') },
    ])
    await live.stop()
    rpc.add(...CHAIN)
    const again = await subscribed({ log: live.log, withRpc: true })
    node.block(at(2), 2)
    await again.until(() => again.source.frames === 3)
    expect((await canonicalOn(again.log)).at(-1)).toMatchObject({ whole: true, missing: [] })
  })
})
