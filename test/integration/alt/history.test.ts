// The history of the alt chain: its rows are exact to the wei, next to those of the primary chain, through kills, repeats and forks.
import fc from 'fast-check'
import type { RawFrame, RawRecord } from '../../../schemas/types.ts'
import { CURVE_RISK } from '../../../topology/curve-risk.ts'
import type { HistoryClient } from '../../../topology/history/client.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { CurveReplay } from '../../../topology/runtime/curve-replay.ts'
import { startFolds } from '../../../topology/runtime/runtime.ts'
import { ClickHouseSink } from '../../../topology/sinks/clickhouse.ts'
import { sinkOwnerOf } from '../../../topology/sinks/history-id.ts'
import { topicsOf } from '../../../topology/topology.ts'
import { ALT_TABLES } from '../../fixtures/history-contents.ts'
import { appendNext } from '../../fixtures/two-chains.ts'
import { copyTo } from '../../live.ts'
import { guideQuestions, isOfCurves } from '../../tools/sql-guide/guide.ts'
import { compareCurvesAtEnd } from '../../tools/two-ways/curves/compare.ts'
import { frame, framesOf, launchLog, openJson, readJson, transaction } from '../../unit/processors/alt/fixtures.ts'
import { describeEngine } from '../history-server-given.ts'
import { tablesOf, verify } from '../history-verify-given.ts'
import { contentsOf, countOf, type GivenHistories, givenHistories, sinkAll, startSink } from '../sink-given.ts'
import { QUICK } from '../sink-quick.ts'

const TOKEN = `0x${'11'.repeat(20)}`
const ALT = { topology: CURVE_RISK }
const DEAD_FRAMES = 7

/** The recorded curve after a launch, then a launch, a taxed buy and a graduation of others. */
const market = (): RawFrame[] => {
  const curve = readJson('curve')
  const first = Number(curve.result[0].blockNumber)
  const launch = frame(first - 1, transaction(0, [launchLog(0, TOKEN, curve.result[0].address)]))
  const others = (['launch', 'taxedBuy', 'graduation'] as const).map((name) => openJson(readJson(name)))
  return [launch, ...framesOf(openJson(curve), ...others)]
    .sort((a, b) => a.number - b.number)
    .map((one) => ({ ...one, vouched: true, status: 'confirmed' as const }))
}
/** After `half` frames, that many frames come with other hashes, are rolled back, and come unchanged. */
const forked = (frames: readonly RawFrame[], half = Math.floor(frames.length / 2), depth = DEAD_FRAMES): RawRecord['body'][] => {
  const tip = frames[half - 1] as RawFrame
  const dead = frames.slice(half, half + depth).map((one) => ({ ...one, hash: `dead${one.hash.slice(4)}` }))
  return [...frames.slice(0, half), ...dead, { type: 'revert', chain: 'alt', number: tip.number, hash: tip.hash }, ...frames.slice(half)]
}
const folded = async (bodies: readonly RawRecord['body'][]): Promise<Log> => {
  const log = createMemoryLog({ partitions: 2 })
  await appendNext(log, CURVE_RISK, bodies, bodies.length)
  const folds = await startFolds(log, [CURVE_RISK])
  await folds.caughtUp()
  await folds.stop()
  return log
}
const contents = (client: HistoryClient) => contentsOf(client, '', ALT_TABLES)

