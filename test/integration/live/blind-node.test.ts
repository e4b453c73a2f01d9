// A node that leaves out what the decoder reads, from the start.
import { RpcBlocks } from '../../../topology/sources/solana/rpc/blocks.ts'
import { RpcClient } from '../../../topology/sources/solana/rpc/client.ts'
import { RpcFeed } from '../../../topology/sources/solana/rpc/feed.ts'
import { clockWake } from '../../../topology/sources/solana/rpc/wake.ts'
import { RpcNode } from '../../fakes/rpc-node.ts'
import { type ChainBlock, marketBlocks, rpcBlock } from '../../fixtures/chain-blocks.ts'
import { type Running, runLive, sent } from '../../fixtures/live-given.ts'

const CHAIN = marketBlocks()
type Meta = Record<string, unknown>

let node: RpcNode
beforeEach(async () => {
  node = new RpcNode()
  await node.start()
})
afterEach(() => node.stop())

let running: Running | undefined
/** Follows a node that serves the blocks with this change of their meta data. */
const follow = async (change: (meta: Meta) => Meta): Promise<Running> => {
  for (const block of CHAIN) {
    const made = rpcBlock(block)
    const transactions = made.transactions.map((tx) => ({ ...tx, meta: change(tx.meta as Meta) }))
    node.recorded.set(block.slot, JSON.stringify({ ...made, transactions }))
  }
  node.confirmed = (CHAIN[0] as ChainBlock).slot
  running = await runLive((notice) => {
    const client = new RpcClient({ url: node.url, name: 'test', notice, answerMsMax: 500, retryMsMin: 5 })
    const blocks = new RpcBlocks(client, 5_000)
    return { feed: new RpcFeed(client, blocks, clockWake(5)), reader: blocks, check: null }
  })
  const { source } = running
  await running.until(() => source.frames === 1)
  node.confirmed = (CHAIN.at(-1) as ChainBlock).slot
  await running.until(() => source.tip()?.number === node.confirmed)
  return running
}
test.each([
  [
    'calls and logs',
    { innerInstructions: null, logMessages: null },
    /have neither inner instructions nor logs: \d+ calls of the launchpad/,
  ],
  ['token balances', { preTokenBalances: [], postTokenBalances: [] }, /have no token balances: \d+ transactions have trades/],
])('the source refuses a node without %s, and says what to change there', async (_what, gone, words) => {
  await expect(follow((meta) => ({ ...meta, ...gone }))).rejects.toMatchObject({
    code: 'node_blind',
    message: expect.stringMatching(words),
  })
  await expect(running?.stop()).rejects.toThrow(/start it with --enable-rpc-transaction-history and --enable-extended-tx-metadata-storage/)
})

test('a node with them is followed without a word', async () => {
  const live = await follow((meta) => meta)
  expect(live.notices.filter((notice) => notice.startsWith('calls_unseen'))).toEqual([])
  expect((await sent(live.log)).length).toBeGreaterThan(0)
  await live.stop()
})
