// All missing settings of a start are reported at once.
import { type Env, parseSettings } from '../../../topology/cli/settings/settings.ts'

const NO_NODE =
  '--source live needs a node of the chain: set SOLANA_GRPC_URL (preferred), SOLANA_RPC_URL, or both, or of the other ALT_RPC_URL'

test.each<[Env, string]>([
  [
    {},
    `${NO_NODE}; payments by facilitator need X402_FACILITATOR_URL and X402_PAY_TO, which are not set: set them, or ` +
      'MINTFOLD_PAYMENTS=sandbox or off',
  ],
  [
    { SOLANA_RPC_URL: 'https://node.example', X402_FACILITATOR_URL: 'https://facilitator.example' },
    'payments by facilitator need X402_PAY_TO, which is not set: set it, or MINTFOLD_PAYMENTS=sandbox or off',
  ],
  [{ MINTFOLD_PAYMENTS: 'off' }, NO_NODE],
])('source live with %j is refused and lists everything that is missing', (env, message) => {
  expect(() => parseSettings(env, { source: 'live' })).toThrow(expect.objectContaining({ name: 'UsageError', message: message }))
})

test('a role that lacks brokers, history and payments is refused with one sentence for each', () => {
  expect(() => parseSettings({}, { source: 'log', role: 'serve' })).toThrow(
    expect.objectContaining({
      name: 'UsageError',
      message: expect.stringMatching(
        /^KAFKA_BROKERS is not set, .*; CLICKHOUSE_URL is not set, .*; payments by facilitator need X402_FACILITATOR_URL and/,
      ),
    }),
  )
  expect(() => parseSettings({ KAFKA_BROKERS: '127.0.0.1:9092' }, { source: 'log', role: 'serve' })).toThrow(
    /^SCHEMA_REGISTRY_URL is not set, .*; CLICKHOUSE_URL is not set, .*; payments by facilitator need X402_FACILITATOR_URL and/,
  )
})

test('two locations for the history are both named', () => {
  const env = { CLICKHOUSE_URL: 'http://127.0.0.1:9', MINTFOLD_HISTORY_ACCESS: '/a/history/access.json' }
  expect(() => parseSettings(env, { source: 'demo' })).toThrow(
    'CLICKHOUSE_URL and MINTFOLD_HISTORY_ACCESS are both set, but only one history can be used: unset one',
  )
})
