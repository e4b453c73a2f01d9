// What doctor reports of the alt chain's node: everything that can be wrong with it, with what to do.

import { checkAll } from '../../../topology/cli/doctor/checks.ts'
import { checkAlt } from '../../../topology/cli/doctor/checks-alt.ts'
import { parseSettings } from '../../../topology/cli/settings/settings.ts'
import { EvmChain, QUIET } from '../../fakes/evm-chain.ts'
import { EVM_SECRET, EvmServer } from '../../fakes/evm-server.ts'

const BUSY = { launches: 1, buys: 2, strangers: 0 }
/** Every hundredth block has a launch (three logs) and two buys of earlier launches (two logs each); the others are empty. */
const BLOCKS = 1_100

const chain = new EvmChain()
const other = new EvmChain()
let server: EvmServer
let secondServer: EvmServer
let announcing: NodeJS.Timeout

beforeAll(() => {
  for (let n = 0; n < BLOCKS; n++) chain.mineBlock(n % 100 === 0 ? BUSY : QUIET)
  other.mineBlock(QUIET)
  other.cut(1)
  other.mineBlock(QUIET)
})
beforeEach(async () => {
  server = new EvmServer(chain)
  secondServer = new EvmServer(other)
  await Promise.all([server.start(), secondServer.start()])
  announcing = setInterval(() => {
    server.announce(chain.head)
    secondServer.announce(other.head)
  }, 5)
  // Three seconds after the newest block.
  jest.spyOn(Date, 'now').mockReturnValue((chain.head.time + 3) * 1_000)
})
afterEach(async () => {
  jest.restoreAllMocks()
  clearInterval(announcing)
  await Promise.all([server.stop(), secondServer.stop()])
})

/** Doctor's lines by name. */
const checked = async (
  rpcUrl = server.rpcUrl,
  wsUrl: string | null = server.wsUrl,
  answerMsMax = 5_000,
  checkUrl: string | null = null,
) => {
  const lines: Record<string, string> = {}
  for await (const { name, ok, text } of checkAlt({ rpcUrl, wsUrl, checkUrl, addresses: null }, answerMsMax))
    lines[name] = `${ok ? 'ok' : 'not ok'} ${text}`
  expect(JSON.stringify(lines)).not.toContain(EVM_SECRET)
  return lines
}

test('of a healthy node each check is ok, with what was found', async () => {
  const origin = new URL(server.rpcUrl).origin
  expect(await checked()).toEqual({
    'alt node': `ok ${origin} responds: chain 4663`,
    'alt clock': `ok 3 s from the time of the newest block of ${origin}, ${BLOCKS} (up to 30 s is fine)`,
    'alt finality': `ok ${origin} serves the tags safe (block ${BLOCKS - 32}) and finalized (block ${BLOCKS - 64})`,
    'alt logs': expect.stringMatching(new RegExp(`^ok ${origin} returns [1-9]\\d+ logs of 1000 blocks in one response$`)),
    'alt heads': `ok ${origin.replace('http', 'ws')} announces blocks: ${BLOCKS}`,
  })
})

test('checks a configured node whatever source is played; without one the demo needs none', async () => {
  const names = async (source: string, env: object = {}): Promise<string[]> => {
    const settings = parseSettings({ MINTFOLD_DATA_DIR: '/proc/none', MINTFOLD_PORT: '0', MINTFOLD_PAYMENTS: 'off', ...env }, { source })
    const found: string[] = []
    for await (const { name, ok } of checkAll(settings, source)) if (/^alt|live/.test(name)) found.push(`${name}: ${ok}`)
    return found
  }
  const all = ['alt node: true', 'alt clock: true', 'alt finality: true', 'alt logs: true', 'alt heads: true']
  for (const source of ['demo', 'live', 'live:alt'])
    expect(await names(source, { ALT_RPC_URL: server.rpcUrl, ALT_WS_URL: server.wsUrl })).toEqual(all)
  expect(await names('demo')).toEqual([])
})

