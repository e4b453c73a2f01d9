// The JSON-RPC source against a server that speaks the protocol and fails in every way a node does.
import { decodeFrame } from '../../../processors/chains/solana/decode-frame.ts'
import type { Finality, RawFrame } from '../../../schemas/types.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { RpcBlocks } from '../../../topology/sources/solana/rpc/blocks.ts'
import { RpcClient } from '../../../topology/sources/solana/rpc/client.ts'
import { RpcFeed } from '../../../topology/sources/solana/rpc/feed.ts'
import { clockWake, SlotWake } from '../../../topology/sources/solana/rpc/wake.ts'
import { RpcNode, SECRET } from '../../fakes/rpc-node.ts'
import { type ChainBlock, marketBlocks, otherBranch } from '../../fixtures/chain-blocks.ts'
import { canonicalOn, type Running, runLive, sent } from '../../fixtures/live-given.ts'

const CHAIN = marketBlocks()
const first = CHAIN[0] as ChainBlock
const at = (index: number): ChainBlock => CHAIN[index] as ChainBlock
const hashes = (blocks: readonly ChainBlock[]): string[] => blocks.map(({ hash }) => hash)

let node: RpcNode
let running: Running | undefined
beforeEach(async () => {
  node = new RpcNode()
  await node.start()
})
afterEach(async () => {
  await running?.stop()
  running = undefined
  await node.stop()
})

const start = async (
  log: Log = createMemoryLog({ partitions: 1 }),
  { ws = false, framesMax }: { ws?: boolean; framesMax?: number } = {},
) => {
  running = await runLive((notice, stop) => {
    const client = new RpcClient({ url: node.url, name: 'test', notice, answerMsMax: 500, retryMsMin: 5 })
    const blocks = new RpcBlocks(client, 5_000)
    const feed = new RpcFeed(client, blocks, ws ? new SlotWake(node.wsUrl, notice, stop) : clockWake(5))
    return { feed, reader: blocks, check: null, ...(framesMax === undefined ? {} : { framesMax }) }
  }, log)
  return running
}
/** Starts where the chain has only its first block, so everything after it is expected. */
const startAtFirst = async (): Promise<Running> => {
  node.add(first)
  const live = await start()
  await live.until(() => live.source.frames === 1)
  return live
}
const canonicalHashes = async (live: Running): Promise<string[]> => (await canonicalOn(live.log)).map(({ hash }) => hash)
const gapsOf = (frames: readonly RawFrame[]) => frames.flatMap(({ number, missing }) => missing.map((one) => ({ number, ...one })))

