// The scorecard of a long history is computed some days at a time, the newest first, and nothing that changes is forgotten.
import type { HistoryClient } from '../../topology/history/client.ts'
import { refreshView } from '../../topology/history/tables/refresh-view.ts'
import { describeEngine } from './history-server-given.ts'
import { DAY, fillFigures, flag, outcome, shadow, T0 } from './sink-figures-given.ts'
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
    given = await givenHistories({ copied: 2 })
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

  test('judges flags by the outcomes that came after them, those of shadow detectors too', async () => {
    const client = await given.lent()
    await fillFigures(client, T0 + DAY, (batch) => {
      const said = [
        outcome(1, T0, T0 + DAY, { rugged: true, rugDtS: 100 }),
        outcome(2, T0, T0 + DAY, {}),
        outcome(3, T0, T0 + DAY, { rugged: true, rugDtS: 50 }),
        outcome(4, T0, T0 + DAY, { rugged: null, graduated: null, censored: 'gap' }),
        flag(1, T0 + 60, 'creator_sold'),
        flag(2, T0 + 60, 'creator_sold'),
        flag(4, T0 + 60, 'creator_sold'),
        flag(5, T0 + 60, 'creator_sold'),
        shadow(3, T0 + 60, 'a_sold'),
        // Found after the launch was settled: its outcome judges no such flag.
        flag(1, T0 + DAY + 10, 'pool_drained'),
      ]
      for (const [offset, one] of said.entries()) batch.conclusion(one, offset)
    })
    const [hidden, row, late] = await client.rows(`SELECT * EXCEPT as_of FROM ${client.database}.detector_scorecard ORDER BY flag`)
    expect(hidden).toMatchObject({ flag: 'a_sold', tier: 'shadow', flagged: 1, resolved: 1, rugged: 1, recall: 0.5, median_lead_s: -10 })
    expect(await client.rows(`SELECT flag FROM ${client.database}.shadow_flags`)).toEqual([{ flag: 'a_sold' }])
    expect(await client.rows(`SELECT flag FROM ${client.database}.flags WHERE flag = 'a_sold'`)).toEqual([])
    const counts = { flagged: 4, resolved: 2, rugged: 1, rugged_total: 2 }
    const shares = { precision: 0.5, recall: 0.5, median_lead_s: 40, reason: null }
    expect(row).toEqual({ flag: 'creator_sold', detector: 'creator_sold', detector_version: 1, tier: 'active', ...counts, ...shares })
    expect(late).toMatchObject({ flag: 'pool_drained', flagged: 1, resolved: 0, precision: null, recall: null, median_lead_s: null })
    expect(late).toMatchObject({ reason: expect.stringContaining('after its flag') })
  })
})