test('for a node of another chain names both ids and the setting, and checks nothing else of it', async () => {
  server.chainId = 1
  const { origin } = new URL(server.rpcUrl)
  expect(await checked(server.rpcUrl, null)).toEqual({
    'alt node': `not ok ${origin} is a node of chain 1, not of chain 4663: set ALT_RPC_URL to a node of chain 4663`,
  })
})

test('names the chain of a second node', async () => {
  const { origin } = new URL(secondServer.rpcUrl)
  const second = async () => (await checked(undefined, null, 5_000, secondServer.rpcUrl))['alt second']
  expect(await second()).toBe(`ok ${origin} responds: chain 4663`)
  secondServer.chainId = 1
  expect(await second()).toBe(`not ok ${origin} is a node of chain 1, not of chain 4663: set ALT_CHECK_RPC_URL to a node of chain 4663`)
})

test.each([
  ['refuses the key', { status: 401 }, /\(status 401: it rejects the key or the login\): check ALT_RPC_URL$/],
  ['hangs', { hang: true }, /\(no answer in time\): check ALT_RPC_URL$/],
  ['answers with an error', { error: { code: -32_601, message: 'no such method' } }, /no such method\): check ALT_RPC_URL$/],
  ['answers with something else', { bytes: 10 }, /: check ALT_RPC_URL$/],
] as const)('reports a server that %s with what to check', async (_what, fault, message) => {
  server.fault = fault
  const lines = await checked(server.rpcUrl, null, 200)
  expect(Object.keys(lines)).toEqual(['alt node'])
  expect(lines['alt node']).toMatch(/^not ok .* gives no valid response to eth_chainId/)
  expect(lines['alt node']).toMatch(message)
})

test('reports by how much a clock or a node is behind, and what to set', async () => {
  jest.spyOn(Date, 'now').mockReturnValue((chain.head.time - 40) * 1_000)
  expect((await checked())['alt clock']).toMatch(
    /^not ok -40 s from the time .*: set the clock of this machine \(NTP\), or set ALT_RPC_URL/,
  )
})

test('for a node without tags reports what findings lack, and what to set', async () => {
  server.hasTags = false
  expect((await checked())['alt finality']).toMatch(
    /^not ok .* does not serve the block tag safe and finalized: findings then never become final; set ALT_RPC_URL to a node that serves/,
  )
})

describe('logs', () => {
  test('for a node with a lower range limit reports how many blocks it takes', async () => {
    server.rangeMax = 100
    expect((await checked())['alt logs']).toMatch(/^ok .* logs of 100 blocks in one response and refuses ten times as many/)
  })
  test('for a node that accepts no range reports what to set', async () => {
    server.rangeMax = 0
    expect((await checked())['alt logs']).toMatch(
      /^not ok .* gives no valid response to eth_getLogs \(.*range is too large\): check ALT_RPC_URL/,
    )
  })
  test('for a node that silently truncates results reports both counts, and what to set', async () => {
    server.logsMax = 40
    expect((await checked())['alt logs']).toMatch(
      /^not ok .* returns 40 logs of 1000 blocks in one response, but [4-8]\d of the same .* in two: it silently truncates .*ALT_RPC/,
    )
  })
})

describe('announcements', () => {
  test('of a silent WebSocket: for how long, and what applies without it', async () => {
    clearInterval(announcing)
    expect((await checked(undefined, undefined, 200))['alt heads']).toMatch(
      /^not ok .* announced no block in 0\.2 s: check ALT_WS_URL \(without it the node is polled every 250 ms\)$/,
    )
  })
  test('of a refused connection: what to check', async () => {
    expect((await checked(undefined, 'ws://127.0.0.1:9'))['alt heads']).toMatch(
      /^not ok .* does not support subscriptions to new blocks: check ALT_WS_URL/,
    )
  })
  test('of a WebSocket of another chain: the block that the node lacks, and what to set', async () => {
    expect((await checked(undefined, secondServer.wsUrl, 400))['alt heads']).toMatch(
      /^not ok .* announces block 1, which the node of ALT_RPC_URL does not have .*: set ALT_WS_URL to a node of the same chain, 4663$/,
    )
  })
})
