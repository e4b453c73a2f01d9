// Settings with wrong values and wrong names, generated from all settings.
import { listSettings } from '../../../topology/cli/settings/settings.ts'
import { type Mistake, SECRET } from './mistake.ts'

const NUMBERS = ['x', '-1', '1.5', '99999999999', '0x10']
const URLS = [`ftp://node.example/${SECRET}`, `localhost:8080/${SECRET}`, `https://user:${SECRET}@node.example`, SECRET]
const WORDS = ['nonsense', 'TRUE', 'on']

/** Wrong values by setting; omitted ones take any text. */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  MINTFOLD_HOST: ['a host', 'http://127.0.0.1', '0.0.0.0', '192.168.0.1', 'a_b'],
  MINTFOLD_PORT: [...NUMBERS, '65536', '8402;'],
  MINTFOLD_BASE_URL: ['example.com', 'https://example.com/?a=1', `https://user:${SECRET}@example.com`, 'https://example.com/#a'],
  MINTFOLD_CONTACT: ['somebody', 'me@', 'mailto:me@cards.example', 'ftp://cards.example', `${'x'.repeat(250)}@cards.example`],
  MINTFOLD_RATE_PER_MINUTE: [...NUMBERS, '0'],
  MINTFOLD_RATE_PAID_PER_MINUTE: [...NUMBERS, '0'],
  MINTFOLD_TRUSTED_PROXIES: ['nonsense', '10.0.0.0/33', '10.0.0.1,'],
  MINTFOLD_DRAIN_S: [...NUMBERS, '301'],
  MINTFOLD_METRICS_HOST: ['a host', 'http://127.0.0.1', 'a_b'],
  MINTFOLD_METRICS_PORT: [...NUMBERS, '65536'],
  MINTFOLD_LOG_LEVEL: [...WORDS, 'WARN'],
  MINTFOLD_PAYMENTS: [...WORDS, 'free'],
  MINTFOLD_PARTITIONS: [...NUMBERS, '0', '257'],
  MINTFOLD_FOLD_THREADS: [...NUMBERS, '0', '65'],
  KAFKA_BROKERS: ['localhost', 'http://localhost:9092', 'localhost:0', 'localhost:99999', 'a:1,,b:2'],
  KAFKA_SASL_MECHANISM: [...WORDS, 'scram-sha-1'],
  KAFKA_TLS: ['yes', '1'],
  KAFKA_PLAIN_WITHOUT_TLS: ['yes', '1'],
  SCHEMA_REGISTRY_URL: [`ftp://node.example/${SECRET}`, `https://user:${SECRET}@registry.example`, SECRET],
  MINTFOLD_TOPIC_PREFIX: ['a b', 'a/b', 'x'.repeat(101)],
  MINTFOLD_SINGLE_BROKER: ['yes', '1'],
  MINTFOLD_STANDBYS: [...NUMBERS, '9'],
  MINTFOLD_CLICKHOUSE_PORT: [...NUMBERS, '65536'],
  MINTFOLD_RAW_HOURS: [...NUMBERS, '0', '8761'],
  MINTFOLD_TAPE_DAYS: [...NUMBERS, '0', '3651'],
  MINTFOLD_HISTORY_DAYS: [...NUMBERS, '9', '3651'],
  MINTFOLD_METRICS_HOSTS: ['a b', 'http://serve-1', 'serve-1:9464', 'a,,b', '.*'],
  MINTFOLD_CLICKHOUSE_HOSTS: ['a b', 'http://db', 'db:8123', 'a,,b', '.*'],
  MINTFOLD_DATA_GB: [...NUMBERS, '0'],
  CLICKHOUSE_URL: ['localhost:8123', 'http://localhost:8123/db', 'http://localhost:8123?a=1', SECRET],
  CLICKHOUSE_CLUSTER: ['a b', 'a-b', '1a'],
  CLICKHOUSE_DATABASE: ['a-b', 'a; DROP TABLE b', '1a'],
  X402_FACILITATOR_URL: URLS,
  X402_PAY_TO: ['0xabc', 'me', 'x'.repeat(44)],
  X402_NETWORK: ['solana', 'solana:mainnet', 'eip155:1'],
  X402_RPC_URL: URLS,
  X402_PRICE_FACTOR: ['0', '-1', '1e3', '1001', 'x'],
  X402_EVM_NETWORK: ['base', 'eip155:0', 'solana:1'],
  X402_EVM_PAY_TO: ['0xabc', 'me', '0x00000000000000000000000000000000000Beef1'],
  X402_EVM_FACILITATOR_URL: URLS,
  X402_EVM_RPC_URL: URLS,
  REDIS_URL: ['http://store:6379', 'store:6379', SECRET],
  MINTFOLD_CURSOR_KEYS: ['short', `${SECRET}${SECRET},short`],
  SOLANA_RPC_URL: URLS,
  SOLANA_WS_URL: ['https://node.example', SECRET],
  SOLANA_GRPC_URL: URLS,
  SOLANA_CHECK_RPC_URL: URLS,
  ALT_RPC_URL: URLS,
  ALT_CHECK_RPC_URL: URLS,
  ALT_WS_URL: ['https://node.example', SECRET],
  ALT_FACTORIES: ['0x12', 'pons'],
  ALT_ROUTERS: ['/no/such/file.json'],
  SOLANA_ACCEPT_FORK: ['332254908', '332254908:0OIl', 'x:y'],
}
/** These accept any text. */
const FREE = new Set([
  ...[
    'MINTFOLD_DATA_DIR',
    'MINTFOLD_HISTORY_ACCESS',
    'KAFKA_USERNAME',
    'KAFKA_PASSWORD',
    'SCHEMA_REGISTRY_USERNAME',
    'SCHEMA_REGISTRY_PASSWORD',
  ],
  ...['CLICKHOUSE_USERNAME', 'CLICKHOUSE_PASSWORD', 'SOLANA_GRPC_TOKEN'],
])

