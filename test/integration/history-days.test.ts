// How long rows are kept: set at any start, applied to existing rows too, and reflected by `coverage`.
import type { HistoryClient } from '../../topology/history/client.ts'
import { keepDays } from '../../topology/sinks/retention/keep-days.ts'
import { until } from '../tools/until.ts'
import { describeEngine } from './history-server-given.ts'
import { type GivenHistories, givenHistories } from './sink-given.ts'

const TABLES = 17
const AGED = ['ticks_log', 'trades_log'] as const

describeEngine('MINTFOLD_HISTORY_DAYS', () => {
  let given: GivenHistories
  let client: HistoryClient
  let notices: string[]
  const notice = (code: string): void => void notices.push(code)
  const rows = async (table: string): Promise<number> =>
    (await client.rows<{ n: number }>(`SELECT count() AS n FROM ${client.database}.${table}`))[0]?.n ?? -1
  const ttls = async (): Promise<readonly string[]> => {
    const sql = `SELECT DISTINCT extract(engine_full, 'TTL [^ ]+ \\\\+ toIntervalDay\\\\(\\\\d+\\\\)') AS ttl, count() AS n FROM system.tables
      WHERE database = {database:String} AND ttl != '' GROUP BY ttl ORDER BY ttl`
    return (await client.rows<{ ttl: string; n: number }>(sql, { database: client.database })).map(({ ttl, n }) => `${n} ${ttl}`)
  }
  /** Writes one row a day for this many days. */
  const writeDays = async (days: number): Promise<void> => {
    const at = 'now() - toIntervalHour(24 * number + 12)'
    const own = { ticks_log: '', trades_log: ", 'coin' AS mint, 'wallet' AS user" }
    for (const table of AGED) {
      const key = `1000 - number AS slot, 'abcdef01' AS hash8, 1 AS version, ${at} AS tick_at, ${at} AS received_at`
      const [columns, values] = [table === 'ticks_log' ? '' : ', mint, user', `${key}${own[table]}`]
      await client.command(
        `INSERT INTO ${client.database}.${table} (slot, hash8, version, tick_at, received_at${columns}) SELECT ${values} FROM numbers(${days})`,
      )
    }
    await client.command(`INSERT INTO ${client.database}.progress_log (sink, up_to) VALUES ('clickhouse', now())`)
  }
  const coveredDays = async (): Promise<number> =>
    (
      await client.rows<{ days: number }>(
        `SELECT intDiv(dateDiff('second', "from", now()), 86400) AS days FROM ${client.database}.coverage WHERE table = 'trades'`,
      )
    )[0]?.days ?? -1

  beforeAll(async () => {
    given = await givenHistories({ views: false, copied: 2 })
    client = await given.fresh()
  })
  beforeEach(() => {
    notices = []
  })
  afterAll(() => given.remove())

  test('the default changes nothing', async () => {
    await keepDays(client, 90, notice)
    expect([notices, await rows('kept_days_log'), await ttls()]).toEqual([
      [],
      0,
      ['TTL received_at + toIntervalDay(90)', 'TTL toDateTime(refreshed_at) + toIntervalDay(5)'].map(
        (ttl, n) => `${n === 0 ? TABLES : 1} ${ttl}`,
      ),
    ])
  })
  test('fewer days drop the older rows, and coverage begins 8 days after the oldest row that is kept', async () => {
    await writeDays(60)
    expect(await coveredDays()).toBe(59)
    await keepDays(client, 30, notice)
    expect(notices).toEqual(['history_days_set'])
    expect((await ttls())[0]).toBe(`${TABLES} TTL received_at + toIntervalDay(30)`)
    expect(await coveredDays()).toBe(22)
    for (const table of AGED) await client.command(`OPTIMIZE TABLE ${client.database}.${table} FINAL`)
    for (const table of AGED) await until(async () => (await rows(table)) === 30)
  })
  test('more days keep existing rows, and coverage does not grow back', async () => {
    client = await given.fresh()
    await keepDays(client, 10, notice)
    for (const table of AGED) await client.command(`SYSTEM STOP TTL MERGES ${client.database}.${table}`)
    await writeDays(60)
    expect(await coveredDays()).toBe(2)
    await keepDays(client, 365, notice)
    const dates = `SELECT countIf(delete_ttl_info_max < now() + INTERVAL 200 DAY) AS n FROM system.parts
      WHERE active AND rows > 0 AND database = {database:String} AND table IN ('ticks_log', 'trades_log')`
    await until(async () => (await client.rows<{ n: number }>(dates, { database: client.database }))[0]?.n === 0)
    for (const table of AGED) await client.command(`SYSTEM START TTL MERGES ${client.database}.${table}`)
    for (const table of AGED) await client.command(`OPTIMIZE TABLE ${client.database}.${table} FINAL`)
    for (const table of AGED) expect(await rows(table)).toBe(60)
    expect(await coveredDays()).toBe(2)
  })
  test('the next start completes a change of the days that was killed half way', async () => {
    await keepDays(client, 90, notice)
    await client.command(`TRUNCATE ALL TABLES FROM ${client.database} NOT LIKE 'schema_migrations'`)
    notices = []
    await client.command(`INSERT INTO ${client.database}.kept_days_log (days) VALUES (30)`)
    await client.command(`ALTER TABLE ${client.database}.trades_log MODIFY TTL received_at + INTERVAL 30 DAY`)
    await keepDays(client, 30, notice)
    expect((await ttls())[0]).toBe(`${TABLES} TTL received_at + toIntervalDay(30)`)
    await keepDays(client, 30, notice)
    expect([notices, await rows('kept_days_log')]).toEqual([['history_days_set'], 1])
  })
})
