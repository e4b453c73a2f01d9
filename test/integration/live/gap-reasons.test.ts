// A gap of the live chain, traced from a node that lacks a block through to the API and the history.
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { RpcBlocks } from '../../../topology/sources/solana/rpc/blocks.ts'
import { RpcClient } from '../../../topology/sources/solana/rpc/client.ts'
import { RpcFeed } from '../../../topology/sources/solana/rpc/feed.ts'
import { clockWake } from '../../../topology/sources/solana/rpc/wake.ts'
import { LogMintView } from '../../../topology/views/mint-view.ts'
import { RpcNode } from '../../fakes/rpc-node.ts'
import { type ChainBlock, marketBlocks } from '../../fixtures/chain-blocks.ts'
import { type Running, runLive } from '../../fixtures/live-given.ts'
import { foldToEnd } from '../../live.ts'
import { describeEngine } from '../history-server-given.ts'
import { type GivenHistories, givenHistories, sinkAll } from '../sink-given.ts'

const CHAIN = marketBlocks()
const at = (index: number): ChainBlock => CHAIN[index] as ChainBlock

describeEngine('a gap of the live chain', () => {
  let given: GivenHistories
  beforeAll(async () => {
    given = await givenHistories()
  })
  afterAll(() => given.remove())
  let node: RpcNode
  let run: Running | undefined
  beforeEach(async () => {
    node = new RpcNode()
    await node.start()
  })
  afterEach(async () => {
    await run?.stop()
    await node.stop()
  })

  test('after a missing block the folds continue, the view counts the gap with its range and reason, and the history has both', async () => {
    node.add(at(0))
    const log = createMemoryLog({ partitions: 2 })
    const live = await runLive((notice) => {
      const client = new RpcClient({ url: node.url, name: 'test', notice, retryMsMin: 2 })
      const reader = new RpcBlocks(client, 200)
      return { feed: new RpcFeed(client, reader, clockWake(5)), reader, check: null }
    }, log)
    run = live
    await live.until(() => live.source.frames === 1)
    node.fault = ({ method, params }) => (method === 'getBlock' && params[0] === at(4).slot ? { error: -32_015 } : undefined)
    node.finalized = at(2).slot
    node.add(...CHAIN)
    await live.until(() => live.source.tip()?.number === CHAIN.at(-1)?.slot)
    await foldToEnd(log, DEFAULT_LIMITS)
    const view = new LogMintView(log, LAUNCH_RISK, live.source)
    await view.start()
    const { gap, counters } = view.status()
    const reason = 'a transaction of the block has a version above 1'
    expect(gap).toMatchObject({ from: at(3).slot + 1, to: at(4).slot, reason })
    expect(counters).toMatchObject({ gaps: 1, frames: CHAIN.length - 1, dead_letters: 0, forks: 0 })
    const history = await given.fresh()
    await sinkAll(log, history)
    const rows = await history.rows<object>(
      `SELECT toUInt32(from_slot) AS a, toUInt32(to_slot) AS b, reason, transactions FROM ${history.database}.gaps`,
      {},
    )
    expect(rows).toEqual([{ a: at(3).slot + 1, b: at(4).slot, reason, transactions: [] }])
    await view.stop()
  })
})
