// Coin movements outside the launchpad: frames have them while capture knows the coin, also after restarts, and the decoder makes events of
// them.
import { decodeFrame } from '../../../processors/chains/solana/decode-frame.ts'
import { openBody } from '../../../processors/chains/solana/frame.ts'
import type { SourceTransaction } from '../../../processors/chains/solana/source-transaction.ts'
import { type Key, keyOf, type Signature, toBase58 } from '../../../schemas/keys.ts'
import type { RawFrame } from '../../../schemas/types.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { CapturedMints } from '../../../topology/sources/solana/launchpad-mints.ts'
import { RpcBlocks } from '../../../topology/sources/solana/rpc/blocks.ts'
import { RpcClient } from '../../../topology/sources/solana/rpc/client.ts'
import { RpcFeed } from '../../../topology/sources/solana/rpc/feed.ts'
import { clockWake } from '../../../topology/sources/solana/rpc/wake.ts'
import { RpcNode } from '../../fakes/rpc-node.ts'
import { type ChainBlock, marketBlocks } from '../../fixtures/chain-blocks.ts'
import { canonicalOn, type Running, runLive } from '../../fixtures/live-given.ts'
import { TOPICS } from '../../fixtures/topics.ts'

const CHAIN = marketBlocks()
const key = (n: number): Key => keyOf(Buffer.alloc(32, n))
const launches = CHAIN.map(({ slot, hash: _hash }, index) => ({ place: index, slot, mint: mintLaunchedIn(index) })).filter(
  ({ mint }) => mint !== undefined,
)

function mintLaunchedIn(index: number): Key | undefined {
  const names = (CHAIN[index] as ChainBlock).transactions.filter(({ failure, signers }) => failure === null && signers > 1)
  const [balance] = names.flatMap(({ tokensAfter }) => tokensAfter.filter(({ decimals }) => decimals === 6))
  return balance?.mint
}

/** One wallet transfers coins to another and burns some. */
const handOver = (mint: Key, index: number): SourceTransaction => {
  const account = (number: number, amount: string) => ({
    account: number,
    mint,
    owner: key(50 + number),
    tokenProgram: null,
    decimals: 6,
    amount,
  })
  return {
    index,
    signature: Buffer.alloc(64, 7 + index).toString('latin1') as Signature,
    version: 0,
    signers: 1,
    failure: null,
    feeLamports: 5_000,
    keys: [key(1), key(2), key(3)],
    instructions: [{ program: 2, accounts: Uint8Array.of(0, 1), data: Buffer.of(12) }],
    inner: [],
    logs: [],
    lamportsBefore: ['9', '9', '9'],
    lamportsAfter: ['4', '9', '9'],
    tokensBefore: [account(0, '1000')],
    tokensAfter: [account(0, '400'), account(1, '500')],
  }
}
const withTransfer = (index: number, mint: Key): ChainBlock => {
  const block = CHAIN[index] as ChainBlock
  return { ...block, transactions: [...block.transactions, handOver(mint, block.transactions.length)] }
}
const balancesOf = (frame: RawFrame) => {
  const body = openBody(frame)
  if (!body.ok) throw new Error(body.reason)
  return body.value.balances.map(({ mint, account, before, after }) => [mint, account, before, after])
}

describe('coin movements outside the launchpad', () => {
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
  const start = async (log: Log): Promise<Running> => {
    run = await runLive((notice) => {
      const client = new RpcClient({ url: node.url, name: 'test', notice, retryMsMin: 5 })
      const reader = new RpcBlocks(client, 5_000)
      return { feed: new RpcFeed(client, reader, clockWake(5)), reader, check: null }
    }, log)
    return run
  }

  test('of a launched coin are kept in the block of the launch, in later ones and after a restart; those of a foreign coin never', async () => {
    const [launch] = launches
    if (launch?.mint === undefined) throw new Error('the market launches something')
    const { place: index, mint } = launch
    const log = createMemoryLog({ partitions: 1 })
    const foreign = key(99)
    node.add(...CHAIN.slice(0, Math.max(1, index)), withTransfer(index, mint))
    node.confirmed = CHAIN[0]?.slot
    const first = await start(log)
    await first.until(() => first.source.frames >= 1)
    node.confirmed = undefined
    await first.until(() => first.source.tip()?.number === CHAIN[index]?.slot)
    await first.stop()
    node.add(withTransfer(index + 1, mint), withTransfer(index + 2, foreign))
    const second = await start(log)
    await second.until(() => second.source.tip()?.number === CHAIN[index + 2]?.slot)
    const frames = (await canonicalOn(log)).slice(-3)
    const moved = [
      [mint, key(1), '1000', '400'],
      [mint, key(2), '0', '500'],
    ]
    expect(frames.map(balancesOf)).toEqual([moved, moved, []])
    const balances = frames
      .slice(0, 2)
      .map((frame) => decodeFrame(frame).events.filter((event) => event.type === 'balance' && event.signature.charCodeAt(0) < 60))
    expect(balances.map((events) => events.length)).toEqual([2, 2])
    expect(log.end(TOPICS.captureChangelog, 0)).toBeGreaterThan(0)
  })
})

describe('the coins that capture knows', () => {
  const restored = async (log: Log): Promise<CapturedMints> => {
    const mints = new CapturedMints(TOPICS.captureChangelog)
    await mints.restore(log)
    return mints
  }

  test('are evicted after 24 hours without a launchpad transaction, also from the log; traded ones stay', async () => {
    const log = createMemoryLog({ partitions: 1 })
    const owner = await log.own('test')
    const mints = new CapturedMints(TOPICS.captureChangelog)
    const note = async (number: number, made: Key[], seen: Key[]) =>
      owner.commit({ outputs: mints.add(number, made, seen), inputs: new Map() })
    await note(1_000, [key(1), key(2)], [])
    await note(1_001, [], [key(3)])
    expect([1, 2, 3].map((n) => mints.has(toBase58(key(n))))).toEqual([true, true, false])
    await note(120_000, [], [key(2)])
    await note(217_500, [], [])
    expect([1, 2].map((n) => mints.has(toBase58(key(n))))).toEqual([false, true])
    const again = await restored(log)
    expect([1, 2].map((n) => again.has(toBase58(key(n))))).toEqual([false, true])
  })

  test('are logged once in six hours however often they are seen', () => {
    const mints = new CapturedMints(TOPICS.captureChangelog)
    expect(mints.add(1_000, [key(1)], [])).toHaveLength(1)
    for (let number = 1_001; number < 5_000; number += 7) expect(mints.add(number, [key(1)], [key(1)])).toEqual([])
    expect(mints.add(60_000, [], [key(1)])).toHaveLength(1)
  })
})
