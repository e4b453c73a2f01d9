// Settings of the history: accepted host names of its engine, and retention of its rows.
import { parseSettings } from '../../../topology/cli/settings/settings.ts'

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
