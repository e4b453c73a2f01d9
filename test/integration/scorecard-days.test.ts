// Grades by day in a long history, of detectors (eight days per refresh) and of odds (one day per refresh), and the Merkle roots of odds.
import { ODDS_HEADS } from '../../processors/odds/heads.ts'
import type { HistoryClient } from '../../topology/history/client.ts'
import { readOddsGrades, readTrackRecord } from '../../topology/history/odds/grades.ts'
import { keepLedger, makeRoots } from '../../topology/history/odds/ledger.ts'
import { readMintOdds, readOddsLedger, readOddsProof } from '../../topology/history/odds/proofs.ts'
import { MINT_TABLES } from '../../topology/history/rows/mint-tables.ts'
import { RowBatch } from '../../topology/history/rows/row-batch.ts'
import { refreshView } from '../../topology/history/tables/refresh-view.ts'
import { HOUR_S, ODDS_CALLS, type OddsProof, type OddsScores, ROOT_WAIT_S } from '../../topology/ports/odds-history.ts'
import { pause } from '../../topology/waiting/waiting.ts'
import { until } from '../tools/until.ts'
import { verified } from '../tools/verify-odds.ts'
import { key } from '../unit/processors/mint/market.ts'
import { describeEngine } from './history-server-given.ts'
import { callsOfDays, dayText, type GivenOdds, givenDays, oddsIdOf, oddsOf, putDays, scoresOfDays } from './odds-grades-given.ts'
import { DAY, fillFigures, flag, outcome, shadow, T0 } from './sink-figures-given.ts'
import { type GivenHistories, givenHistories } from './sink-given.ts'

const DAYS = 20
const LAUNCHES_PER_DAY = 10
const FROM = "toDateTime64('2026-10-01 00:00:00', 3, 'UTC')"

/** Inserts outcomes and flags of every day; a later revision replaces an earlier one. */
const fill = async ({ database, command }: HistoryClient, revision: number, rugged: boolean, ago: string): Promise<void> => {
  const position = `number AS slot, 1 AS tx_index, 1 AS outer_ix, 1 AS inner_ix, 'h' AS hash8, ${revision} AS version, 0 AS is_deleted`
  const day = `${FROM} + toIntervalHour(24 * intDiv(number, ${LAUNCHES_PER_DAY}))`
  await command(
    `INSERT INTO ${database}.flags_log (slot, tx_index, outer_ix, inner_ix, hash8, version, is_deleted,
       at, id, mint, flag, detector, detector_version, received_at)
     SELECT ${position}, ${day} + INTERVAL 1 HOUR, concat('f', toString(number)), concat('m', toString(number)), 'creator_sold',
       'creator_sold', 1, now64() - INTERVAL ${ago}
     FROM numbers(${DAYS * LAUNCHES_PER_DAY})`,
  )
  await command(
    `INSERT INTO ${database}.outcomes_log (slot, tx_index, outer_ix, inner_ix, hash8, version, is_deleted,
       at, id, mint, t0, graduated, rugged, rug_dt_s, received_at)
     SELECT ${position}, ${day} + INTERVAL 2 HOUR, concat('o', toString(number)), concat('m', toString(number)), ${day}, false,
       ${rugged}, 7200, now64() - INTERVAL ${ago}
     FROM numbers(${DAYS * LAUNCHES_PER_DAY})`,
  )
}

