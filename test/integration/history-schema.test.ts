// A history whose tables, columns, views or refreshes differ from what this program needs reports it, and what to do.
import { migrate } from '../../topology/history/tables/migrate.ts'
import { SchemaWatch, schemaTroubles } from '../../topology/history/tables/schema-check.ts'
import { describeEngine } from './history-server-given.ts'
import { type GivenHistories, givenHistories } from './sink-given.ts'

describeEngine('the schema of a history', () => {
  let given: GivenHistories
  beforeEach(async () => {
    given = await givenHistories({ views: false })
  })
  afterEach(() => given.remove())

  test('a new history has no trouble', async () => {
    expect(await schemaTroubles(await given.fresh())).toEqual([])
  })
  test('names a dropped column that the sink writes, and what to do', async () => {
    const client = await given.fresh()
    await client.command(`ALTER TABLE ${client.database}.trades_log DROP COLUMN fee_units`)
    expect(await schemaTroubles(client)).toEqual([
      expect.stringMatching(
        /^1 columns of the history are missing \(trades_log\.fee_units\): restore a backup, or set CLICKHOUSE_DATABASE/,
      ),
    ])
  })
  test('names a dropped view and refresh; the next start creates them again', async () => {
    const client = await given.fresh()
    await client.command(`DROP VIEW ${client.database}.base_rates`)
    await client.command(`DROP VIEW ${client.database}.regime_minutes_refresh`)
    await client.command(`DROP VIEW ${client.database}.trades`)
    expect(await schemaTroubles(client)).toEqual([
      expect.stringMatching(/^3 views .* \(trades, regime_minutes_refresh, base_rates\): restart/),
    ])
    await migrate(client)
    expect(await schemaTroubles(client)).toEqual([])
  })
  test('names a dropped table, and the refresh that failed because of it', async () => {
    const client = await given.fresh()
    await client.command(`DROP TABLE ${client.database}.outcomes_log`)
    await client.command(`SYSTEM START VIEW ${client.database}.base_rates`)
    await client.command(`SYSTEM REFRESH VIEW ${client.database}.base_rates`)
    await client.command(`SYSTEM WAIT VIEW ${client.database}.base_rates`).catch(() => undefined)
    const troubles = await schemaTroubles(client)
    expect(troubles).toEqual([
      expect.stringMatching(/^1 tables .* \(outcomes_log\)/),
      expect.stringMatching(/^the refresh of history_0\.base_rates failed: .*outcomes_log/),
    ])
  })
  test('logs a trouble when it begins and when it ends', async () => {
    const client = await given.fresh()
    const notices: string[] = []
    const watch = new SchemaWatch((code) => notices.push(code))
    await client.command(`DROP VIEW ${client.database}.flags`)
    for (let look = 0; look < 2; look++) await watch.check(client)
    expect([notices, watch.trouble]).toEqual([['history_schema'], expect.stringContaining('flags')])
    await migrate(client)
    await watch.check(client)
    expect([notices, watch.trouble]).toEqual([['history_schema', 'history_schema_whole'], null])
  })
})
