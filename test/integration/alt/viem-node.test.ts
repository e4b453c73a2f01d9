// How the JSON-RPC adapter classifies a node's failures, without ever exposing its URL.
import { type EvmNode, NodeFailure } from '../../../topology/sources/alt/node.ts'
import { viemNode } from '../../../topology/sources/alt/viem-node.ts'
import { EvmChain, QUIET } from '../../fakes/evm-chain.ts'
import { EVM_SECRET, EvmServer, type ServerFault } from '../../fakes/evm-server.ts'
import { launchpadLogs } from '../../fixtures/alt-logs.ts'

const { topics } = launchpadLogs()
const fresh = (): AbortSignal => new AbortController().signal

let chain: EvmChain
let server: EvmServer
let node: EvmNode
beforeEach(async () => {
  chain = new EvmChain()
  for (let i = 0; i < 20; i++) chain.mineBlock(i % 2 === 0 ? QUIET : { launches: 1, buys: 1, strangers: 1 })
  server = new EvmServer(chain)
  await server.start()
  node = viemNode({ rpcUrl: server.rpcUrl, wsUrl: server.wsUrl })
})
afterEach(() => server.stop())

const failureOf = async (asking: Promise<unknown>): Promise<NodeFailure> => {
  const failure = await asking.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (failure instanceof NodeFailure) return failure
  throw new Error(`not a node failure: ${String(failure)}`)
}
const logs = (from = 1, to = 20): Promise<unknown> => node.logs({ from, to }, topics, fresh())
const batch = (): Promise<unknown> => node.blocks([1, 2, 3], true, fresh())

const error = (code: number, message: string): ServerFault => ({ error: { code, message } })

describe('the JSON-RPC adapter', () => {
  test.each<[string, ServerFault, string]>([
    ['429', { status: 429 }, 'limited'],
    ['429 with an error as its body', { status: 429, body: '{"jsonrpc":"2.0","error":{"code":-32005,"message":"slow down"}}' }, 'limited'],
    ['502', { status: 502 }, 'refused'],
    ['a connection that ends in the middle', { cut: true }, 'unreachable'],
    ['an error of the node', error(-32_000, 'not now'), 'refused'],
    ['an error about too many requests', error(-32_005, 'too many requests, rate limited'), 'limited'],
    ['an invalid answer', { bytes: 20 }, 'unreadable'],
    ['200 and a page of a proxy', { status: 200, body: '<html>no</html>' }, 'unreadable'],
  ])('classifies %s, of one request and of a batch, as %o: %s', async (_name, fault, trouble) => {
    server.fault = fault
    for (const ask of [logs, batch, () => node.chainId(fresh())]) {
      const failure = await failureOf(ask())
      expect(failure.trouble).toBe(trouble)
      expect(failure.message).not.toContain(EVM_SECRET)
    }
  })
  test('the failure of a 429 carries its retry time', async () => {
    server.fault = { status: 429, retryAfter: '7' }
    expect((await failureOf(batch())).waitMs).toBe(7_000)
  })
  test.each<[string, ServerFault]>([
    ['too many results', error(-32_005, 'query returned more than 10000 results')],
    ['a range that is too wide', error(-32_602, 'block range is too wide')],
    ['an answer of more than 10 MiB', { bytes: 11 * 1024 * 1024 }],
  ])('%s means that the range is too large', async (_name, fault) => {
    server.fault = fault
    expect((await failureOf(logs())).trouble).toBe('range')
  })
  test('refuses one block that is too large for the node, because one block cannot be halved', async () => {
    server.fault = error(-32_005, 'query returned more than 10000 results')
    expect((await failureOf(logs(3, 3))).trouble).toBe('refused')
  })
  test('a hanging request ends with its signal', async () => {
    server.fault = { hang: true }
    const stop = new AbortController()
    const failing = failureOf(node.latest(stop.signal))
    setTimeout(() => stop.abort(), 20)
    expect((await failing).trouble).toBe('late')
  })
  test('a node that is down is unreachable', async () => {
    const { rpcUrl } = server
    await server.stop()
    const failure = await failureOf(viemNode({ rpcUrl, wsUrl: null }).latest(fresh()))
    expect([failure.trouble, failure.message.includes(EVM_SECRET)]).toEqual(['unreachable', false])
    await server.start()
  })
  test('a node without tags gives null for them', async () => {
    server.hasTags = false
    expect([await node.tagged('safe', fresh()), await node.tagged('finalized', fresh())]).toEqual([null, null])
  })
  test('requests blocks in one batch', async () => {
    await node.blocks([1, 2, 3, 4, 5, 6, 7, 8], true, fresh())
    expect(server.asked.map((questions) => questions.length)).toEqual([8])
  })
  test('a dropped WebSocket ends its subscription, and the next one receives blocks again', async () => {
    const received: number[] = []
    const announced = async (stop: AbortSignal): Promise<void> => {
      const before = received.length
      while (received.length === before && !stop.aborted) {
        server.announce(chain.head)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
    for (let times = 0; times < 2; times++) {
      const stop = new AbortController()
      const ended = node.heads?.(({ number }) => received.push(number), stop.signal)
      await announced(stop.signal)
      server.closeSockets()
      await ended
    }
    expect(received.length).toBeGreaterThanOrEqual(2)
  })
})