describeEngine('a long history', () => {
  let given: GivenHistories
  beforeAll(async () => {
    given = await givenHistories()
  })
  afterEach(() => given.rollBack())
  afterAll(() => given.remove())

  const judged = async (client: HistoryClient): Promise<unknown> =>
    (await client.rows(`SELECT flagged, resolved, rugged FROM ${client.database}.detector_scorecard`))[0]
  const refreshed = async (client: HistoryClient): Promise<number> => {
    await refreshView(client, 'detector_days_refresh')
    const { rows, database } = client
    const [row] = await rows<{ n: number }>(`SELECT count() AS n FROM ${database}.detector_days_log FINAL WHERE flag = '' AND rugged > 0`)
    return Number(row?.n)
  }

  test('has a scorecard of detectors whose refresh grades eight days, and leaves changes of more days to the next refresh', async () => {
    const client = await given.lent()
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

  test('judges its flags by the outcomes that came after them, flags of shadow detectors included', async () => {
    const client = await given.lent()
    await fillFigures(client, T0 + DAY, ['detector_days_refresh'], (batch) => {
      const conclusions = [
        outcome(1, T0, T0 + DAY, { rugged: true, rugDtS: 100 }),
        outcome(2, T0, T0 + DAY, {}),
        outcome(3, T0, T0 + DAY, { rugged: true, rugDtS: 50 }),
        outcome(4, T0, T0 + DAY, { rugged: null, graduated: null, censored: 'gap' }),
        flag(1, T0 + 60, 'creator_sold'),
        flag(2, T0 + 60, 'creator_sold'),
        flag(4, T0 + 60, 'creator_sold'),
        flag(5, T0 + 60, 'creator_sold'),
        shadow(3, T0 + 60, 'a_sold'),
        flag(2, T0 + 60, 'wash_trading'),
        // Found after the launch was settled: its outcome judges no such flag.
        flag(1, T0 + DAY + 10, 'pool_drained'),
      ]
      for (const [offset, one] of conclusions.entries()) batch.conclusion(one, offset)
    })
    const [hidden, row, late, unhit] = await client.rows(`SELECT * EXCEPT as_of FROM ${client.database}.detector_scorecard ORDER BY flag`)
    expect(hidden).toMatchObject({ flag: 'a_sold', tier: 'shadow', flagged: 1, resolved: 1, rugged: 1, recall: 0.5, median_lead_s: -10 })
    expect(await client.rows(`SELECT flag FROM ${client.database}.shadow_flags`)).toEqual([{ flag: 'a_sold' }])
    expect(await client.rows(`SELECT flag FROM ${client.database}.flags WHERE flag = 'a_sold'`)).toEqual([])
    const counts = { flagged: 4, resolved: 2, rugged: 1, rugged_total: 2 }
    const shares = { precision: 0.5, recall: 0.5, median_lead_s: 40, reason: null }
    expect(row).toEqual({ flag: 'creator_sold', detector: 'creator_sold', detector_version: 1, tier: 'active', ...counts, ...shares })
    expect(late).toMatchObject({ flag: 'pool_drained', flagged: 1, resolved: 0, precision: null, recall: null, median_lead_s: null })
    expect(late).toMatchObject({ reason: expect.stringContaining('earlier than its flag') })
    expect(unhit).toMatchObject({ flag: 'wash_trading', resolved: 1, precision: 0, recall: 0, median_lead_s: null })
    expect(unhit).toMatchObject({ reason: 'no flagged launch rugged: there is no lead' })
  })

  const put = async (client: HistoryClient, fill: (batch: RowBatch) => void): Promise<void> => {
    const batch = new RowBatch(MINT_TABLES)
    fill(batch)
    for (const { table, columns, body } of batch.take()) await client.insert({ table, columns, format: 'RowBinary', body })
  }
  const near = (scores: OddsScores | null) =>
    scores && Object.fromEntries(Object.entries(scores).map(([name, value]) => [name, value === null ? null : expect.closeTo(value, 10)]))

  test('grades odds like the scores of processors/grading, as a whole and by day and model, and counts their calls like a naive count', async () => {
    const client = await given.lent()
    const days = givenDays(7, 60)
    await put(client, (batch) => {
      putDays(batch, days)
      batch.progress({ sink: 'test', upTo: T0 + 3 * DAY })
    })
    // Each refresh computes one day; figures exist once all days are computed.
    for (let day = 0; day < 3; day++) {
      expect(await readOddsGrades(client)).toMatchObject({ ok: false })
      for (const view of ['odds_days_refresh', 'odds_calls_refresh']) await refreshView(client, view)
    }
    const grades = await readOddsGrades(client)
    if (!grades.ok) throw new Error(grades.reason)
    for (const head of ODDS_HEADS) {
      const found = grades.value[head]
      expect(found.all).toMatchObject(near(scoresOfDays(days, head, () => true)) ?? {})
      expect(found.days.length).toBe(3)
      for (const { part, ...scores } of found.days)
        expect([part, scores]).toEqual([part, near(scoresOfDays(days, head, ({ t0 }) => dayText(t0) === part))])
      for (const { part, ...scores } of found.models)
        expect([part, scores]).toEqual([part, near(scoresOfDays(days, head, ({ model }) => model === part))])
      expect(found.regimes.map(({ part }) => part)).toEqual(['under_1000'])
      expect(found.all?.bins.reduce((sum, { n }) => sum + n, 0)).toBe(found.all?.n)
    }
    const record = await readTrackRecord(client)
    if (!record.ok) throw new Error(record.reason)
    for (const one of ODDS_CALLS) expect([one.call, record.value[one.call]]).toEqual([one.call, callsOfDays(days, one)])
  })

  const HOUR = Math.floor(T0 / HOUR_S) * HOUR_S
  const ODDS = Array.from(
    { length: 600 },
    (_, n): GivenOdds => ({
      ...{ n: n + 1, t0: HOUR + n, ageS: 5, head: 'rug_within_300s', ppm: n * 1_000, model: 'model0', isShadow: n % 3 === 0 },
    }),
  )
  const proofsOf = async (client: HistoryClient, odds: readonly GivenOdds[]): Promise<readonly OddsProof[]> => {
    const found: OddsProof[] = []
    for (const one of odds) {
      const proof = await readOddsProof(client, { id: oddsIdOf(one), mint: key(one.n), number: one.n * 1_000 + one.ageS })
      if (proof !== null) found.push(proof)
    }
    return found
  }

  test('has the odds of an hour under one root, made once, however often and by however many processes; later changes are left out or noted', async () => {
    const client = await given.lent()
    const notices: string[] = []
    const notice = (code: string, facts: object): void => void notices.push(`${code} ${JSON.stringify(facts)}`)
    const [early, ...rest] = ODDS as [GivenOdds, ...GivenOdds[]]
    await put(client, (batch) => {
      for (const [offset, one] of ODDS.entries()) batch.conclusion(oddsOf(one), offset)
      batch.conclusion(oddsOf(early), ODDS.length, 'a fork')
    })
    const end = HOUR + HOUR_S
    expect((await proofsOf(client, rest.slice(0, 1))).map(({ state }) => state)).toEqual(['open'])
    // A process killed between leaves and root has written the leaves only.
    const killed = {
      ...client,
      insert: (rows: Parameters<HistoryClient['insert']>[0]) =>
        rows.table === 'odds_roots_log' ? Promise.reject(new Error('killed')) : client.insert(rows),
    }
    await expect(makeRoots(killed, end, end, notice)).rejects.toThrow('killed')
    expect(await readOddsLedger(client)).toMatchObject({ ok: false })
    const [stop, upTo] = [new AbortController(), { s: end + ROOT_WAIT_S - 1 }]
    const options = { client, upTo: () => upTo.s, isScored: () => true, stop: stop.signal, notice, checkMs: 5 }
    const [first, second] = [keepLedger(options), keepLedger(options)]
    await pause(50)
    expect(await readOddsLedger(client)).toMatchObject({ ok: false })
    upTo.s++
    await until(async () => (await readOddsLedger(client)).ok, { msMax: 60_000 })
    stop.abort()
    await Promise.all([first, second])
    expect(await readOddsLedger(client)).toMatchObject({ value: { hours: 1, changedHours: 0, newest: [{ hour: HOUR, n: 599 }] } })
    const chosen = [rest[0], rest[255], rest[256], rest[598]] as GivenOdds[]
    const proven = await proofsOf(client, chosen)
    expect(proven.map(({ state }) => state)).toEqual(chosen.map(() => 'proven'))
    expect(verified(proven)).toEqual({ code: 0, lines: chosen.map((one) => expect.stringContaining(`ok ${oddsIdOf(one)} root`)) })
    expect(await proofsOf(client, [early])).toMatchObject([{ state: 'left_out', isRetracted: true }])

    const late: GivenOdds = { ...early, n: 900 }
    await put(client, (batch) => {
      batch.conclusion(oddsOf(chosen[0] as GivenOdds), 1_000, 'a late fork')
      batch.conclusion(oddsOf(late), 1_001)
    })
    for (let again = 0; again < 2; again++) await makeRoots(client, end + HOUR_S, end + HOUR_S, notice)
    expect(await proofsOf(client, [chosen[0] as GivenOdds, late])).toMatchObject([
      { state: 'proven', isRetracted: true },
      { state: 'left_out' },
    ])
    expect(await readOddsLedger(client)).toMatchObject({ value: { hours: 2, changedHours: 1, newest: [{ hour: HOUR, n: 599 }] } })
    const ofMint = await readMintOdds(client, key(late.n))
    expect(ofMint[0]).toMatchObject({ id: oddsIdOf(late), ppm: 0, isShadow: true, isRetracted: false })
    expect(ofMint.map(({ at }) => at)).toEqual(ofMint.map(({ at }) => at).toSorted((a, b) => a - b))
    expect(notices).toEqual([expect.stringMatching(/^odds_root_differs .*"n":599/)])
  })
})
