// What the history keeps of the tape: every field of every event, once, in documented columns.
import { COLUMN_FORMS, isBytes, wireName } from '../../schemas/history-rows.ts'
import { toBase58 } from '../../schemas/keys.ts'
import type { TapeEvent } from '../../schemas/types.ts'
import { TEMPORARY_BYTES_MAX } from '../../topology/history/engine/engine-config.ts'
import type { Column } from '../../topology/history/rows/columns.ts'
import { CURVE_TABLES } from '../../topology/history/rows/curve-tables.ts'
import { rowVersion } from '../../topology/history/rows/frame-tables.ts'
import { tablesIn } from '../../topology/history/rows/history-tables.ts'
import { MINT_TABLES } from '../../topology/history/rows/mint-tables.ts'
import type { RowBatch } from '../../topology/history/rows/row-batch.ts'
import { TAPE_TABLES } from '../../topology/history/rows/tape-tables.ts'
import { historyDaysOf } from '../../topology/sinks/retention/history-days.ts'
import { ALT_TABLES } from '../fixtures/history-contents.ts'
import { arbitraryTape, expectedOf } from '../fixtures/sink-tape.ts'
import { key } from '../unit/processors/mint/market.ts'
import { describeEngine } from './history-server-given.ts'
import { inDigits, insert, keepsOdds } from './odds-rows.ts'
import { contentsOf, type GivenHistories, givenHistories, PUBLIC_TABLES } from './sink-given.ts'

const TABLES = [MINT_TABLES, CURVE_TABLES].flatMap(tablesIn)
const VIEW_OF: Readonly<Record<TapeEvent['type'], string>> = {
  launch: 'launches',
  trade: 'trades',
  complete: 'completions',
  postCompleteBuy: 'post_complete_buys',
  migrate: 'migrations',
  poolCreate: 'pools',
  poolTrade: 'pool_trades',
  poolLiquidity: 'pool_liquidity',
  poolBoost: 'pool_boosts',
  creatorChange: 'creator_changes',
  mayhemReserves: 'mayhem_reserves',
  missingEvent: 'missing_events',
  balance: 'transfers',
  transfer: 'funding',
}
const nullable = (type: string): string =>
  type.startsWith('LowCardinality(') ? `LowCardinality(Nullable(${type.slice(15, -1)}))` : `Nullable(${type})`
const typeIn = (side: 'wire' | 'stored', { kind, isNullable }: Column<never>): string =>
  isNullable ? nullable(COLUMN_FORMS[kind][side]) : COLUMN_FORMS[kind][side]