/** Settings that are missing from both lists above. */
export const forgotten = (): readonly string[] =>
  listSettings({})
    .map(({ name }) => name)
    .filter((name) => WRONG[name] === undefined && !FREE.has(name))

const COMMANDS: readonly (readonly string[])[] = [
  ['up'],
  ['sql', 'SELECT 1'],
  ['history'],
  ['settlements', 'list'],
  ['backup', '--out', 'b'],
]
/** Settings that only `up` reads, of these commands. */
const OF_API = new Set(['MINTFOLD_HOST', 'MINTFOLD_PAYMENTS'])

export const wrongValues = (): readonly Mistake[] =>
  Object.entries(WRONG).flatMap(([name, values], index) =>
    values.map((value, at): Mistake => {
      const argv = OF_API.has(name) ? ['up'] : (COMMANDS[(index + at) % COMMANDS.length] as string[])
      return {
        what: `${name}=${value}`,
        argv,
        env: { [name]: value },
        code: 2,
        messages: [name, /must be/],
        doctor: { message: name },
      }
    }),
  )

/** The name without its last letter, and with two letters swapped. */
const typosOf = (name: string): readonly string[] => {
  const at = Math.floor(name.length * 0.7)
  const [a, b] = [name[at] as string, name[at + 1] as string]
  const typos = [name.slice(0, -1), `${name.slice(0, at)}${b}${a}${name.slice(at + 2)}`]
  return typos.filter((typo) => typo !== name)
}

/** Only names that no other program could use are refused. */
export const wrongNames = (): readonly Mistake[] => {
  const names = listSettings({}).map(({ name }) => name)
  return names
    .filter((name) => /^(MINTFOLD|X402)_/.test(name))
    .flatMap((name) => typosOf(name).map((typo) => ({ name, typo })))
    .filter(({ typo }) => !names.includes(typo))
    .map(({ name, typo }) => ({
      what: `${typo} for ${name}`,
      argv: ['up'],
      env: { [typo]: '1' },
      code: 2,
      messages: [`unknown setting ${typo}`, `the nearest is ${name}`],
      doctor: { message: `the nearest is ${name}` },
    }))
}

const KAFKA = { KAFKA_BROKERS: '127.0.0.1:1', SCHEMA_REGISTRY_URL: 'http://127.0.0.1:1' }
const SOLD = {
  MINTFOLD_PAYMENTS: 'facilitator',
  X402_FACILITATOR_URL: 'http://127.0.0.1:1',
  X402_PAY_TO: 'So11111111111111111111111111111111111111112',
}

