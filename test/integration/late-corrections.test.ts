// Figures of the history after late data: corrections of any age, spans left for the next refresh, dropped days.
import { toBase58 } from '../../schemas/keys.ts'
import type { HistoryClient } from '../../topology/history/client.ts'
import { MINT_TABLES } from '../../topology/history/rows/mint-tables.ts'
import { RowBatch } from '../../topology/history/rows/row-batch.ts'
import { refreshView } from '../../topology/history/tables/refresh-view.ts'
import { computeWallets, readRanksKnown, readWallet } from '../../topology/history/wallets.ts'
import { historyDaysOf } from '../../topology/sinks/retention/history-days.ts'
import { age } from '../fixtures/aged-history.ts'
import { key } from '../unit/processors/mint/market.ts'
import { describeEngine } from './history-server-given.ts'
import { DAY, flag, frame, launch, outcome, shape, T0, trade } from './sink-figures-given.ts'
import { type GivenHistories, givenHistories } from './sink-given.ts'

const HOUR = 3_600
const [MINT, ALICE, BOB] = [key(1), key(70), key(71)]
jest.setTimeout(180_000)

const put = async (client: HistoryClient, upTo: number, fill: (batch: RowBatch) => void): Promise<void> => {
  const batch = new RowBatch(MINT_TABLES)
  fill(batch)
  batch.progress({ sink: 'test', upTo })
  for (const { table, columns, body } of batch.take()) await client.insert({ table, columns, format: 'RowBinary', body })
}
describeEngine('figures of the history after late data', () => {
  let given: GivenHistories
  beforeAll(async () => {
    given = await givenHistories()
  })
  afterEach(() => given.rollBack())
  afterAll(() => given.remove())

  const minutesOf = ({ rows, database }: HistoryClient) =>
    rows(
      `SELECT toUnixTimestamp(minute) - ${T0} AS at, buys, true_graduations AS graduated, arraySum(mapValues(rug_flags)) AS flags
       FROM ${database}.regime_minutes ORDER BY minute`,
    )
  const coverageOf = async ({ rows, database }: HistoryClient, table: string) =>
    (
      await rows<{ from_s: number; to_s: number }>(
        `SELECT toUnixTimestamp("from") AS from_s, toUnixTimestamp("to") AS to_s FROM ${database}.coverage WHERE table = {table:String}`,
        { table },
      )
    )[0]

  test('recompute a minute of three days ago when any of its tables is corrected, with or without a tick', async () => {
    const client = await given.lent()
    const old = frame(1, T0 + 5, [launch(0, MINT), trade(1, MINT, ALICE, 7, 7), trade(2, MINT, BOB, 7, 7)])
    const now = T0 + 3 * DAY
    await put(client, now + 60, (batch) => {
      for (const one of [old, frame(2, T0 + 65, []), frame(3, now + 5, [])]) batch.tape(one, true)
      batch.conclusion(flag(1, T0 + 6, 'creator_sold'), 0)
      batch.conclusion(outcome(9, T0, T0 + 66, { graduated: true }), 0)
    })
    await refreshView(client, 'regime_minutes_refresh')
    const [first, second, newest] = [
      { at: 0, buys: 2, graduated: 0, flags: 1 },
      { at: 60, buys: 0, graduated: 1, flags: 0 },
      { at: 3 * DAY, buys: 0, graduated: 0, flags: 0 },
    ]
    expect(await minutesOf(client)).toEqual([first, second, newest])
    await age(client, 5)
    await put(client, now + 60, (batch) => {
      batch.gone(old, [trade(2, MINT, BOB, 7, 7)], 1)
      batch.conclusion(outcome(9, T0, T0 + 66, { graduated: true }), 1, 'a revision')
    })
    await refreshView(client, 'regime_minutes_refresh')
    expect(await minutesOf(client)).toEqual([{ ...first, buys: 1 }, { ...second, graduated: 0 }, newest])
    await age(client, 5)
    await put(client, now + 60, (batch) => batch.conclusion(flag(1, T0 + 6, 'creator_sold'), 1, 'a revision'))
    await refreshView(client, 'regime_minutes_refresh')
    expect(await minutesOf(client)).toEqual([{ ...first, buys: 1, flags: 0 }, { ...second, graduated: 0 }, newest])
  })

  test('a cohort has the valid launches of its window, also after a correction weeks back', async () => {
    const client = await given.lent()
    const now = T0 + 40 * DAY
    const rug = { rugged: true, rugKind: 'drain' as const, rugDtS: 30 }
    const cohorts = async () => {
      await refreshView(client, 'cohort_days_refresh')
      return client.rows(
        `SELECT is_mayhem, n, rugged, graduated, collapse_p50_s AS p50, toUnixTimestamp(as_of) - ${T0} AS to FROM ${client.database}.cohorts
         WHERE parts = 1 ORDER BY is_mayhem`,
      )
    }
    await put(client, now, (batch) => {
      const conclusions = [
        ...[shape(1, now - DAY), outcome(1, now - DAY, now - DAY + 9, rug)],
        ...[shape(2, now - 20 * DAY), outcome(2, now - 20 * DAY, now - 3 * DAY, rug)],
        ...[shape(3, now - 20 * DAY, { mayhem: true }), outcome(3, now - 20 * DAY, now - 20 * DAY + 9, { graduated: true })],
        // Left out: 4 launched before the window, 5 has no shape, 6 has another quote, 7 an unknown label.
        ...[shape(4, now - 32 * DAY), outcome(4, now - 32 * DAY, now - 32 * DAY + 9, rug), outcome(5, now - DAY, now - 9, rug)],
        ...[shape(6, now - DAY, { quoteMint: key(9) }), outcome(6, now - DAY, now - 9, { ...rug, quoteMint: key(9) })],
        ...[shape(7, now - DAY), outcome(7, now - DAY, now - 9, { ...rug, graduated: null })],
      ]
      for (const [offset, one] of conclusions.entries()) batch.conclusion(one, offset)
    })
    const mayhem = { is_mayhem: true, n: 1, rugged: 0, graduated: 1, p50: null, to: 40 * DAY }
    expect(await cohorts()).toEqual([{ is_mayhem: false, n: 2, rugged: 2, graduated: 0, p50: 30, to: 40 * DAY }, mayhem])
    await age(client, 5)
    await put(client, now + 60, (batch) => {
      batch.conclusion(outcome(2, now - 20 * DAY, now - 3 * DAY, rug), 20, 'a fork')
      batch.conclusion(shape(3, now - 20 * DAY, { mayhem: true }), 21, 'a fork')
    })
    const one = { is_mayhem: false, n: 1, rugged: 1, graduated: 0, p50: 30, to: 40 * DAY + 60 }
    expect(await cohorts()).toEqual([one])
    await age(client, 5)
    await put(client, now + 60, (batch) => batch.conclusion(shape(3, now - 20 * DAY, { mayhem: true }), 22))
    expect(await cohorts()).toEqual([one, { ...mayhem, to: 40 * DAY + 60 }])
  })

  test('as_of counts every trade at or before it, also while sums are left for the next refresh', async () => {
    const client = await given.lent()
    const many = (number: number, time: number) =>
      frame(
        number,
        time,
        Array.from({ length: 50_001 }, (_, tx) => trade(tx, MINT, ALICE, 1, 1)),
      )
    const span = T0 - (T0 % 600) + 600
    await put(client, span + 1_300, (batch) => {
      batch.tape(many(1, span + 1), true)
      batch.tape(frame(2, span + 600, [trade(0, MINT, BOB, 1, 1)]), true)
      batch.tape(frame(3, span + 1_300, [trade(0, MINT, BOB, 1, 1)]), true)
    })
    const totals = async () => {
      const [row] = await client.rows<{ as_of_s: number; trades: number }>(
        `SELECT toUnixTimestamp(any(as_of)) AS as_of_s, sum(trades) AS trades FROM ${client.database}.wallet_positions`,
      )
      const [counted] = await client.rows<{ n: number }>(
        `SELECT count() AS n FROM ${client.database}.trades WHERE tick_at <= (SELECT any(as_of) FROM ${client.database}.wallet_positions)`,
      )
      return { ...row, counted: counted?.n }
    }
    const refresh = async () => {
      for (const what of ['REFRESH', 'WAIT']) await client.command(`SYSTEM ${what} VIEW ${client.database}.wallet_spans_refresh`)
    }
    await refresh()
    expect(await totals()).toEqual({ as_of_s: span + 599, trades: 50_001, counted: 50_001 })
    await refresh()
    expect(await totals()).toEqual({ as_of_s: span + 1_300, trades: 50_003, counted: 50_003 })
  })

  test('sums that lack many spans are completed at once, although all trades came a moment ago', async () => {
    const client = await given.lent()
    const span = T0 - (T0 % 600) + 600
    const [spans, each] = [5, 30_000]
    for (let n = 0; n < spans; n++) {
      const events = Array.from({ length: each }, (_, tx) => trade(tx, MINT, ALICE, 1, 1))
      await put(client, span + spans * 600, (batch) => batch.tape(frame(n + 1, span + n * 600 + 1, events), true))
    }
    await computeWallets(client)
    expect(await readWallet(client, ALICE, span)).toMatchObject({ asOf: span + spans * 600, result: { trades: spans * each } })
  })

  test('after the cap drops a day, coverage shows it, its minutes stay, and launches still count from the beginning', async () => {
    const client = await given.lent()
    const midnight = T0 - (T0 % DAY) + DAY
    const [early, late] = [midnight - HOUR, midnight + HOUR]
    await put(client, late + 60, (batch) => {
      batch.tape(frame(1, early, [{ ...launch(0, MINT), timestamp: early }, trade(1, MINT, ALICE, 7, 7)]), true)
      batch.tape(frame(2, late, [{ ...launch(0, key(2)), timestamp: late }, trade(1, key(2), ALICE, 7, 7)]), true)
    })
    await refreshView(client, 'regime_minutes_refresh')
    await computeWallets(client)
    expect(await coverageOf(client, 'trades')).toEqual({ from_s: early, to_s: late + 60 })
    expect(await readRanksKnown(client)).toEqual({ asOf: late + 60, since: early })
    expect(await readWallet(client, ALICE, early)).toMatchObject({ result: { trades: 2 } })
    const minutes = await minutesOf(client)
    await historyDaysOf(client).drop(new Date(early * 1_000).toISOString().slice(0, 10).replaceAll('-', ''))
    // A correction of dropped rows: the rest of that minute is lost permanently.
    await put(client, late + 60, (batch) => batch.corrected(frame(1, early, [trade(9, MINT, BOB, 7, 7)]), true, 1))
    await refreshView(client, 'regime_minutes_refresh')
    await computeWallets(client)
    expect(await minutesOf(client)).toEqual(minutes)
    expect(await coverageOf(client, 'trades')).toEqual({ from_s: midnight, to_s: late + 60 })
    expect(await coverageOf(client, 'launches')).toEqual({ from_s: early, to_s: late + 60 })
    const [creator] = await client.rows(
      `SELECT n_launches, toUnixTimestamp(first_launch_at) >= toUnixTimestamp(observed_since) AS is_within
       FROM ${client.database}.creator_stats
       WHERE creator = {creator:String}`,
      { creator: toBase58(key(51)) },
    )
    expect(creator).toEqual({ n_launches: 2, is_within: 1 })
    expect(await readRanksKnown(client)).toEqual({ asOf: late + 60, since: midnight })
    expect(await readWallet(client, ALICE, midnight)).toMatchObject({ result: { trades: 1 } })
  })

  test('frames that came 83 days ago limit what is known of partitioned tables', async () => {
    const client = await given.lent()
    await put(client, T0 + HOUR, (batch) => {
      for (const one of [frame(1, T0, []), frame(2, T0 + 90, [])]) batch.tape(one, true)
    })
    await refreshView(client, 'regime_minutes_refresh')
    await age(client, 83 * 24)
    await put(client, T0 + HOUR, (batch) => batch.tape(frame(3, T0 + HOUR, []), true))
    expect(await coverageOf(client, 'frames')).toEqual({ from_s: T0 + 90, to_s: T0 + HOUR })
    expect(await coverageOf(client, 'launches')).toEqual({ from_s: T0, to_s: T0 + HOUR })
  })
})
