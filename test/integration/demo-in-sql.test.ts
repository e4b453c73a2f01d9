// The history of a demo of 70 minutes with forks and a gap: checks the SQL guide, the creators and every card that is derived from it.
import { solana } from '../../processors/chains/solana/chain.ts'
import { creatorEvidence } from '../../processors/creator/record.ts'
import { type Key, mustKey, toBase58 } from '../../schemas/keys.ts'
import type { MintState } from '../../schemas/types.ts'
import { main } from '../../topology/cli/main.ts'
import { createIo } from '../../topology/cli/output/io.ts'
import type { HistoryClient } from '../../topology/history/client.ts'
import { readCohorts } from '../../topology/history/cohorts.ts'
import { MINT_TABLES } from '../../topology/history/rows/mint-tables.ts'
import { RowBatch } from '../../topology/history/rows/row-batch.ts'
import { refreshView } from '../../topology/history/tables/refresh-view.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { refreshViews } from '../../topology/sinks/refresh-views.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { playDemo } from '../fixtures/demo-history.ts'
import { DemoFacts } from '../tools/sql-guide/demo-facts.ts'
import { type AnswerRow, comparable, EXPECTED } from '../tools/sql-guide/expected.ts'
import { guideQuestions, isOfCurves } from '../tools/sql-guide/guide.ts'
import { compareAtEnd, fillHistory } from '../tools/two-ways/history-of.ts'
import { fakeEdges } from '../unit/cli/fake-edges.ts'
import { cohortsOfRows, launchCohortInSql, launchCohortOf, rareAndCommon, settleAll, shapesInSql, shapesOfRows } from './cohort-rows.ts'
import { statsOf } from './creator-stats-rows.ts'
import { describeEngine } from './history-server-given.ts'
import { type GivenHistories, givenHistories } from './sink-given.ts'
import { rowsInSql, rowsOnLog } from './training-rows.ts'

const PLAY = { seed: 6, rate: 1, historyMinutes: 68, frameMinutes: 2, forksPerHour: 900 }
const PATIENCE_MS = 600_000
const questions = guideQuestions().filter((question) => !isOfCurves(question))

