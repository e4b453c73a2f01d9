// What a JSON-RPC node refuses: only errors that the protocol defines as final are answers, everything else is retried and reported once.
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { RpcBlocks } from '../../../topology/sources/solana/rpc/blocks.ts'
import { RpcClient } from '../../../topology/sources/solana/rpc/client.ts'
import { RpcFeed } from '../../../topology/sources/solana/rpc/feed.ts'
import { clockWake } from '../../../topology/sources/solana/rpc/wake.ts'
import { RpcNode, SECRET } from '../../fakes/rpc-node.ts'
import { type ChainBlock, marketBlocks } from '../../fixtures/chain-blocks.ts'
import { canonicalOn, type Running, runLive } from '../../fixtures/live-given.ts'

const CHAIN = marketBlocks()
const at = (index: number): ChainBlock => CHAIN[index] as ChainBlock
const UNKNOWN = -32_000
const KEY_REFUSED = '{"jsonrpc":"2.0","id":1,"error":{"code":-32401,"message":"invalid api key provided"}}'

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
const start = async (): Promise<Running> => {
  running = await runLive(
    (notice) => {
      const client = new RpcClient({ url: node.url, name: 'SOLANA_RPC_URL', notice, answerMsMax: 5_000, retryMsMin: 5 })
      const reader = new RpcBlocks(client, 5_000)
      return { feed: new RpcFeed(client, reader, clockWake(5)), reader, check: null }
    },
    createMemoryLog({ partitions: 1 }),
  )
  return running
}
const codes = ({ notices }: Running): string[] => notices.map((line) => line.split(' ')[0] as string)

describe('a node that refuses', () => {
  test('a block with an error unknown to the protocol is retried, and nothing is missing', async () => {
    node.add(at(0))
    const live = await start()
    await live.until(() => live.source.frames === 1)
    node.fault = ({ method, params }, times) =>
      method === 'getBlock' && params[0] === at(2).slot && times < 3 ? { error: UNKNOWN } : undefined
    node.add(...CHAIN.slice(1, 5))
    await live.until(() => live.source.tip()?.number === at(4).slot)
    expect((await canonicalOn(live.log)).flatMap(({ missing }) => missing)).toEqual([])
    expect(codes(live)).toEqual(['chain_does_not_answer', 'chain_answers_again'])
    expect(live.notices[0]).toContain(String(UNKNOWN))
  })

  test.each([-32_600, -32_601, -32_602, -32_003])(
    'the request for its tip with %i is reported once, and retried until it succeeds',
    async (code) => {
      node.add(at(0))
      let isRefusing = true
      node.fault = ({ method }) => (method === 'getSlot' && isRefusing ? { error: code } : undefined)
      const live = await start()
      await live.until(() => live.notices.length > 0)
      expect(live.notices[0]).toContain(String(code))
      expect(live.notices[0]).toContain('getSlot')
      isRefusing = false
      await live.until(() => live.source.frames === 1)
      await live.until(() => codes(live).length > 1)
      expect(codes(live)).toEqual(['chain_does_not_answer', 'chain_answers_again'])
    },
  )

  test('the request for its tip with a value that is no slot is reported once, with what to check', async () => {
    node.add(at(0))
    let isWrong = true
    node.fault = ({ method }) => (method === 'getSlot' && isWrong ? { result: 'a page about slots' } : undefined)
    const live = await start()
    await live.until(() => live.notices.length > 0)
    expect(live.notices[0]).toMatch(
      /SOLANA_RPC_URL \(http:\/\/127\.0\.0\.1:\d+\) does not answer getSlot \(an invalid result of getSlot\): check that the address/,
    )
    expect(live.notices[0]).not.toContain(SECRET)
    isWrong = false
    await live.until(() => codes(live).length > 1)
    expect(codes(live)).toEqual(['chain_does_not_answer', 'chain_answers_again'])
  })

  test('the list of slots is reported, and every block comes', async () => {
    node.fault = ({ method }) => (method === 'getBlocks' ? { error: -32_601 } : undefined)
    node.add(...CHAIN.slice(0, 3))
    const live = await start()
    await live.until(() => live.source.tip()?.number === at(2).slot)
    node.add(...CHAIN.slice(3, 5))
    await live.until(() => live.source.tip()?.number === at(4).slot)
    expect(codes(live)[0]).toBe('chain_does_not_answer')
    expect((await canonicalOn(live.log)).flatMap(({ missing }) => missing)).toEqual([])
  })

  test('the same block every time makes a gap with the reason, after a limited number of requests', async () => {
    node.add(at(0))
    const live = await start()
    await live.until(() => live.source.frames === 1)
    node.fault = ({ method, params }) => (method === 'getBlock' && params[0] === at(2).slot ? { error: UNKNOWN } : undefined)
    node.add(...CHAIN.slice(1, 5))
    await live.until(() => live.source.tip()?.number === at(4).slot)
    const [gap] = (await canonicalOn(live.log)).flatMap(({ missing }) => missing)
    expect(gap).toMatchObject({ to: at(2).slot, reason: expect.stringContaining(String(UNKNOWN)) })
    expect(node.asked.filter(({ method, params }) => method === 'getBlock' && params[0] === at(2).slot).length).toBeLessThan(40)
  })

  test.each<[string, object]>([
    ['status 401', { status: 401 }],
    ['status 403', { status: 403 }],
    ['status 401 with a JSON-RPC error', { status: 401, body: KEY_REFUSED }],
    ['a JSON-RPC error with status 200', { status: 200, body: KEY_REFUSED }],
  ])('the key (%s) is reported once, by the setting to check, and work begins once it is accepted', async (_kind, fault) => {
    node.fault = () => fault as never
    const live = await start()
    await live.until(() => node.asked.length > 5)
    expect(live.notices).toEqual([expect.stringContaining('chain_refuses_key')])
    expect(live.notices[0]).toContain('SOLANA_RPC_URL')
    expect(live.notices[0]).not.toContain(SECRET)
    node.fault = () => undefined
    node.add(at(0))
    await live.until(() => live.source.frames === 1)
    expect(codes(live)).toEqual(['chain_refuses_key', 'chain_answers_again'])
  })

  test('its newest slot is reported once', async () => {
    node.fault = ({ method }) => (method === 'getSlot' ? { error: UNKNOWN } : undefined)
    const live = await start()
    await live.until(() => node.asked.length > 20)
    expect(codes(live)).toEqual(['chain_does_not_answer'])
  })
})
