// The scorecard of a long history is computed some days at a time, the newest first, and nothing that changes is forgotten.
import type { HistoryClient } from '../../topology/history/client.ts'
import { refreshView } from '../../topology/history/tables/refresh-view.ts'
import { describeEngine } from './history-server-given.ts'
import { type GivenHistories, givenHistories } from './sink-given.ts'

const DAYS = 20
const A_DAY = 10
const FROM = "toDateTime64('2026-10-01 00:00:00', 3, 'UTC')"

/** Outcomes and flags of every day; a later revision replaces an earlier one. */
const fill = async ({ database, command }: HistoryClient, revision: number, rugged: boolean, ago: string): Promise<void> => {
  const place = `number AS slot, 1 AS tx_index, 1 AS outer_ix, 1 AS inner_ix, 'h' AS hash8, ${revision} AS version, 0 AS is_deleted`
  const day = `${FROM} + toIntervalHour(24 * intDiv(number, ${A_DAY}))`
  await command(
    `INSERT INTO ${database}.flags_log (slot, tx_index, outer_ix, inner_ix, hash8, version, is_deleted,
       at, id, mint, flag, detector, detector_version, received_at)
     SELECT ${place}, ${day} + INTERVAL 1 HOUR, concat('f', toString(number)), concat('m', toString(number)), 'creator_sold',
       'creator_sold', 1, now64() - INTERVAL ${ago}
     FROM numbers(${DAYS * A_DAY})`,
  )
  await command(
    `INSERT INTO ${database}.outcomes_log (slot, tx_index, outer_ix, inner_ix, hash8, version, is_deleted,
       at, id, mint, t0, graduated, rugged, rug_dt_s, received_at)
     SELECT ${place}, ${day} + INTERVAL 2 HOUR, concat('o', toString(number)), concat('m', toString(number)), ${day}, false,
       ${rugged}, 7200, now64() - INTERVAL ${ago}
     FROM numbers(${DAYS * A_DAY})`,
  )
}

describeEngine('the scorecard of a long history', () => {
  let given: GivenHistories
  beforeAll(async () => {
    given = await givenHistories()
  })
  afterAll(() => given.remove())

  const judged = async (client: HistoryClient): Promise<unknown> =>
    (await client.rows(`SELECT flagged, resolved, rugged FROM ${client.database}.detector_scorecard`))[0]
  const refreshed = async (client: HistoryClient): Promise<number> => {
    await refreshView(client, 'detector_days_refresh')
    const { rows, database } = client
    const [row] = await rows<{ n: number }>(`SELECT count() AS n FROM ${database}.detector_days_log FINAL WHERE flag = '' AND rugged > 0`)
    return Number(row?.n)
  }

  test('takes eight days at a time, and what changed on more of them is left for later', async () => {
    const client = await given.asked(await given.lent())
    await client.command(
      `INSERT INTO ${client.database}.progress_log (sink, version, up_to) SELECT 'clickhouse', 1, ${FROM} + INTERVAL ${DAYS} DAY`,
    )
    await client.command(`INSERT INTO ${client.database}.ticks_log (slot, tick_at) VALUES (1, ${FROM})`)
    await fill(client, 1, true, '10 MINUTE')
    // The day of `up_to` is empty.
    expect([await refreshed(client), await refreshed(client), await refreshed(client)]).toEqual([7, 15, DAYS])
    expect(await judged(client)).toEqual({ flagged: 200, resolved: 200, rugged: 200 })
    await fill(client, 2, false, '30 SECOND')
    expect(await refreshed(client)).toBe(DAYS - 4)
    await client.command(
      `INSERT INTO ${client.database}.detector_days_log (day, refreshed_at) VALUES ('2026-09-30', now64() + INTERVAL 100 SECOND)`,
    )
    expect([await refreshed(client), await refreshed(client)]).toEqual([DAYS - 12, 0])
    expect(await judged(client)).toEqual({ flagged: 200, resolved: 200, rugged: 0 })
  })
})