describeEngine('a demo in SQL', () => {
  let given: GivenHistories
  let client: HistoryClient
  let view: LogMintView
  let facts: DemoFacts
  const log = createMemoryLog({ partitions: 2 })
  beforeAll(async () => {
    given = await givenHistories()
    const market = await playDemo(log, PLAY)
    client = await given.fresh()
    await fillHistory(log, client)
    await putLetters(client)
    await refreshViews(client)
    view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
    await view.start()
    const launched = market.slots.flatMap(({ events }) => events ?? []).flatMap((event) => (event.type === 'launch' ? [event.mint] : []))
    const states = new Map(launched.map((mint): [Key, MintState] => [mint, view.get(mint)?.state as MintState]))
    facts = new DemoFacts(market, states)
  }, PATIENCE_MS)
  afterAll(async () => {
    await view.stop()
    await given.remove()
  })

  const asked = async (query: string): Promise<readonly AnswerRow[]> => {
    const { url, username, password } = given.engine.server.target()
    const edges = fakeEdges({ CLICKHOUSE_URL: url, CLICKHOUSE_USERNAME: username, CLICKHOUSE_PASSWORD: password })
    const sql = `${query.replaceAll('mintfold.', `${client.database}.`)}\nSETTINGS output_format_json_quote_64bit_integers = 0`
    const code = await main(['sql', sql, '--format', 'JSONEachRow'], createIo(edges))
    if (code !== 0) throw new Error(edges.written.stderr)
    return edges.written.stdout.split('\n').flatMap((line): AnswerRow[] => (line === '' ? [] : [JSON.parse(line)]))
  }

  test('the guide has a check for each query, and at least fifteen of them', () => {
    expect(questions.map(({ title }) => title).sort()).toEqual(Object.keys(EXPECTED).sort())
    expect(questions.length).toBeGreaterThanOrEqual(15)
  })
  test.each(questions)(
    'the guide: $title',
    async ({ title, text, query }) => {
      const rows = await asked(query)
      const expected = EXPECTED[title]?.(facts, rows) ?? []
      expect(expected).not.toHaveLength(0)
      const columns = Object.keys(expected[0] ?? {})
      expect(comparable(rows, columns)).toEqual(comparable(expected, columns))
      expect(text).toMatch(/`\w+`/)
    },
    PATIENCE_MS,
  )

  test('every creator has the figures that the API sells', async () => {
    const { observedSince: since, folded } = view.status()
    const stats = await statsOf(client)
    expect(stats.length).toBeGreaterThan(20)
    for (const { creator, as_of_s: asOf, is_first_time: isFirst, ...figures } of stats) {
      expect(asOf).toBe(folded?.time)
      const state = view.records.creator(mustKey(creator))?.state
      const { stats: carded } = creatorEvidence(mustKey(creator), state, { asOf, since, live: [], chain: solana })
      const known = Object.fromEntries(Object.entries(carded).filter(([name]) => !name.endsWith('_reason')))
      expect({ creator, ...figures, is_first_time: isFirst === 1 }).toEqual({ creator, ...known })
    }
    expect(stats.some(({ n_resolved: resolved }) => Number(resolved) > 0)).toBe(true)
  })

  test('every launch has the shape that the API sells', async () => {
    const shapes = shapesOfRows(facts.states)
    expect(shapes.length).toBeGreaterThan(200)
    expect((await shapesInSql(client)).toSorted()).toEqual(shapes.toSorted())
    for (const band of ['1_to_5_sol', 'over_5_sol', '5_or_more', 'first_time', 'mixed'])
      expect(shapes.some((line) => line.includes(` ${band} `))).toBe(true)
  })

  test(
    'the history matches the cards, and detects a trade that is missing from it',
    async () => {
      const compared = await compareAtEnd(log, client)
      expect(compared.differences).toEqual([])
      expect(compared.forgotten).toEqual([])
      expect(compared.full).toBeGreaterThan(200)
      for (const way of ['curve', 'holders', 'insiders', 'flags', 'prior', 'outcome', 'pool'])
        expect(compared.values[way]).toBeGreaterThan(10)
      const lost = facts.trades().findLast(({ isBuy, mint }) => isBuy && facts.states.has(mint))
      await client.command(
        `ALTER TABLE ${client.database}.trades_log DELETE WHERE slot = ${lost?.slot} AND tx_index = ${lost?.tx} SETTINGS mutations_sync = 2`,
      )
      const { differences } = await compareAtEnd(log, client)
      expect(differences.length).toBeGreaterThan(3)
      expect(new Set(differences.map((line) => line.split(' ')[0]))).toEqual(new Set([toBase58(lost?.mint as Key)]))
    },
    PATIENCE_MS,
  )
  test('training rows equal what the log has of launches that have settled', async () => {
    const [logged, read] = [await rowsOnLog(log), await rowsInSql(client)]
    expect(read.rows).toEqual(logged.rows)
    expect(read.left).toEqual(logged.left)
    expect(read.rows.length).toBeGreaterThan(50)
    // The newest judgement is less than two minutes older than the newest tick.
    const foldedS = view.status().folded?.time ?? 0
    expect(read.untilS).toBeLessThanOrEqual(foldedS)
    expect(read.untilS).toBeGreaterThan(foldedS - 120)
  })
  test('once many launches have settled, cohorts equal a count launch by launch, and launch_cohort finds that of a coin', async () => {
    const states = await settleAll(client, facts.states)
    await refreshView(client, 'cohort_days_refresh')
    const known = await readCohorts(client)
    expect(known.ok && known.value.cohorts).toEqual(cohortsOfRows(states))
    expect(known).toMatchObject({ ok: true, asOf: view.status().folded?.time })
    const parts = new Set<unknown>()
    for (const { mint, shape } of rareAndCommon(states)) {
      const cohort = await launchCohortInSql(client, mint)
      expect(cohort).toMatchObject(launchCohortOf(known, mint, shape))
      parts.add(cohort.parts)
    }
    expect(parts.size).toBeGreaterThan(1)
    expect(await launchCohortInSql(client, 'nobody')).toMatchObject({ is_mayhem: null, shape_reason: expect.any(String), n: null })
  })
})

/** Inserts two dead letters: a demo has none. */
const putLetters = async (client: HistoryClient): Promise<void> => {
  const batch = new RowBatch(MINT_TABLES)
  const letter = { hash8: 'hhhhhhhh', processor: 'test', version: 1, code: 'unknown_event', reason: 'a reason', signature: null }
  const rest = { withdrawn: null, revision: 0 }
  for (const [n, bytes] of [Buffer.from('ab'), Buffer.from('cde')].entries())
    batch.deadLetter({ id: `letter ${n}`, position: `solana:${7 + n}.0.0.1`, ...letter, bytes, ...rest }, n)
  for (const { table, columns, body } of batch.take()) await client.insert({ table, columns, format: 'RowBinary', body })
}
