// SQL over the history of a demo of curves: every derived card field, and views.
import { CURVE_RISK } from '../../../topology/curve-risk.ts'
import type { HistoryClient } from '../../../topology/history/client.ts'
import { readCurveMarket } from '../../../topology/history/curve-figures.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { playAltDemo } from '../../fixtures/alt-demo.ts'
import { compareCurvesAtEnd } from '../../tools/two-ways/curves/compare.ts'
import { fillHistory } from '../../tools/two-ways/history-of.ts'
import { describeEngine } from '../history-server-given.ts'
import { type GivenHistories, givenHistories } from '../sink-given.ts'

const EVENTS = ['launches', 'trades', 'completions', 'migrations', 'refunds', 'buybacks', 'transfers', 'curve_events', 'frames'].map(
  (name) => `alt_${name}`,
)

describeEngine('the history of twenty minutes of the demo of curves, with forks', () => {
  let given: GivenHistories
  let demo: Log
  let client: HistoryClient
  const rows = <Row>(sql: string, params: Record<string, string> = {}): Promise<readonly Row[]> =>
    client.rows<Row>(sql.replaceAll('mintfold.', `${client.database}.`), params)
  beforeAll(async () => {
    given = await givenHistories({ views: false })
    demo = createMemoryLog({ partitions: 2 })
    await playAltDemo(demo, { blocks: 12_000, seed: 1, rate: 10 })
    client = await given.fresh()
    await fillHistory(demo, client, CURVE_RISK)
  })

  afterAll(() => given.remove())

  test('SQL gives every derived field of all cards', async () => {
    const { full, values, forgotten, differences } = await compareCurvesAtEnd(demo, client)
    expect(full).toBeGreaterThan(200)
    expect(values['kept findings']).toBeGreaterThan(20)
    expect([forgotten, differences]).toEqual([[], []])
  })
  test('the id of an event leads to its row, also the ids that a finding names', async () => {
    for (const table of EVENTS) {
      const ids = await rows<{ event_id: string }>(`SELECT event_id FROM mintfold.${table} ORDER BY cityHash64(event_id) LIMIT 3`)
      expect([table, ids.length]).toEqual([table, 3])
      for (const { event_id: id } of ids)
        expect(await rows(`SELECT table, event_id FROM mintfold.alt_event(id = {id:String})`, { id })).toEqual([{ table, event_id: id }])
    }
    const flags = await rows<{ token: string; events: readonly string[] }>('SELECT token, events FROM mintfold.alt_flags LIMIT 10')
    for (const { token, events } of flags)
      for (const id of events) expect(await rows(`SELECT token FROM mintfold.alt_event(id = {id:String})`, { id })).toEqual([{ token }])
  })
  test('findings of orphaned branches are separate from valid ones, and their events are removed', async () => {
    const taken = await rows<{ finding_id: string; events: readonly string[] }>(
      'SELECT finding_id, events FROM mintfold.alt_retracted_flags',
    )
    expect(taken.length).toBeGreaterThan(0)
    const both = await rows(
      'SELECT finding_id FROM mintfold.alt_flags WHERE finding_id IN (SELECT finding_id FROM mintfold.alt_retracted_flags)',
    )
    expect(both).toEqual([])
    for (const { events } of taken)
      expect(await rows(`SELECT table FROM mintfold.alt_event(id = {id:String})`, { id: events.at(-1) as string })).toEqual([])
  })
  test('coverage gives the range in which each table is complete', async () => {
    const [stored] = await rows<Record<string, unknown>>(
      `SELECT count() AS tables, uniqExact(\`to\`) AS ends, countIf(\`from\` > \`to\`) AS none,
         max(\`to\`) = (SELECT max(up_to) FROM mintfold.alt_progress) AS is_all,
         maxIf(\`from\`, table = 'alt_trades') = (SELECT min(tick_at) FROM mintfold.alt_frames) AS is_from FROM mintfold.alt_coverage`,
    )
    expect(stored).toEqual({ tables: 15, ends: 1, none: 0, is_all: 1, is_from: 1 })
  })
  test('the market of a minute and an hour has the trades of its seconds', async () => {
    const known = await readCurveMarket(client)
    if (!known.ok) throw new Error(known.reason)
    const trades = await rows<{ at: number; is_buy: boolean; wallet: string | null }>(
      'SELECT toUnixTimestamp(tick_at) AS at, is_buy, wallet FROM mintfold.alt_trades',
    )
    const of = (windowS: number, observedS: number) => {
      const inside = trades.filter(({ at }) => at > known.asOf - windowS && at <= known.asOf)
      const buys = inside.filter(({ is_buy }) => is_buy)
      const buyers = new Set(buys.flatMap(({ wallet }) => wallet ?? []))
      return { observedS, buys: buys.length, sells: inside.length - buys.length, uniqueBuyers: buyers.size }
    }
    expect(known.value).toEqual({ minute: of(60, 60), hour: of(3_600, 1_200) })
    expect(known.value.minute.buys).toBeGreaterThan(10)
  })
  test('a changed amount is reported as a difference', async () => {
    const { database } = client
    await client.command(
      `ALTER TABLE ${database}.alt_trades_log UPDATE quote_units = quote_units + 1
       WHERE (token, block) = (SELECT token, min(block) FROM ${database}.alt_trades GROUP BY token ORDER BY token LIMIT 1)
       SETTINGS mutations_sync = 2`,
    )
    const { differences } = await compareCurvesAtEnd(demo, client)
    expect(differences.map((one) => one.split(' ').slice(1, 3).join(' '))).toContain('raised raised.quote_units:')
  })
})
