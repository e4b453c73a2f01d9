// Settings of the history: accepted host names of its engine, retention of its rows, and clusters.
import { listSettings, parseSettings } from '../../../topology/cli/settings/settings.ts'

const DEMO = { source: 'demo' }
const HOSTS = '1 to 16 host names without a port, comma-separated, such as clickhouse.internal'

test('host names are a list', () => {
  expect(parseSettings({ MINTFOLD_CLICKHOUSE_HOSTS: 'db.internal,ch-1' }, DEMO).clickhouse.hosts).toEqual(['db.internal', 'ch-1'])
})
test.each(['db:8403', 'http://db', 'a b', 'db,', '-db', '.*', 'a..b', 'db|x'])('host names %s are refused', (names) => {
  expect(() => parseSettings({ MINTFOLD_CLICKHOUSE_HOSTS: names }, DEMO)).toThrow(
    `MINTFOLD_CLICKHOUSE_HOSTS=${JSON.stringify(names)} is wrong: it must be ${HOSTS}`,
  )
})
test('history rows are kept for 90 days, or as configured', () => {
  expect(parseSettings({}, DEMO).clickhouse.days).toBe(90)
  expect(parseSettings({ MINTFOLD_HISTORY_DAYS: '365' }, DEMO).clickhouse.days).toBe(365)
})
test.each(['9', '0', '3651', 'a year'])('%s days are refused', (days) => {
  expect(() => parseSettings({ MINTFOLD_HISTORY_DAYS: days }, DEMO)).toThrow('it must be a whole number from 10 to 3650')
})

test('the servers of a cluster are a list, shown without their passwords', () => {
  const env = { CLICKHOUSE_URL: 'http://me:secret@a:8123,http://b:8123', CLICKHOUSE_CLUSTER: 'main' }
  expect(parseSettings(env, DEMO).clickhouse).toMatchObject({ url: env.CLICKHOUSE_URL, cluster: 'main' })
  const shown = JSON.stringify(listSettings(env))
  expect(shown).toContain('@a:8123,http://b:8123')
  expect(shown).not.toContain('secret')
})
test.each([
  ['CLICKHOUSE_URL', 'http://a:8123,b:8123'],
  ['CLICKHOUSE_CLUSTER', 'a; DROP TABLE b'],
  ['CLICKHOUSE_DATABASE', 'a; DROP TABLE b'],
])('%s=%s is refused', (name, value) => {
  expect(() => parseSettings({ CLICKHOUSE_URL: 'http://a:8123', [name]: value }, DEMO)).toThrow(/is wrong: it must be/)
})
test('a cluster without servers, and several servers without a cluster, are refused', () => {
  expect(() => parseSettings({ CLICKHOUSE_CLUSTER: 'main' }, DEMO)).toThrow('CLICKHOUSE_CLUSTER is set, but CLICKHOUSE_URL is not')
  const several = { CLICKHOUSE_URL: 'http://a:8123,http://b:8123' }
  expect(() => parseSettings(several, DEMO)).toThrow('CLICKHOUSE_URL has several servers, but CLICKHOUSE_CLUSTER is not set')
})