/** Settings that are valid alone and not together. */
const TOGETHER: readonly (readonly [
  env: Mistake['env'] & object,
  messages: readonly string[],
  argv?: readonly string[],
  doctor?: readonly string[],
])[] = [
  [{ KAFKA_BROKERS: '127.0.0.1:1' }, ['SCHEMA_REGISTRY_URL is not set']],
  [{ ...KAFKA, KAFKA_USERNAME: 'me' }, ['KAFKA_USERNAME is set, but KAFKA_PASSWORD is not']],
  [{ ...KAFKA, KAFKA_PASSWORD: SECRET }, ['KAFKA_PASSWORD is set, but KAFKA_USERNAME is not']],
  [{ ...KAFKA, KAFKA_SASL_MECHANISM: 'plain' }, ['KAFKA_SASL_MECHANISM is set, but KAFKA_USERNAME is not']],
  [{ ...KAFKA, KAFKA_USERNAME: 'me', KAFKA_PASSWORD: SECRET }, ['KAFKA_PASSWORD', 'KAFKA_TLS=true', 'KAFKA_PLAIN_WITHOUT_TLS=true']],
  [{ ...KAFKA, SCHEMA_REGISTRY_PASSWORD: SECRET }, ['SCHEMA_REGISTRY_PASSWORD is set, but SCHEMA_REGISTRY_USERNAME is not']],
  [{ SOLANA_GRPC_TOKEN: SECRET }, ['SOLANA_GRPC_TOKEN is set without SOLANA_GRPC_URL']],
  [{ X402_EVM_NETWORK: 'eip155:8453' }, ['X402_EVM_PAY_TO and X402_EVM_FACILITATOR_URL must be set together with X402_EVM_NETWORK']],
  [{ MINTFOLD_HOST: '0.0.0.0', MINTFOLD_PAYMENTS: 'off' }, ['MINTFOLD_HOST', 'must be loopback']],
  [{ CLICKHOUSE_URL: 'http://127.0.0.1:1', MINTFOLD_HISTORY_ACCESS: '/a' }, ['CLICKHOUSE_URL and MINTFOLD_HISTORY_ACCESS', 'unset one']],
  [{ MINTFOLD_PAYMENTS: 'facilitator' }, ['X402_FACILITATOR_URL and X402_PAY_TO', 'set them']],
  [{ ...SOLD, X402_PAY_TO: '' }, ['X402_PAY_TO, which is not set: set it']],
  [
    {},
    ['SOLANA_GRPC_URL (preferred), SOLANA_RPC_URL', 'X402_FACILITATOR_URL and X402_PAY_TO'],
    ['up', '--source', 'live'],
    ['--source', 'live'],
  ],
  [SOLD, ['needs a node of the chain: set SOLANA_GRPC_URL'], ['up', '--source', 'live'], ['--source', 'live']],
]
const OF_ROLES: readonly Mistake[] = ['capture', 'process', 'serve'].flatMap((role): readonly Mistake[] => [
  { what: `${role} without Kafka`, argv: [role], env: SOLD, code: 2, messages: ['KAFKA_BROKERS is not set', `mintfold ${role}`] },
  {
    what: `${role} without any of its settings`,
    argv: [role],
    code: 2,
    messages: ['KAFKA_BROKERS is not set', 'CLICKHOUSE_URL is not set'],
  },
  {
    what: `${role} without a history`,
    argv: [role],
    env: { ...SOLD, ...KAFKA },
    code: 2,
    messages: ['CLICKHOUSE_URL is not set', 'MINTFOLD_HISTORY_ACCESS'],
  },
])

export const wrongTogether = (): readonly Mistake[] => [
  ...TOGETHER.map(
    ([env, messages, argv = ['up'], args = []]): Mistake => ({
      what: `${JSON.stringify(env)} ${argv.join(' ')}`,
      argv,
      env,
      code: 2,
      messages,
      doctor: { message: messages[0] as string, args },
    }),
  ),
  ...OF_ROLES,
  {
    what: 'history beside a server',
    argv: ['history'],
    env: { CLICKHOUSE_URL: 'http://127.0.0.1:1' },
    code: 2,
    messages: ['CLICKHOUSE_URL', 'unset it'],
  },
  {
    what: 'history beside another',
    argv: ['history'],
    env: { MINTFOLD_HISTORY_ACCESS: '/a' },
    code: 2,
    messages: ['MINTFOLD_HISTORY_ACCESS', 'unset it'],
  },
]
