// Settings of the history: by which names its engine may be called, and for how long its rows are kept.
import { parseSettings } from '../../../topology/cli/settings/settings.ts'

const DEMO = { source: 'demo' }
const HOSTS = '1 to 16 host names without a port, comma-separated, such as clickhouse.internal'

test('names of hosts are a list', () => {
  expect(parseSettings({ MINTFOLD_CLICKHOUSE_HOSTS: 'db.internal,ch-1' }, DEMO).clickhouse.hosts).toEqual(['db.internal', 'ch-1'])
})
test.each(['db:8403', 'http://db', 'a b', 'db,', '-db', '.*', 'a..b', 'db|x'])('given names of hosts %s, then it is refused', (names) => {
  expect(() => parseSettings({ MINTFOLD_CLICKHOUSE_HOSTS: names }, DEMO)).toThrow(
    `MINTFOLD_CLICKHOUSE_HOSTS=${JSON.stringify(names)} is wrong: it must be ${HOSTS}`,
  )
})
test('rows of the history are kept for 90 days, or so many as are set', () => {
  expect(parseSettings({}, DEMO).clickhouse.days).toBe(90)
  expect(parseSettings({ MINTFOLD_HISTORY_DAYS: '365' }, DEMO).clickhouse.days).toBe(365)
})
test.each(['9', '0', '3651', 'a year'])('given %s days, then it is refused', (days) => {
  expect(() => parseSettings({ MINTFOLD_HISTORY_DAYS: days }, DEMO)).toThrow('it must be a whole number from 10 to 3650')
})
