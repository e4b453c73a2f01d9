// What `doctor` says of a node's record of recent blocks: calls, logs, balances, grown layouts.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Check } from '../../../topology/cli/doctor/check.ts'
import { checkLive } from '../../../topology/cli/doctor/checks-live.ts'
import { RpcNode } from '../../fakes/rpc-node.ts'
import { marketBlocks, rpcBlock } from '../../fixtures/chain-blocks.ts'

const GROWN = 'test/data/solana/trades-2026-10/multi_hop_swap-g1fC9wYK.json.gz'
const HASH = '4'.repeat(44)
const FIRST = 460_910_106
const CHAIN = marketBlocks()

let node: RpcNode
beforeEach(async () => {
  node = new RpcNode()
  await node.start()
})
afterEach(() => node.stop())

const checked = async (): Promise<readonly Check[]> => {
  node.finalized = node.tip
  const settings = { rpcUrl: node.url, wsUrl: null, grpcUrl: null, grpcToken: null, checkUrl: null }
  const checks: Check[] = []
  for await (const check of checkLive(settings as unknown as Parameters<typeof checkLive>[0], true)) checks.push(check)
  return checks.filter(({ name }) => name !== 'blocks')
}

test('names events that the launchpad has extended, with their length and the blocks', async () => {
  const { transaction, meta, version, blockTime } = JSON.parse(gunzipSync(readFileSync(GROWN)).toString())
  const head = { blockhash: HASH, previousBlockhash: HASH, parentSlot: FIRST - 1, blockTime, blockHeight: FIRST - 1 }
  node.recorded.set(FIRST, JSON.stringify({ ...head, transactions: [{ transaction, meta, version }] }))
  const where = `blocks ${FIRST} to ${FIRST}`
  expect(await checked()).toEqual([
    {
      name: 'record',
      ok: true,
      text: expect.stringMatching(new RegExp(`^${where} have the \\d+ events of their calls, and their balances$`)),
    },
    ...['pump_amm.BuyEvent', 'pump.TradeEvent'].map((event) => ({
      ...{ name: 'layouts', ok: true },
      text: `${event} has 8 bytes behind its newest known layout in ${where}: they are kept and not read; an upgrade may know them`,
    })),
  ])
})

test('has no line of layouts where every byte is known', async () => {
  node.add(...CHAIN)
  expect((await checked()).map(({ name, ok }) => [name, ok])).toEqual([['record', true]])
})

test('says what a node leaves out, and what to change there', async () => {
  for (const block of CHAIN) {
    const made = rpcBlock(block)
    const transactions = made.transactions.map((tx) => ({ ...tx, meta: { ...tx.meta, innerInstructions: null, logMessages: null } }))
    node.recorded.set(block.slot, JSON.stringify({ ...made, transactions }))
  }
  const [record, ...more] = await checked()
  expect([record?.ok, more]).toEqual([false, []])
  expect(record?.text).toMatch(/have neither inner instructions nor logs: .*--enable-extended-tx-metadata-storage/)
})