describeEngine('the history of the alt chain', () => {
  let given: GivenHistories
  let straight: HistoryClient
  let expected: Readonly<Record<string, string>>
  const frames = market()
  const log = folded(frames)
  beforeAll(async () => {
    given = await givenHistories({ views: false, copied: 2 })
    straight = await given.fresh()
    await sinkAll(await log, straight, undefined, ALT)
    expected = await contents(straight)
  })
  afterEach(() => given.rollBack())
  afterAll(() => given.remove())

  test('has the recorded curve’s rows to the wei, and rows of no other chain', async () => {
    const { database, rows } = straight
    const [sum] = await rows(
      `SELECT count() AS n, countIf(is_buy) AS buys, toString(sum(if(is_buy, toInt256(quote_units), -toInt256(quote_units)))) AS held
       FROM ${database}.alt_trades WHERE token = '${TOKEN}'`,
    )
    expect(sum).toEqual({ n: 30, buys: 22, held: '1001227946752784009' })
    expect(await countOf(straight, 'alt_frames')).toBe(frames.length)
    expect(await countOf(straight, 'alt_launches')).toBeGreaterThan(1)
    expect(await countOf(straight, 'alt_transfers')).toBeGreaterThan(1)
    expect(await countOf(straight, 'frames')).toBe(0)
    expect(await rows(`SELECT toString(tuple(up_to, is_filling)) AS progress FROM ${database}.alt_progress`)).toHaveLength(1)
  })
  test('after a fork the tables hold the canonical branch and its frames only', async () => {
    const client = await given.lent()
    await sinkAll(await folded(forked(frames)), client, undefined, ALT)
    expect(await contents(client)).toEqual(expected)
    expect(await countOf(client, 'alt_raw_frames_log FINAL')).toBe(frames.length)
    expect(await countOf(client, 'alt_raw_frames_log WHERE is_deleted = 1')).toBe(DEAD_FRAMES)
  })
  test('after a fork verification finds the history equal to the log’s canonical branch, to the wei', async () => {
    const bodies = await folded(forked(frames))
    const client = await given.lent()
    await sinkAll(bodies, client, undefined, ALT)
    const { findings, report } = await verify(bodies, client, CURVE_RISK)
    expect(findings).toEqual([])
    expect(report).toMatchObject({ from: frames[0]?.number, to: frames.at(-1)?.number, counts: { frames: frames.length } })
    expect(report.rows).toBeGreaterThan(2 * frames.length + 30)
    expect(report.counts.checked).toBeGreaterThan(30)
  })
  test.each([
    ['a removed trade', 'DELETE FROM TABLE WHERE block = BLOCK', { finding: 'missing', table: 'alt_trades', count: 1 }, 1],
    [
      'a wei more in a trade',
      'INSERT INTO TABLE SELECT * REPLACE(quote_units + 1 AS quote_units, version + 1000000 AS version) FROM TABLE WHERE block = BLOCK',
      { finding: 'changed', table: 'alt_trades', count: 1 },
      0,
    ],
    [
      'another recipient of a trade',
      "INSERT INTO TABLE SELECT * REPLACE('0x2222222222222222222222222222222222222222' AS recipient, version + 1000000 AS version) FROM TABLE WHERE block = BLOCK",
      { finding: 'changed', table: 'alt_trades', count: 1, first: [{ columns: { recipient: { found: `0x${'22'.repeat(20)}` } } }] },
      null,
    ],
  ])('verification of %s names the row, and where the reserves stop fitting', async (_what, statement, difference, breaksAfter) => {
    const client = await given.lent()
    const copy = createMemoryLog({ partitions: 2 })
    await copyTo(copy, await log, topicsOf(CURVE_RISK))
    await sinkAll(copy, client, undefined, ALT)
    const blocks = await client.rows<{ block: number }>(
      `SELECT block FROM ${client.database}.alt_trades_log FINAL WHERE token = '${TOKEN}' ORDER BY block, log_index`,
    )
    const [at, after] = [blocks[5]?.block, blocks[6]?.block]
    await client.command(statement.replaceAll('TABLE', `${client.database}.alt_trades_log`).replaceAll('BLOCK', String(at)))
    const verified = await verify(copy, client, CURVE_RISK)
    expect(tablesOf(verified)).toMatchObject([difference])
    const breaks = verified.findings.filter(({ finding }) => finding === 'reserves')
    const position = expect.stringMatching(`^alt:${breaksAfter === 1 ? after : at}\\.`)
    expect(breaks).toMatchObject(breaksAfter === null ? [] : [{ position }])
  })
  test('has no duplicates after a sink dies between insert and commit and everything is delivered twice', async () => {
    const copy = createMemoryLog({ partitions: 2 })
    await copyTo(copy, await log, topicsOf(CURVE_RISK))
    const client = await given.lent()
    let inserts = 0
    const dying: HistoryClient = {
      ...client,
      insert: async (batch) => {
        await client.insert(batch)
        if (++inserts === 5) sink.stop()
        if (inserts >= 5) throw new Error('killed')
      },
    }
    const sink = new ClickHouseSink({ ...ALT, log: copy, client: dying, limits: QUICK, notice: () => {} })
    await sink.open()
    await sink.run().catch(() => {})
    expect(inserts).toBeGreaterThanOrEqual(5)
    await sinkAll(copy, client, undefined, ALT)
    expect(await contents(client)).toEqual(expected)
    const again = createMemoryLog({ partitions: 2 })
    await copyTo(again, await log, topicsOf(CURVE_RISK))
    await sinkAll(again, client, undefined, { ...ALT, adopts: true })
    expect(await contents(client)).toEqual(expected)
  })
  test('sinks of both chains on one history have their own owner, name and progress, and each refuses another log', async () => {
    const client = await given.lent()
    const copy = createMemoryLog({ partitions: 2 })
    await copyTo(copy, await log, topicsOf(CURVE_RISK))
    const both = await Promise.all([startSink(copy, client), startSink(copy, client, QUICK, ALT)])
    await both[1].sink.caughtUp()
    for (const { stop } of both) await stop()
    expect(await contents(client)).toEqual(expected)
    const owners = await Promise.all([LAUNCH_RISK, CURVE_RISK].map(({ sinks }) => sinkOwnerOf(client, sinks.clickhouse.tables)))
    expect(owners).toEqual([
      expect.stringMatching(/^sink-clickhouse-[0-9a-f-]{36}$/),
      expect.stringMatching(/^sink-clickhouse-alt-[0-9a-f-]{36}$/),
    ])
    const other = createMemoryLog({ partitions: 2 })
    await expect(startSink(other, client, QUICK, ALT)).rejects.toMatchObject({ code: 'history_of_another' })
    const { stop } = await startSink(other, client)
    await stop()
  })
  test('SQL derives every derived card field of the recorded curve', async () => {
    const { full, forgotten, differences } = await compareCurvesAtEnd(await log, straight)
    expect(full).toBeGreaterThan(1)
    expect([forgotten, differences]).toEqual([[], []])
  })
  test('for a fork at any point and any batch size the tables hold the canonical branch', async () => {
    const cases = fc.record({
      at: fc.integer({ min: 1, max: frames.length - DEAD_FRAMES }),
      depth: fc.integer({ min: 1, max: DEAD_FRAMES }),
      batchRowsMax: fc.constantFrom(1, 3, 17, 1_000),
      readRecordsMax: fc.constantFrom(1, 7, 256),
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ at, depth, ...limits }) => {
        const client = await given.lent()
        await sinkAll(await folded(forked(frames, at, depth)), client, { ...QUICK, batchIntervalMs: 5, ...limits }, ALT)
        expect(await contents(client)).toEqual(expected)
        given.rollBack()
      }),
      { numRuns: 6 },
    )
  })
  test('the guide’s queries give the figures of the cards, and the totals agree', async () => {
    const replay = new CurveReplay(CURVE_RISK)
    for (const one of frames) replay.frame(one)
    const cards = replay
      .cards()
      .flatMap(({ mint, evidence }) => (evidence.coverage === 'full' ? [{ ...evidence, token: mint.toLowerCase() }] : []))
    expect(cards.length).toBeGreaterThan(1)
    const questions = guideQuestions().filter(isOfCurves)
    expect(questions).toHaveLength(5)
    const answers = await Promise.all(
      questions.map(({ query }) =>
        straight.rows<Record<string, unknown>>(
          `${query.replaceAll('mintfold.', `${straight.database}.`)} SETTINGS output_format_json_quote_64bit_integers = 1`,
        ),
      ),
    )
    const [raised = [], traded = [], taxed = [], routes = [], gained = []] = answers
    const byToken = <Row>(rows: readonly (Row & { token?: unknown })[]) => new Map(rows.map((row) => [row.token, row]))
    for (const { token, flow, raised: card } of cards) {
      expect(byToken(raised).get(token)).toMatchObject({ raised_units: card.quote_units, progress: expect.closeTo(card.progress, 9) })
      expect(byToken(traded).get(token)).toMatchObject({
        ...{ buys: String(flow.n_buys), sells: String(flow.n_sells) },
        ...{ buyers: String(flow.unique_buyers), sellers: String(flow.unique_sellers) },
        ...{ buy_volume_units: flow.buy_volume_units, sell_volume_units: flow.sell_volume_units },
      })
    }
    const sum = (rows: readonly Record<string, unknown>[], name: string): bigint =>
      rows.reduce((all, row) => all + BigInt(String(row[name])), 0n)
    expect(sum(taxed, 'tax_wei')).toBe(cards.reduce((all, { snipe_tax }) => all + BigInt(snipe_tax.tax_total_units), 0n))
    expect(sum(taxed, 'taxed')).toBe(cards.reduce((all, { snipe_tax }) => all + BigInt(snipe_tax.n_taxed_buys), 0n))
    for (const { route, buys } of routes) {
      const shown = cards.reduce((all, { structure }) => all + (structure.routes[String(route)] ?? 0), 0)
      expect([route, buys]).toEqual([route, String(shown)])
    }
    expect(gained.length).toBeGreaterThan(0)
  })
})
