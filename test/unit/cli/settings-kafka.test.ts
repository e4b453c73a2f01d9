import { type Env, listSettings, parseSettings } from '../../../topology/cli/settings/settings.ts'
import { envWith } from '../../../topology/cli/settings/settings-kafka.ts'

const DEMO = { source: 'demo' }

const refusal = (env: Env): string => {
  try {
    parseSettings(env, DEMO)
  } catch (error) {
    expect(error).toMatchObject({ name: 'UsageError' })
    return (error as Error).message
  }
  throw new Error('was not refused')
}

describe('the log on Kafka', () => {
  const KAFKA = { KAFKA_BROKERS: 'one:9092, [::1]:9093', SCHEMA_REGISTRY_URL: 'http://registry:8081/apis/ccompat/v7' }

  test('brokers and a registry configure the log, with 12 partitions', () => {
    expect(parseSettings(KAFKA, DEMO)).toMatchObject({
      partitions: 12,
      kafka: {
        brokers: ['one:9092', '[::1]:9093'],
        prefix: 'mintfold.',
        isSingleBroker: false,
        security: { tls: false, sasl: null },
        registry: { url: KAFKA.SCHEMA_REGISTRY_URL, login: null },
      },
    })
    expect(parseSettings({ ...KAFKA, MINTFOLD_PARTITIONS: '3', MINTFOLD_TOPIC_PREFIX: 'mine-' }, DEMO)).toMatchObject({
      partitions: 3,
      kafka: { prefix: 'mine-' },
    })
  })
  test.each([
    ['the setting', { MINTFOLD_SINGLE_BROKER: 'true' }, {}, true],
    ['the flag', {}, { singleBroker: true }, true],
    ['the flag, which wins over the setting', { MINTFOLD_SINGLE_BROKER: 'false' }, { singleBroker: true }, true],
    ['the setting alone, where the flag is absent', { MINTFOLD_SINGLE_BROKER: 'false' }, {}, false],
  ])('topics with few copies are accepted by %s', (_by, env, options, isAccepted) => {
    expect(parseSettings(envWith({ ...KAFKA, ...env }, options), DEMO).kafka?.isSingleBroker).toBe(isAccepted)
  })
  describe('a login without TLS', () => {
    const login = { KAFKA_USERNAME: 'me', KAFKA_PASSWORD: 'hidden' }
    test.each([
      ['no mechanism', {}],
      ['PLAIN', { KAFKA_SASL_MECHANISM: 'plain' }],
      ['PLAIN, TLS and its exception switched off', { KAFKA_TLS: 'false', KAFKA_PLAIN_WITHOUT_TLS: 'false' }],
    ])('is refused with %s, because it sends the password in clear text', (_what, env) => {
      expect(refusal({ ...KAFKA, ...login, ...env })).toMatch(
        /^KAFKA_PASSWORD would be sent in clear text .*KAFKA_TLS=true.*scram-sha-512.*KAFKA_PLAIN_WITHOUT_TLS=true/,
      )
    })
    test.each([
      ['PLAIN, if it is asked for by name', { KAFKA_PLAIN_WITHOUT_TLS: 'true' }, 'plain'],
      ['SCRAM, which never sends the password', { KAFKA_SASL_MECHANISM: 'scram-sha-256' }, 'scram-sha-256'],
    ])('is accepted with %s', (_what, env, mechanism) => {
      expect(parseSettings({ ...KAFKA, ...login, ...env }, DEMO).kafka?.security).toMatchObject({ tls: false, sasl: { mechanism } })
    })
  })
  test('logins are accepted with them', () => {
    const login = { KAFKA_USERNAME: 'me', KAFKA_PASSWORD: 'hidden', KAFKA_TLS: 'true' }
    const registry = { SCHEMA_REGISTRY_USERNAME: 'you', SCHEMA_REGISTRY_PASSWORD: 'hidden too' }
    expect(parseSettings({ ...KAFKA, ...login, ...registry }, DEMO).kafka).toMatchObject({
      security: { tls: true, sasl: { mechanism: 'plain', username: 'me', password: 'hidden' } },
      registry: { login: { username: 'you', password: 'hidden too' } },
    })
    expect(parseSettings({ ...KAFKA, ...login, KAFKA_SASL_MECHANISM: 'scram-sha-512' }, DEMO).kafka?.security.sasl?.mechanism).toBe(
      'scram-sha-512',
    )
  })
  test.each([
    ['KAFKA_BROKERS', 'one', 'host:port'],
    ['KAFKA_BROKERS', 'one:9092,', 'host:port'],
    ['KAFKA_BROKERS', 'http://one:9092', 'host:port'],
    ['KAFKA_BROKERS', 'one:70000', 'host:port'],
    ['KAFKA_TLS', 'yes', 'true or false'],
    ['MINTFOLD_SINGLE_BROKER', 'yes', 'true or false'],
    ['KAFKA_SASL_MECHANISM', 'PLAIN', 'one of plain, scram-sha-256, scram-sha-512'],
    ['KAFKA_SASL_MECHANISM', 'plain', 'KAFKA_USERNAME is not'],
    ['KAFKA_USERNAME', 'me', 'KAFKA_PASSWORD is not'],
    ['KAFKA_PASSWORD', 'hidden', 'KAFKA_USERNAME is not'],
    ['SCHEMA_REGISTRY_PASSWORD', 'hidden', 'SCHEMA_REGISTRY_USERNAME is not'],
    ['SCHEMA_REGISTRY_URL', '', 'SCHEMA_REGISTRY_URL is not set'],
    ['SCHEMA_REGISTRY_URL', 'registry:8081', 'http://'],
    ['SCHEMA_REGISTRY_URL', 'http://me:hidden@registry:8081', 'SCHEMA_REGISTRY_USERNAME'],
    ['MINTFOLD_TOPIC_PREFIX', 'a b', 'letters, digits'],
  ])('%s=%s is refused with the valid form, without printing a secret', (name, value, right) => {
    const message = refusal({ ...KAFKA, [name]: value })
    expect(message).toContain(name)
    expect(message).toContain(right)
    expect(message).not.toContain('hidden')
  })
  test('the list of settings masks passwords', () => {
    const lines = listSettings({ ...KAFKA, KAFKA_PASSWORD: 'hidden', SCHEMA_REGISTRY_PASSWORD: 'hidden' })
    expect(JSON.stringify(lines)).not.toContain('hidden')
  })
})
