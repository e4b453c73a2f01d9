import { type Env, parseSettings } from '../../../topology/cli/settings/settings.ts'

const httpOf = (env: Env) => parseSettings(env, { source: 'demo' }).http

test('values are read with their types', () => {
  const env = {
    MINTFOLD_CONTACT: 'ops@cards.example',
    MINTFOLD_RATE_PER_MINUTE: '10',
    MINTFOLD_RATE_PAID_PER_MINUTE: '5',
    MINTFOLD_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    MINTFOLD_METRICS_HOST: '0.0.0.0',
    MINTFOLD_METRICS_PORT: '0',
    MINTFOLD_METRICS_HOSTS: 'serve-1,mintfold-serve.monitoring.svc',
  }
  expect(httpOf(env)).toEqual({
    contact: 'ops@cards.example',
    drainMs: 5_000,
    ratePerMinute: 10,
    ratePaidPerMinute: 5,
    trustedProxies: ['10.0.0.0/8', '::1'],
    metrics: { host: '0.0.0.0', port: 0, isSet: true, names: ['serve-1', 'mintfold-serve.monitoring.svc'] },
  })
})

test.each([
  [{ MINTFOLD_RATE_PER_MINUTE: '0' }, /MINTFOLD_RATE_PER_MINUTE="0" is wrong: .*whole number from 1/],
  [{ MINTFOLD_RATE_PAID_PER_MINUTE: 'many' }, /MINTFOLD_RATE_PAID_PER_MINUTE="many" is wrong/],
  [{ MINTFOLD_TRUSTED_PROXIES: '10.0.0.0/8,proxy.example' }, /MINTFOLD_TRUSTED_PROXIES=.* is wrong: .*"proxy.example" is neither/],
  [{ MINTFOLD_TRUSTED_PROXIES: '10.0.0.0/40' }, /no prefix of 0 to 32 bits/],
  [{ MINTFOLD_CONTACT: 'somebody' }, /MINTFOLD_CONTACT="somebody" is wrong: it must be an e-mail address, or a URL/],
  [{ MINTFOLD_METRICS_HOST: 'http://10.0.0.1' }, /MINTFOLD_METRICS_HOST=.* is wrong: .*an address or host name/],
  [{ MINTFOLD_METRICS_PORT: '70000' }, /MINTFOLD_METRICS_PORT="70000" is wrong/],
])('%j is refused by name', (env, message) => {
  expect(() => httpOf(env)).toThrow(message)
})