describe('the JSON-RPC source', () => {
  test('sends a chain’s frames in order with their events, each once, and finality', async () => {
    const live = await startAtFirst()
    node.finalized = at(4).slot
    node.add(...CHAIN)
    await live.until(() => live.source.tip()?.number === CHAIN.at(-1)?.slot)
    const frames = await canonicalOn(live.log)
    expect(frames.map(({ hash }) => hash)).toEqual(hashes(CHAIN))
    expect(frames.flatMap((frame) => decodeFrame(frame).deadLetters)).toEqual([])
    expect(frames.flatMap((frame) => decodeFrame(frame).events).length).toBeGreaterThan(50)
    expect(gapsOf(frames)).toEqual([])
    await live.until(async () => (await sent(live.log)).some((body) => body.type === 'finality' && body.finalized === at(4).slot))
    const last = (await sent(live.log)).findLast((body): body is Finality => body.type === 'finality')
    expect(last).toMatchObject({ confirmed: CHAIN.at(-1)?.slot, finalized: at(4).slot })
  })

  test('distinguishes skipped slots from blocks that do not exist yet, and makes no gap of them', async () => {
    const live = await startAtFirst()
    const late = at(6)
    node.fault = ({ method, params }, times) =>
      method === 'getBlock' && params[0] === late.slot && times < 2 ? { error: -32_004 } : undefined
    node.add(...CHAIN.slice(1, 12))
    await live.until(() => live.source.tip()?.number === at(11).slot)
    expect(CHAIN.slice(1, 12).some(({ slot, parentSlot }) => slot - parentSlot > 1)).toBe(true)
    expect(await canonicalHashes(live)).toEqual(hashes(CHAIN.slice(0, 12)))
    expect(gapsOf(await canonicalOn(live.log))).toEqual([])
  })

  test('requests each slot of a node that does not list slots with blocks', async () => {
    node.fault = ({ method }) => (method === 'getBlocks' ? { error: -32_601 } : undefined)
    const live = await startAtFirst()
    node.add(...CHAIN.slice(1, 12))
    await live.until(() => live.source.tip()?.number === at(11).slot)
    expect(gapsOf(await canonicalOn(live.log))).toEqual([])
  })

  test('detects blocks that a node omits from its list by their parents, and fetches them', async () => {
    const live = await startAtFirst()
    node.fault = ({ method }) => (method === 'getBlocks' ? { result: [at(5).slot] } : undefined)
    node.add(...CHAIN.slice(1, 6))
    await live.until(() => live.source.tip()?.number === at(5).slot)
    expect(await canonicalHashes(live)).toEqual(hashes(CHAIN.slice(0, 6)))
    expect(gapsOf(await canonicalOn(live.log))).toEqual([])
  })

  test.each<[string, object]>([
    ['429', { status: 429, retryAfter: '0' }],
    ['503', { status: 503 }],
    ['an answer that never comes', { hang: true }],
    ['a connection that ends in the middle', { cut: true }],
    ['an answer cut in the middle', { truncated: true }],
    ['a node that is behind', { error: -32_005 }],
  ])('after %s retries, and nothing is missing', async (kind, fault) => {
    const live = await startAtFirst()
    node.fault = (_ask, times) => (times < 2 && node.asked.length % 3 === 0 ? (fault as never) : undefined)
    node.add(...CHAIN.slice(1, 5))
    await live.until(() => live.source.tip()?.number === at(4).slot)
    expect(await canonicalHashes(live)).toEqual(hashes(CHAIN.slice(0, 5)))
    expect(gapsOf(await canonicalOn(live.log))).toEqual([])
    expect(live.notices.join()).not.toContain(SECRET)
    if (kind === '429') expect(live.notices[0]).toContain('limited')
  })

  test('a block that the node cannot return is a gap with its range and reason within the next frame, and the rest continues', async () => {
    const live = await startAtFirst()
    node.fault = ({ method, params }) => (method === 'getBlock' && params[0] === at(2).slot ? { truncated: true } : undefined)
    node.add(...CHAIN.slice(1, 5))
    await live.until(() => live.source.tip()?.number === at(4).slot)
    const frames = await canonicalOn(live.log)
    expect(frames.map(({ hash }) => hash)).toEqual(hashes([at(0), at(1), at(3), at(4)]))
    expect(gapsOf(frames)).toEqual([
      {
        number: at(3).slot,
        from: at(1).slot + 1,
        to: at(2).slot,
        reason: expect.stringContaining('could not be read'),
        signature: null,
        mints: [],
      },
    ])
  })

  test('resumes after the last committed frame; what was purged meanwhile is a gap with its range', async () => {
    const live = await startAtFirst()
    node.add(...CHAIN.slice(1, 8))
    await live.until(() => live.source.tip()?.number === at(7).slot)
    await live.stop()
    node.add(...CHAIN)
    const again = await start(live.log)
    await again.until(() => again.source.tip()?.number === CHAIN.at(-1)?.slot)
    expect(await canonicalHashes(again)).toEqual(hashes(CHAIN))
    expect(again.source.frames).toBe(CHAIN.length)
    const bodies = await sent(again.log)
    expect(bodies.filter((body) => body.type === 'frame')).toHaveLength(CHAIN.length)
    await again.stop()

    const far = { ...at(0), slot: 10_000, hash: 'F'.repeat(44), parentSlot: 9_999, parentHash: 'E'.repeat(44) }
    node.firstAvailable = 9_990
    node.add(far)
    const last = await start(live.log)
    await last.until(() => last.source.tip()?.number === 10_000)
    expect(gapsOf(await canonicalOn(last.log))).toEqual([
      {
        number: 10_000,
        from: (CHAIN.at(-1) as ChainBlock).slot + 1,
        to: 9_999,
        reason: expect.stringContaining('keeps blocks from slot 9990'),
        signature: null,
        mints: [],
      },
    ])
  })

  test('on another branch sends a revert to the common ancestor and the frames of the canonical branch', async () => {
    const live = await startAtFirst()
    const dead = otherBranch(at(3))
    const deadToo = otherBranch(at(4), dead)
    node.add(at(1), at(2), dead, deadToo)
    await live.until(() => live.source.tip()?.number === at(4).slot)
    node.add(at(3), at(4), at(5))
    await live.until(() => live.source.tip()?.number === at(5).slot)
    expect(await canonicalHashes(live)).toEqual(hashes(CHAIN.slice(0, 6)))
    const bodies = await sent(live.log)
    expect(bodies.filter((body) => body.type === 'revert')).toEqual([
      { type: 'revert', chain: 'solana', number: at(2).slot, hash: at(2).hash },
    ])
    expect(bodies.filter((body) => body.type === 'frame').map(({ hash }) => hash)).toEqual(
      hashes([at(0), at(1), at(2), dead, deadToo, at(3), at(4), at(5)]),
    )
  })

  test('is woken by each slot notification; after the socket ends it polls and subscribes again', async () => {
    node.add(first)
    const live = await start(createMemoryLog({ partitions: 1 }), { ws: true })
    await live.until(() => live.source.frames === 1 && node.sockets.size === 1)
    node.notify()
    await live.until(() => node.asked.filter(({ method }) => method === 'getSlot').length > 1)
    node.add(at(1))
    const started = performance.now()
    node.notify()
    await live.until(() => live.source.frames === 2)
    expect(performance.now() - started).toBeLessThan(1_500)
    for (const socket of node.sockets) socket.terminate()
    node.add(at(2))
    await live.until(() => live.source.frames === 3 && node.sockets.size === 1)
    expect(live.notices.join()).not.toContain(SECRET)
  })

  test('ends after the given number of frames, over all starts', async () => {
    node.add(...CHAIN)
    node.confirmed = first.slot
    const live = await start(createMemoryLog({ partitions: 1 }), { framesMax: 3 })
    await live.until(() => live.source.frames === 1)
    node.confirmed = undefined
    await live.until(() => live.source.ended)
    expect(await canonicalHashes(live)).toEqual(hashes(CHAIN.slice(0, 3)))
  })
})
