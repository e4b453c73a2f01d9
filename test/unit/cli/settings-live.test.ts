// Settings of the live chain: which values are accepted, which are refused, and none is printed.

import { UsageError } from '../../../topology/cli/command.ts'
import { listSettings, parseSettings } from '../../../topology/cli/settings/settings.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { openLive } from '../../../topology/sources/solana/open-live.ts'

const LIVE = { source: 'live' }
const NODES = {
  MINTFOLD_PAYMENTS: 'off',
  SOLANA_RPC_URL: 'https://rpc.example/v2/secret-1',
  SOLANA_WS_URL: 'wss://rpc.example/v2/secret-2',
  SOLANA_GRPC_URL: 'https://grpc.example:443/secret-3',
  SOLANA_GRPC_TOKEN: 'secret-4',
  SOLANA_CHECK_RPC_URL: 'https://other.example/?api-key=secret-5',
  SOLANA_ACCEPT_FORK: `332254908:${'B'.repeat(44)}`,
  ALT_RPC_URL: 'https://alt.example/v2/secret-6',
  ALT_WS_URL: 'wss://alt.example/v2/secret-7',
  ALT_CHECK_RPC_URL: 'https://other-alt.example/v2/secret-8',
}

test('all of them are parsed, and none is printed beyond its origin', () => {
  expect(parseSettings(NODES, LIVE).live).toEqual({
    rpcUrl: NODES.SOLANA_RPC_URL,
    wsUrl: NODES.SOLANA_WS_URL,
    grpcUrl: NODES.SOLANA_GRPC_URL,
    grpcToken: NODES.SOLANA_GRPC_TOKEN,
    checkUrl: NODES.SOLANA_CHECK_RPC_URL,
    acceptedFork: 'B'.repeat(44),
  })
  expect(parseSettings(NODES, LIVE).liveAlt).toEqual({
    ...{ rpcUrl: NODES.ALT_RPC_URL, wsUrl: NODES.ALT_WS_URL, checkUrl: NODES.ALT_CHECK_RPC_URL },
    addresses: null,
  })
  expect(JSON.stringify(listSettings(NODES))).not.toContain('secret')
})

test.each<[object, string]>([
  [{ SOLANA_WS_URL: 'https://secret.example' }, 'SOLANA_WS_URL is wrong: it must be a URL that starts with ws:// or wss://'],
  [{ SOLANA_GRPC_URL: 'grpc.secret.example:443' }, 'SOLANA_GRPC_URL is wrong: it must be a URL that starts with http:// or https://'],
  [{ SOLANA_CHECK_RPC_URL: 'secret' }, 'SOLANA_CHECK_RPC_URL is wrong'],
  [{ SOLANA_ACCEPT_FORK: '332254908' }, 'it must be SLOT:HASH as printed in finality_broken'],
  [{ ALT_WS_URL: 'https://secret.example' }, 'ALT_WS_URL is wrong'],
  [{ ALT_RPC_URL: undefined }, 'ALT_WS_URL is set without ALT_RPC_URL'],
  [{ ALT_RPC_URL: undefined, ALT_WS_URL: undefined }, 'ALT_CHECK_RPC_URL is set without ALT_RPC_URL'],
  [{ ALT_CHECK_RPC_URL: 'secret' }, 'ALT_CHECK_RPC_URL is wrong'],
  [{ SOLANA_GRPC_URL: undefined }, 'SOLANA_GRPC_TOKEN is set without SOLANA_GRPC_URL'],
])('%j is refused by name, without its value', (change, message) => {
  const parse = (): unknown => parseSettings({ ...NODES, ...change }, LIVE)
  expect(parse).toThrow(UsageError)
  expect(parse).toThrow(message)
  expect(parse).not.toThrow('secret')
})

test.each<[Partial<typeof NODES>, string]>([
  [{ SOLANA_RPC_URL: NODES.SOLANA_RPC_URL }, 'the live chain by JSON-RPC'],
  [{ SOLANA_GRPC_URL: NODES.SOLANA_GRPC_URL }, 'the live chain by gRPC'],
  [
    { SOLANA_GRPC_URL: NODES.SOLANA_GRPC_URL, SOLANA_RPC_URL: NODES.SOLANA_RPC_URL, SOLANA_CHECK_RPC_URL: NODES.SOLANA_CHECK_RPC_URL },
    'the live chain by gRPC, filled in by JSON-RPC, held against a second source',
  ],
])('%j is played', async (nodes, message) => {
  const stop = AbortSignal.abort()
  const { live } = parseSettings({ MINTFOLD_PAYMENTS: 'off', ...nodes }, LIVE)
  const opened = await openLive(createMemoryLog({ partitions: 1 }), LAUNCH_RISK.sources.live, { settings: live, notice: () => {}, stop })
  expect(opened.words).toBe(message)
  expect(opened.facts).not.toContain('secret')
})
