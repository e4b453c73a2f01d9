// The history compared with the log: an equal history has no findings, and each kind of difference has its own kind of finding.

import type { TapeBatch } from '../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import type { HistoryClient } from '../../topology/history/client.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { appendSteps, storyOf } from '../fixtures/forked-log.ts'
import { arbitraryTape } from '../fixtures/sink-tape.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendRaw, appendTape, copyTo, foldToEnd } from '../live.ts'
import { describeEngine } from './history-server-given.ts'
import { EVENTS, recorded, TAPE, tablesOf, type Verified, verify } from './history-verify-given.ts'
import { type GivenHistories, givenHistories, sinkAll } from './sink-given.ts'

const SLOT0 = TAPE[0]?.number ?? 0

const folded = async (tape: readonly TapeBatch[]): Promise<Log> => {
  const log = createMemoryLog({ partitions: 3 })
  await appendTape(log, tape)
  await foldToEnd(log, DEFAULT_LIMITS)
  return log
}

describeEngine('the history against the log', () => {
  let given: GivenHistories
  let foldedOnce: Log
  let log: Log
  let client: HistoryClient
  const both = async (tape: readonly TapeBatch[], history: HistoryClient): Promise<{ log: Log; client: HistoryClient }> => {
    const one = tape === TAPE ? createMemoryLog({ partitions: 3 }) : await folded(tape)
    if (tape === TAPE) await copyTo(one, foldedOnce, Object.values(TOPICS))
    await sinkAll(one, history)
    return { log: one, client: history }
  }
  /** Findings after statements that change a table, which is restored afterwards. */
  const changed = async (table: string, ...statements: readonly string[]): Promise<Verified> => {
    const { database, command } = client
    await command(`CREATE TABLE ${database}.kept ENGINE = MergeTree ORDER BY tuple() AS SELECT * FROM ${database}.${table}`)
    for (const statement of statements) await command(statement.replaceAll('TABLE', `${database}.${table}`))
    const verified = await verify(log, client)
    await command(`TRUNCATE TABLE ${database}.${table}`)
    await command(`INSERT INTO ${database}.${table} SELECT * FROM ${database}.kept`)
    await command(`DROP TABLE ${database}.kept SYNC`)
    return verified
  }
  beforeAll(async () => {
    foldedOnce = await folded(TAPE)
    given = await givenHistories({ views: false, copied: 2 })
  })
  afterEach(() => given.rollBack())
  afterAll(() => given.remove())

  describe('of a folded tape', () => {
    beforeAll(async () => {
      ;({ log, client } = await both(TAPE, await given.fresh()))
    })

    test('has no findings if it is complete, and is compared in full', async () => {
      const { findings, report } = await verify(log, client)
      expect(findings).toEqual([])
      expect(report).toMatchObject({ since: SLOT0, from: SLOT0, to: TAPE.at(-1)?.number })
      expect(report.rows).toBeGreaterThan(EVENTS + TAPE.length)
      expect(report.counts).toMatchObject({ frames: TAPE.length, trades: report.counts.checked, withoutLaunch: 0 })
    })
    test('has no findings if a row was inserted twice, which the storage deduplicates', async () => {
      expect((await changed('trades_log', 'INSERT INTO TABLE SELECT * FROM TABLE LIMIT 50')).findings).toEqual([])
    })
    test('reports the row of a removed trade as missing, and where its curve breaks', async () => {
      const where = `slot = ${SLOT0 + 100} AND tx_index = (SELECT min(tx_index) FROM TABLE WHERE slot = ${SLOT0 + 100})`
      const { findings } = await changed('trades_log', `DELETE FROM TABLE WHERE ${where}`)
      expect(findings.at(-1)).toEqual({
        finding: 'missing',
        table: 'trades',
        count: 1,
        first: [{ position: expect.stringMatching(new RegExp(`^solana:${SLOT0 + 100}\\.`)) }],
        words: expect.any(String),
      })
      expect(findings.slice(0, -1).map(({ finding }) => finding)).toEqual(['reserves'])
    })
    test.each([
      ['launches_log', 'launches'],
      ['ticks_log', 'ticks'],
      ['flags_log', 'flags'],
    ])('counts all rows of %s after a removed slot, and names the first', async (table, name) => {
      const found = await changed(table, `DELETE FROM TABLE WHERE slot > ${SLOT0 + 50}`)
      expect(found.findings).toMatchObject([{ finding: 'missing', table: name }])
      const [finding] = tablesOf(found)
      expect(finding?.count).toBeGreaterThan(5)
      expect(finding?.first).toHaveLength(5)
      const slots = finding?.first.map(({ position }) => Number(/:(\d+)\./.exec(position)?.[1])) ?? []
      expect(slots).toEqual([...slots].sort((a, b) => a - b))
    })
    test('reports a row with another hash at the same position as a duplicate', async () => {
      const { findings } = await changed(
        'launches_log',
        "INSERT INTO TABLE SELECT * REPLACE('elsewher' AS hash8) FROM TABLE ORDER BY slot, tx_index LIMIT 1",
      )
      expect(findings).toMatchObject([{ finding: 'doubled', table: 'launches', count: 1, first: [{ position: `solana:${SLOT0}.0.0.1` }] }])
    })
    test('reports an invented row as superfluous', async () => {
      const { findings } = await changed(
        'launches_log',
        'INSERT INTO TABLE SELECT * REPLACE(99 AS outer_ix) FROM TABLE ORDER BY slot, tx_index LIMIT 1',
      )
      expect(findings).toMatchObject([{ finding: 'extra', table: 'launches', count: 1, first: [{ position: `solana:${SLOT0}.0.99.1` }] }])
    })
    test.each([
      ['an amount', 'trades_log', 'quote_units + 1 AS quote_units', 'trades', 'quote_units'],
      ['a time', 'ticks_log', 'tick_at + INTERVAL 1 SECOND AS tick_at', 'ticks', 'tick_at'],
      ['a wallet', 'flags_log', "'11111111111111111111111111111112' AS creator", 'flags', 'creator'],
      ['a null', 'trades_log', '7 AS fee_units', 'trades', 'fee_units'],
    ])('after %s changed names the row with its expected value', async (_what, table, change, name, column) => {
      const found = await changed(
        table,
        `INSERT INTO TABLE SELECT * REPLACE(${change}, version + 1000000 AS version) FROM TABLE ORDER BY slot LIMIT 1`,
      )
      const [difference] = tablesOf(found)
      expect(difference).toMatchObject({ finding: 'changed', table: name, count: 1 })
      const columns = difference?.first[0]?.columns
      expect(Object.keys(columns ?? {})).toEqual([column])
      expect(columns?.[column]?.expected).not.toEqual(columns?.[column]?.found)
    })
  })

  describe('of other tapes', () => {
    beforeEach(async () => {
      ;({ log, client } = await both(TAPE, await given.lent()))
    })

    test('does not expect rows that the sink has not committed', async () => {
      const next = TAPE.map((batch) => ({ ...batch, number: batch.number + TAPE.length, sequence: batch.sequence + TAPE.length }))
      await appendTape(log, next.slice(0, 50))
      const { findings, report } = await verify(log, client)
      expect(findings).toEqual([])
      expect(report.to).toBe(TAPE.at(-1)?.number)
    })
    test('compares what retention left of a tape, including the reserves at its beginning', async () => {
      for (const partition of [0, 1, 2]) await log.trim(TOPICS.tape, partition, 100)
      const { findings, report } = await changed('launches_log', `DELETE FROM TABLE WHERE slot < ${SLOT0 + 50}`)
      expect(findings).toEqual([])
      expect(report).toMatchObject({ since: SLOT0, from: SLOT0 + 100, to: TAPE.at(-1)?.number })
      expect(report.counts.trades).toBeGreaterThan(2_000)
    })
  })

  test('compares what is left of a history that lost whole days', async () => {
    const noon = TAPE.map((batch, index) => ({ ...batch, time: batch.time + (index < 100 ? 0 : 86_400) }))
    ;({ log, client } = await both(noon, await given.lent()))
    const day = new Date((noon[0]?.time ?? 0) * 1_000).toISOString().slice(0, 10).replaceAll('-', '')
    for (const table of ['trades_log', 'ticks_log']) await client.command(`ALTER TABLE ${client.database}.${table} DROP PARTITION '${day}'`)
    const { findings, report } = await verify(log, client)
    expect(findings).toEqual([])
    expect(report.from).toBe(SLOT0 + 100)
    const { findings: lost } = await changed('ticks_log', `DELETE FROM TABLE WHERE slot < ${SLOT0 + 103}`)
    expect(lost).toMatchObject([{ finding: 'missing', table: 'ticks', count: 3 }])
  })
  test('has every column of every table as written, for every kind of event', async () => {
    const one = createMemoryLog({ partitions: 3 })
    await appendTape(one, arbitraryTape())
    const history = await given.lent()
    await sinkAll(one, history)
    const found = await verify(one, history)
    expect(found.report.rows).toBeGreaterThan(300)
    expect(tablesOf(found)).toEqual([])
  })
  test.each(['launches', 'blocks', 'transactions'])('has frames, dead letters and gaps of the recording %s', async (name) => {
    const one = createMemoryLog({ partitions: 2 })
    await appendRaw(one, await recorded(name), 0)
    await foldToEnd(one, DEFAULT_LIMITS)
    const history = await given.lent()
    await sinkAll(one, history)
    const found = await verify(one, history)
    expect(tablesOf(found)).toEqual([])
    expect(found.findings.filter(({ finding }) => finding === 'gap').length).toBe(name === 'blocks' ? 1 : name === 'launches' ? 0 : 25)
  })
  test('compares the canonical branch of chains that forked, and the orphaned one is gone', async () => {
    const one = createMemoryLog({ partitions: 3 })
    const on = (branch: 'a' | 'b', frames: number) => Array.from({ length: frames }, () => ({ back: 0, branch }))
    const { steps } = storyOf([...on('a', 40), { back: 33, branch: 'b' }, ...on('b', 8), { back: 4, branch: 'a' }, ...on('a', 60)], 10_000)
    await appendSteps(one, steps)
    const history = await given.lent()
    await sinkAll(one, history)
    const found = await verify(one, history)
    expect(tablesOf(found)).toEqual([])
    expect(found.report.rows).toBeGreaterThan(150)
  })
  test('refuses a history that was never filled from this log', async () => {
    const empty = await given.lent()
    await expect(verify(log, empty)).rejects.toMatchObject({ code: 'history_empty' })
  })
})
