// A node that contradicts its own finality: nothing is rolled back unless an operator accepts that very branch.
import type { Finality, RawFrame, Revert } from '../../../schemas/types.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
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
/** Another branch from the third block on, though the fourth will be final. */
const OTHER: ChainBlock[] = []
for (const block of CHAIN.slice(2, 9)) OTHER.push(otherBranch(block, OTHER.at(-1) ?? at(1)))
const nameOf = ({ slot, hash }: ChainBlock): string => `${slot}:${hash}`
const hashes = (blocks: readonly (ChainBlock | RawFrame)[]): string[] => blocks.map(({ hash }) => hash)

let rpc: RpcNode
let grpc: GrpcNode
const log = () => createMemoryLog({ partitions: 1 })
let onLog = log()
let running: Running | undefined
beforeEach(async () => {
  onLog = log()
  rpc = new RpcNode()
  grpc = new GrpcNode()
  await Promise.all([rpc.start(), grpc.start()])
})
afterEach(async () => {
  await running?.stop()
  running = undefined
  await Promise.all([rpc.stop(), grpc.stop()])
})

const byRpc = async (acceptedFork?: string): Promise<Running> => {
  running = await runLive((notice) => {
    const client = new RpcClient({ url: rpc.url, name: 'test', notice, answerMsMax: 500, retryMsMin: 5 })
    const reader = new RpcBlocks(client, 5_000)
    return { feed: new RpcFeed(client, reader, clockWake(5)), reader, check: null, ...(acceptedFork === undefined ? {} : { acceptedFork }) }
  }, onLog)
  return running
}
const byGrpc = async (acceptedFork?: string): Promise<Running> => {
  running = await runLive((notice) => {
    const feed = new YellowstoneFeed({ url: grpc.url, token: SECRET, fill: null, reader: null, notice, retryMsMin: 10 })
    return { feed, reader: null, check: null, ...(acceptedFork === undefined ? {} : { acceptedFork }) }
  }, onLog)
  return running
}
const isFinal = async (): Promise<boolean> => (await sent(onLog)).some((body) => body.type === 'finality' && body.finalized === at(3).slot)
const codes = ({ notices }: Running): string[] => notices.map((line) => line.split(' ')[0] as string)
const canonicalHashes = async (): Promise<string[]> => hashes(await canonicalOn(onLog))
const isChange = (body: { readonly type: string }): body is Revert | Finality => body.type === 'revert' || body.type === 'finality'

/** Five blocks, of which the fourth is final. */
const final = async (): Promise<Running> => {
  rpc.add(at(0))
  const live = await byRpc()
  await live.until(() => live.source.frames === 1)
  rpc.finalized = at(3).slot
  rpc.add(...CHAIN.slice(1, 5))
  await live.until(async () => live.source.frames === 5 && (await isFinal()))
  return live
}

describe('a JSON-RPC node that contradicts its finality', () => {
  test('is queried again and reported once; none of its branch is sent, and the source resumes when the node recovers', async () => {
    const live = await final()
    rpc.add(...OTHER)
    await live.until(() => live.notices.length > 0)
    expect(codes(live)).toEqual(['finality_broken'])
    expect(live.notices[0]).toContain(`set SOLANA_ACCEPT_FORK=${nameOf(OTHER[2] as ChainBlock)} and start again`)
    const asked = rpc.asked.length
    await live.until(() => rpc.asked.length > asked + 40)
    expect(codes(live)).toEqual(['finality_broken'])
    expect(await canonicalHashes()).toEqual(hashes(CHAIN.slice(0, 5)))
    rpc.add(...CHAIN.slice(2, 9))
    await live.until(() => live.source.frames > 5)
    rpc.add(...CHAIN.slice(9, 12))
    await live.until(async () => (await canonicalHashes()).at(-1) === at(11).hash)
    expect(codes(live)).toEqual(['finality_broken', 'finality_holds'])
    expect(await canonicalHashes()).toEqual(hashes(CHAIN.slice(0, 12)))
  })

  test('is followed from the common ancestor on once that branch is accepted, with a revert and a notice', async () => {
    await (await final()).stop()
    rpc.add(...OTHER)
    const before = (await sent(onLog)).length
    const live = await byRpc(OTHER[2]?.hash)
    await live.until(() => live.source.tip()?.number === at(8).slot)
    expect(await canonicalHashes()).toEqual(hashes([at(0), at(1), ...OTHER]))
    expect((await canonicalOn(onLog)).flatMap(({ missing }) => missing)).toEqual([])
    expect((await sent(onLog)).slice(before).filter(isChange).slice(0, 2)).toEqual([
      { type: 'revert', chain: 'solana', number: at(1).slot, hash: at(1).hash },
      { type: 'finality', chain: 'solana', confirmed: at(1).slot, finalized: at(1).slot },
    ])
    expect(live.notices).toEqual([expect.stringMatching(/^fork_accepted /)])
    expect(JSON.parse(live.notices[0]?.slice('fork_accepted '.length) ?? '')).toMatchObject({ finalized: at(3).slot, to: at(1).slot })
  })

  test('leaves a gap where the first blocks of the accepted branch are unavailable', async () => {
    await (await final()).stop()
    rpc.add(...OTHER)
    rpc.firstAvailable = at(4).slot
    const live = await byRpc(OTHER[3]?.hash)
    await live.until(() => live.source.tip()?.number === at(8).slot)
    const frames = await canonicalOn(onLog)
    expect(hashes(frames).slice(-5)).toEqual(hashes(OTHER.slice(2)))
    expect(frames.flatMap(({ missing }) => missing)).toMatchObject([{ to: at(3).slot }])
  })

  test('is not followed when another branch is accepted', async () => {
    await (await final()).stop()
    rpc.add(...OTHER)
    const live = await byRpc('B'.repeat(44))
    await live.until(() => live.notices.length > 0)
    expect(codes(live)).toEqual(['finality_broken'])
    expect(await canonicalHashes()).toEqual(hashes(CHAIN.slice(0, 5)))
  })
})

describe('a gRPC node that contradicts its finality', () => {
  const startGrpc = async (acceptedFork?: string): Promise<Running> => {
    const before = grpc.requests.length
    const live = await byGrpc(acceptedFork)
    await live.until(() => grpc.subscribers > 0 && grpc.requests.length > before)
    return live
  }

  test('is reported once it finalizes another branch, not earlier; followed if that branch is accepted', async () => {
    const live = await startGrpc()
    for (const block of CHAIN.slice(0, 5)) grpc.block(block)
    grpc.slot(at(3).slot, 'finalized')
    await live.until(isFinal)
    for (const block of OTHER) grpc.block(block)
    await live.until(async () => live.source.frames === 5)
    grpc.slot(at(7).slot, 'confirmed')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(codes(live)).toEqual([])
    grpc.slot(at(7).slot, 'finalized')
    await live.until(() => live.notices.length > 0)
    const [line = ''] = live.notices
    expect(line).toMatch(/^finality_broken /)
    expect(await canonicalHashes()).toEqual(hashes(CHAIN.slice(0, 5)))
    await live.stop()

    const { branch } = JSON.parse(line.slice('finality_broken '.length)) as { branch: string }
    const again = await startGrpc(branch.split(':')[1])
    for (const block of OTHER) grpc.block(block)
    await again.until(() => again.source.tip()?.number === at(8).slot)
    expect((await canonicalHashes()).slice(-2)).toEqual(hashes(OTHER.slice(-2)))
    expect(codes(again)).toContain('fork_accepted')
  })
})
