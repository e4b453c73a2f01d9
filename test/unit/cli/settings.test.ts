import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { type Env, parseSettings } from '../../../topology/cli/settings/settings.ts'

const DEMO = { source: 'demo' }
const LIVE = { source: 'live' }
const PAY_TO = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAERYPJgZJDncDU'
const NODE = { SOLANA_GRPC_URL: 'https://node.example' }
const FACILITATOR = { ...NODE, X402_FACILITATOR_URL: 'https://facilitator.example/', X402_PAY_TO: PAY_TO }

const refusal = (env: Env, options = DEMO): string => {
  try {
    parseSettings(env, options)
  } catch (error) {
    expect(error).toMatchObject({ name: 'UsageError' })
    return (error as Error).message
  }
  throw new Error('was not refused')
}
const NO_SERVER = { url: null, access: null, cluster: null, username: null }

/** The first example of EIP-55. */
const CHECKSUMMED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const EVM_ADDRESS = 'a 0x address of 40 hex digits, in one letter case or with the right checksum (EIP-55)'

describe('settings', () => {
  test('the defaults apply without any setting', () => {
    expect(parseSettings({}, DEMO)).toEqual({
      dataDir: '.mintfold',
      host: '127.0.0.1',
      port: 8402,
      baseUrl: null,
      logLevel: 'info',
      payments: 'sandbox',
      facilitator: null,
      evm: null,
      rpcUrl: null,
      accountsUrl: null,
      redisUrl: null,
      priceFactor: 1,
      cursorKeys: null,
      ...{ partitions: 4, foldThreads: expect.any(Number) },
      kafka: null,
      http: {
        contact: null,
        drainMs: 5_000,
        trustedProxies: [],
        ratePerMinute: 600,
        ratePaidPerMinute: 120,
        metrics: { host: '127.0.0.1', port: 9464, isSet: false, names: [] },
      },
      live: { rpcUrl: null, wsUrl: null, grpcUrl: null, grpcToken: null, checkUrl: null, acceptedFork: null },
      liveAlt: { rpcUrl: null, wsUrl: null, checkUrl: null, addresses: null },
      retention: { rawHours: 24, tapeDays: 7, capBytes: 250e9 },
      clickhouse: { ...NO_SERVER, password: '', database: 'mintfold', port: 8403, hosts: [], days: 90 },
    })
  })

  test('.env.example lists only existing settings, each with its default', () => {
    const text = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
    expect(parseSettings(parseEnv(text), DEMO)).toEqual(parseSettings({}, DEMO))
    const commented = parseEnv(text.replace(/^# ([A-Z0-9_]+=)/gm, '$1'))
    expect(Object.keys(commented).length).toBeGreaterThan(10)
    expect(() => parseSettings(commented, DEMO)).not.toThrow()
  })

  test('values are read with their types', () => {
    const settings = parseSettings(
      { MINTFOLD_PORT: '0', MINTFOLD_PARTITIONS: '12', X402_PRICE_FACTOR: '0.5', MINTFOLD_BASE_URL: 'https://cards.example/v/' },
      DEMO,
    )
    expect(settings).toMatchObject({ port: 0, partitions: 12, priceFactor: 0.5, baseUrl: 'https://cards.example/v' })
  })

  test('an empty value counts as unset', () => {
    expect(parseSettings({ MINTFOLD_PORT: '' }, DEMO).port).toBe(8402)
  })

  test.each([
    ['demo', 'sandbox'],
    ['recording:launches.avro', 'sandbox'],
    ['live', 'facilitator'],
  ])('with source %s, payments default to %s', (source, payments) => {
    expect(parseSettings(FACILITATOR, { source }).payments).toBe(payments)
  })

  test('facilitator mode carries its three settings', () => {
    expect(parseSettings(FACILITATOR, LIVE).facilitator).toEqual({
      url: 'https://facilitator.example/',
      payTo: PAY_TO,
      network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    })
  })

  test('a second network is null or complete', () => {
    const evm = {
      X402_EVM_NETWORK: 'eip155:8453',
      X402_EVM_PAY_TO: CHECKSUMMED,
      X402_EVM_FACILITATOR_URL: 'https://evm.example/f',
    }
    expect(parseSettings(FACILITATOR, LIVE).evm).toBeNull()
    const [network, payTo, facilitatorUrl] = Object.values(evm)
    expect(parseSettings({ ...FACILITATOR, ...evm }, LIVE).evm).toEqual({ network, payTo, facilitatorUrl, rpcUrl: null })
    expect(parseSettings({ ...evm, X402_EVM_RPC_URL: 'https://node.example' }, DEMO).evm?.rpcUrl).toBe('https://node.example')
    expect(refusal({ X402_EVM_NETWORK: 'eip155:1', X402_EVM_RPC_URL: 'https://node.example' })).toBe(
      'X402_EVM_PAY_TO and X402_EVM_FACILITATOR_URL must be set together with X402_EVM_NETWORK and X402_EVM_RPC_URL: ' +
        'a second network needs X402_EVM_NETWORK, X402_EVM_PAY_TO and X402_EVM_FACILITATOR_URL',
    )
  })

  test.each([
    ['its EIP-55 checksum', CHECKSUMMED],
    ['lower-case letters', CHECKSUMMED.toLowerCase()],
    ['capitals', `0x${CHECKSUMMED.slice(2).toUpperCase()}`],
  ])('the receiving address of the second network with %s is accepted, and published with its checksum', (_what, address) => {
    const evm = { X402_EVM_NETWORK: 'eip155:8453', X402_EVM_PAY_TO: address, X402_EVM_FACILITATOR_URL: 'https://evm.example/f' }
    expect(parseSettings({ ...FACILITATOR, ...evm }, LIVE).evm?.payTo).toBe(CHECKSUMMED)
  })

  test('a lookup falls back to the chain RPC', () => {
    expect(parseSettings({ SOLANA_RPC_URL: 'http://a.example' }, DEMO).rpcUrl).toBe('http://a.example')
    expect(parseSettings({ SOLANA_RPC_URL: 'http://a.example', X402_RPC_URL: 'http://b.example' }, DEMO).rpcUrl).toBe('http://b.example')
  })

  test.each([
    ['MINTFOLD_PORT', '65536', 'a whole number from 0 to 65535'],
    ['MINTFOLD_PORT', '80x', 'a whole number from 0 to 65535'],
    ['MINTFOLD_PORT', '-1', 'a whole number from 0 to 65535'],
    ['MINTFOLD_PARTITIONS', '0', 'a whole number from 1 to 256'],
    ['MINTFOLD_LOG_LEVEL', 'loud', 'one of trace, debug, info, warn, error, fatal, silent'],
    ['MINTFOLD_PAYMENTS', 'free', 'one of sandbox, facilitator, off'],
    ['MINTFOLD_HOST', 'a host', 'an address or host name'],
    ['X402_PAY_TO', '0xabc', 'a base58 wallet address'],
    ['X402_NETWORK', 'solana:mainnet', 'a CAIP-2 id of a Solana network with USDC, such as solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
    ['X402_EVM_NETWORK', 'base', 'a CAIP-2 id of an EVM network, such as eip155:8453'],
    ['X402_EVM_PAY_TO', '0xabc', EVM_ADDRESS],
    ['X402_EVM_PAY_TO', '0x00000000000000000000000000000000000Beef1', EVM_ADDRESS],
    ['X402_EVM_PAY_TO', CHECKSUMMED.replace('a', 'b'), EVM_ADDRESS],
    ['X402_PRICE_FACTOR', '0', 'a number above 0, at most 1000'],
    ['X402_PRICE_FACTOR', '1e3', 'a number above 0, at most 1000'],
  ])('%s=%s is refused with the variable, the value and the valid form', (name, value, right) => {
    expect(refusal({ [name]: value })).toBe(`${name}=${JSON.stringify(value)} is wrong: it must be ${right}`)
  })

  test.each([
    'X402_FACILITATOR_URL',
    'X402_RPC_URL',
    'X402_EVM_FACILITATOR_URL',
    'X402_EVM_RPC_URL',
    'SOLANA_RPC_URL',
    'SOLANA_GRPC_URL',
    'SOLANA_WS_URL',
    'SOLANA_CHECK_RPC_URL',
    'ALT_RPC_URL',
    'ALT_WS_URL',
    'MINTFOLD_BASE_URL',
  ])('an invalid %s is reported without its value, also with a password, which no request could carry', (name) => {
    for (const value of ['ftp://user:hunter2@x.example', 'https://user:hunter2@x.example', 'https://hunter2@x.example']) {
      const message = refusal({ [name]: value })
      expect(message).toContain(`${name} is wrong`)
      expect(message).not.toContain('hunter2')
    }
  })

  test('several invalid values are reported together', () => {
    const message = refusal({ MINTFOLD_PORT: 'x', MINTFOLD_PARTITIONS: 'y' })
    expect(message).toContain('MINTFOLD_PORT')
    expect(message).toContain('MINTFOLD_PARTITIONS')
  })

  test.each([
    ['MINTFOLD_PROT', 'MINTFOLD_PORT'],
    ['X402_PAYTO', 'X402_PAY_TO'],
  ])('the unknown %s is refused and %s suggested', (wrong, right) => {
    expect(refusal({ [wrong]: '1' })).toBe(`unknown setting ${wrong}; the nearest is ${right} (.env.example lists all)`)
  })

  test('an unknown name unlike any setting is refused too', () => {
    expect(refusal({ MINTFOLD_A_SETTING_NOBODY_EVER_HEARD_OF: '1' })).toBe(
      'unknown setting MINTFOLD_A_SETTING_NOBODY_EVER_HEARD_OF (.env.example lists all)',
    )
  })

  test.each([
    ['CLICKHOUSE_URL', 'localhost:8123'],
    ['CLICKHOUSE_URL', 'http://me:hidden@localhost:8123/path'],
    ['CLICKHOUSE_URL', 'http://localhost:8123?a=hidden'],
    ['MINTFOLD_CLICKHOUSE_PORT', '65536'],
  ])('%s=%s is refused without printing a secret', (name, value) => {
    expect(refusal({ [name]: value })).toMatch(new RegExp(`^${name}.* is wrong`))
    expect(refusal({ [name]: value })).not.toContain('hidden')
  })

  test('REDIS_URL names a Redis, and is never printed', () => {
    expect(parseSettings({ REDIS_URL: 'rediss://user:hidden@store:6380/2' }, DEMO).redisUrl).toBe('rediss://user:hidden@store:6380/2')
    expect(refusal({ REDIS_URL: 'http://user:hidden@store:6380' })).toMatch(/^REDIS_URL is wrong: it must be a URL that starts with redis/)
  })

  test.each(['sandbox', 'off'])('payments %s bind only to loopback', (payments) => {
    for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost'])
      expect(parseSettings({ MINTFOLD_PAYMENTS: payments, MINTFOLD_HOST: host }, DEMO).host).toBe(host)
    for (const host of ['0.0.0.0', '::', '127.0.0.1.example', '10.0.0.1']) {
      expect(refusal({ MINTFOLD_PAYMENTS: payments, MINTFOLD_HOST: host })).toContain('must be loopback')
    }
  })

  test('payments by facilitator bind to any address', () => {
    expect(parseSettings({ ...FACILITATOR, MINTFOLD_HOST: '0.0.0.0' }, LIVE).host).toBe('0.0.0.0')
  })
})