describeEngine('the tables of the history', () => {
  let given: GivenHistories
  beforeAll(async () => {
    given = await givenHistories({ views: false })
  })
  afterEach(() => given.rollBack())
  afterAll(() => given.remove())

  test('store what is sent, in the types that the rows are written in', async () => {
    const { database, rows } = await given.lent()
    const found = await rows<{ table: string; name: string; type: string }>(
      'SELECT table, name, type FROM system.columns WHERE database = {database:String}',
      { database },
    )
    const types = new Map(found.map(({ table, name, type }) => [`${table}.${name}`, type]))
    for (const { name: table, columns } of TABLES)
      for (const column of columns) {
        const name = wireName(column.name, column.kind)
        expect([table, name, types.get(`${table}.${name}`)]).toEqual([table, name, typeIn('wire', column)])
        if (isBytes(column.kind))
          expect([column.name, types.get(`${table}.${column.name}`)]).toEqual([column.name, typeIn('stored', column)])
      }
  })
  test('are documented: every public table and every column of it', async () => {
    const { database, rows } = await given.lent()
    const isPublic = `database = {database:String} AND NOT endsWith({name}, '_log') AND NOT endsWith({name}, '_refresh')
      AND NOT startsWith({name}, '.') AND NOT startsWith({name}, 'schema_')
      AND NOT startsWith({name}, '_tmp_replace_')` // a refresh that swaps its new table in
    const silent = await rows(
      `SELECT table, name FROM system.columns WHERE ${isPublic.replaceAll('{name}', 'table')} AND comment = ''
       UNION ALL SELECT name, 'the table' FROM system.tables WHERE ${isPublic.replaceAll('{name}', 'name')} AND comment = ''`,
      { database },
    )
    expect(silent).toEqual([])
    const tables = await rows<{ name: string }>(
      `SELECT name FROM system.tables WHERE ${isPublic.replaceAll('{name}', 'name')} ORDER BY name`,
      {
        database,
      },
    )
    const views = [
      ...[
        'alt_base_rates',
        'alt_coverage',
        'alt_event',
        'alt_progress',
        'alt_regime_minutes',
        'alt_retracted_flags',
        'base_rates',
        'coverage',
        'creator_stats',
        'detector_scorecard',
      ],
      ...['launch_minutes', 'progress', 'regime_minutes', 'retracted_flags'],
      ...['wallet_leaderboard', 'wallet_positions', 'wallet_results'],
      ...['cohorts', 'coin', 'event', 'first_buys', 'launch_cohort'],
      ...['odds_calibration', 'odds_roots', 'odds_track_record'],
    ]
    expect(tables.map(({ name }) => name)).toEqual([...PUBLIC_TABLES, ...ALT_TABLES, ...views].sort())
  })
  test('keep every field of every event', async () => {
    const client = await given.lent()
    const batches = arbitraryTape()
    await insert(client, (batch) => {
      for (const frame of batches) batch.tape(frame, true)
    })
    for (const [type, view] of Object.entries(VIEW_OF)) {
      const expected = batches.flatMap((batch) =>
        batch.events.filter((event) => event.type === type).map((event) => expectedOf(batch, event)),
      )
      const stored = await client.rows<Record<string, unknown>>(
        `SELECT * FROM ${client.database}.${view} ORDER BY slot, tx_index SETTINGS output_format_json_quote_64bit_integers = 1`,
      )
      expect(expected.length).toBeGreaterThan(0)
      expect(stored.map(inDigits)).toEqual(expected.map(inDigits))
    }
    const [ticks] = await client.rows<{ n: number }>(`SELECT count() AS n FROM ${client.database}.frames`)
    expect(ticks?.n).toBe(batches.length)
  })
  test('are the same when everything is inserted twice', async () => {
    const client = await given.lent()
    const fill = (batch: RowBatch): void => {
      for (const frame of arbitraryTape()) batch.tape(frame, true)
    }
    await insert(client, fill)
    const once = await contentsOf(client)
    await insert(client, fill)
    expect(await contentsOf(client)).toEqual(once)
    await client.command(`OPTIMIZE TABLE ${client.database}.trades_log FINAL`)
    expect(await contentsOf(client)).toEqual(once)
  })
  test('remove rows on a fork and restore them when a branch returns', async () => {
    const client = await given.lent()
    const [frame] = arbitraryTape().filter(({ events }) => events.some(({ type }) => type === 'trade'))
    if (frame === undefined) throw new Error('no trade')
    await insert(client, (batch) => batch.tape({ ...frame, sequence: 5 }, true))
    const before = await contentsOf(client)
    const kept = TAPE_TABLES.trade.columns.map(({ name }) => name)
    const again = (version: number, isDeleted: 0 | 1): Promise<void> =>
      client.command(
        `INSERT INTO ${client.database}.trades_log (${kept.join(', ')})
         SELECT * REPLACE (${rowVersion(version, false).version} AS version, ${isDeleted} AS is_deleted)
         FROM (SELECT ${kept.join(', ')} FROM ${client.database}.trades_log WHERE version = ${rowVersion(5, false).version})`,
      )
    await again(6, 1)
    expect((await contentsOf(client)).trades).toMatch(/^0 /)
    await again(7, 0)
    expect(await contentsOf(client)).toEqual(before)
    await again(4, 1)
    expect(await contentsOf(client)).toEqual(before)
  })
  test('drop an old day of the large tables, keep the small ones, and count temporary files of queries as if they were there', async () => {
    const client = await given.lent()
    const [frame] = arbitraryTape().filter(({ events }) => ['launch', 'trade'].every((kind) => events.some(({ type }) => type === kind)))
    if (frame === undefined) throw new Error('no launch with a trade')
    const days = historyDaysOf(client)
    expect(await days.days()).toEqual([])
    expect(await days.bytes()).toBeGreaterThanOrEqual(TEMPORARY_BYTES_MAX)
    const time = Date.UTC(2026, 8, 21, 23, 59, 59) / 1_000
    await insert(client, (batch) => {
      batch.tape({ ...frame, time }, true)
      batch.tape({ ...frame, time: time + 1, number: frame.number + 1 }, true)
    })
    expect(await days.days()).toEqual(['20260921', '20260922'])
    expect(await days.bytes()).toBeGreaterThan(TEMPORARY_BYTES_MAX + 1_000)
    await days.drop('20260921')
    expect(await days.days()).toEqual(['20260922'])
    const of = async (table: string): Promise<unknown> =>
      (await client.rows<{ slot: number }>(`SELECT DISTINCT slot FROM ${client.database}.${table} ORDER BY slot`)).map(({ slot }) => slot)
    expect(await of('trades')).toEqual([frame.number + 1])
    expect(await of('frames')).toEqual([frame.number + 1])
    expect(await of('launches')).toEqual([frame.number, frame.number + 1])
  })
  test('keep a finding, an outcome and a dead letter', async () => {
    const client = await given.lent()
    const at = { chain: 'solana' as const, number: 77, tx: 1, outer: 4_294_967_295, inner: 2, hash8: 'abcdefgh', at: 1_790_000_000 }
    const mint = key(1)
    await insert(client, (batch) => {
      const evidence = '{"sol":1.5}'
      const finding = {
        type: 'finding' as const,
        mint,
        creator: null,
        flag: 'creator_sold',
        detector: 'creator-sold',
        detectorVersion: 2,
        detectorHash: null,
        mintAgeS: 9,
      }
      batch.conclusion({ ...at, id: 'the id', body: { ...finding, evidence, events: ['a', 'b'] } }, 41)
      batch.deadLetter(
        {
          id: 'letter',
          position: 'solana:12.3.0.1',
          hash8: '',
          processor: 'decode',
          version: 3,
          code: 'truncated',
          reason: 'short',
          signature: null,
          bytes: Buffer.from('00ff', 'hex'),
          withdrawn: null,
          revision: 0,
        },
        0,
      )
      batch.deadLetter(
        {
          id: 'other',
          position: 'mint/5',
          hash8: '',
          processor: 'mint',
          version: 1,
          code: 'bad_encoding',
          reason: 'no',
          signature: 'sig',
          bytes: Buffer.alloc(70_000),
          withdrawn: null,
          revision: 0,
        },
        1,
      )
    })
    const [flag] = await client.rows<Record<string, unknown>>(`SELECT * FROM ${client.database}.flags`)
    expect(flag).toMatchObject({
      finding_id: 'the id',
      position: 'solana:77.1.~.2',
      event_id: 'solana:77.1.~.2@abcdefgh',
      mint: toBase58(mint),
    })
    expect(flag).toMatchObject({
      creator: null,
      flag: 'creator_sold',
      detector_version: 2,
      mint_age_s: 9,
      evidence: '{"sol":1.5}',
      events: ['a', 'b'],
    })
    const letters = await client.rows<Record<string, unknown>>(`SELECT * FROM ${client.database}.dead_letters ORDER BY id`)
    expect(letters[0]).toMatchObject({ slot: 12, bytes_hex: '00FF', size_bytes: 2, code: 'truncated', signature: null })
    expect(letters[1]).toMatchObject({ slot: null, size_bytes: 70_000, signature: 'sig' })
    expect(String(letters[1]?.bytes_hex)).toHaveLength(2 * 65_536)
  })
  describe('a judgement with its odds', () => keepsOdds(() => given.lent()))
})
