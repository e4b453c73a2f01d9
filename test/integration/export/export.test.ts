// `mintfold export`: day files of a demo of both chains, and their manifest.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { register as registerImport } from '../../../topology/cli/commands/recordings/import.ts'
import { register as registerReplay } from '../../../topology/cli/commands/recordings/replay.ts'
import { TOPOLOGIES } from '../../../topology/launch-risk.ts'
import { watchLmdbLog } from '../../../topology/logs/lmdb/lmdb-reader.ts'
import { cutOf as timedCut } from '../../../topology/operations/export/cut.ts'
import { DayFile } from '../../../topology/operations/export/day-file.ts'
import { dayOf } from '../../../topology/operations/export/days.ts'
import type { FileEntry, Manifest } from '../../../topology/operations/export/manifest.ts'
import { exportedTable } from '../../../topology/operations/export/table/table-columns.ts'
import { writeTableDay } from '../../../topology/operations/export/table/table-day.ts'
import { runCommand } from '../../fakes/run-command.ts'
import { INSTALL_MS_MAX, isPythonAsked, pythonWith } from '../../services/python.ts'
import { describeEngine } from '../history-server-given.ts'
import { type GivenExports, givenExports } from './given.ts'
import { manifestIn } from './tape-given.ts'

const DAYS = ['2026-10-15', '2026-10-16']
const TABLES = ['launches', 'trades', 'flags', 'outcomes']
const CHAINS = [
  { chain: 'solana', prefix: '', number: 'slot' },
  { chain: 'alt', prefix: 'alt_', number: 'block' },
]

const READERS = ['duckdb==2.0.1', 'pandas==3.1.1', 'pyarrow==26.0.1']
const READ = fileURLToPath(new URL('./read.py', import.meta.url))
const READ_MS_MAX = 60_000
/** More than the 38 digits of the exported decimals. */
const HUGE = String(2n ** 255n)

interface Reading {
  readonly rows: number
  readonly sums: Readonly<Record<string, string>>
  readonly types: Readonly<Record<string, string>>
}

const sumsOf = (files: readonly FileEntry[]): readonly string[] => files.map(({ path, sha256 }) => `${path} ${sha256}`)
const tapesOf = ({ files }: Manifest, chain: string): readonly FileEntry[] =>
  files.filter((file) => file.chain === chain && file.table === 'tape')

describeEngine('mintfold export', () => {
  let given: GivenExports
  let whole: Manifest
  /** Number of the last frame. */
  const cutOf = (chain: string): number => Number(whole.chains.find((one) => one.chain === chain)?.last?.replace(/\D/g, ''))
  const insertParquet = async (path: string, table: string): Promise<void> => {
    const { url, username, password } = given.target
    const headers = { 'X-ClickHouse-User': username, 'X-ClickHouse-Key': password }
    const query = new URLSearchParams({ query: `INSERT INTO ${table} FORMAT Parquet` })
    const answer = await fetch(`${url}/?${query}`, { method: 'POST', headers, body: readFileSync(path) })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  }
  beforeAll(async () => {
    given = await givenExports()
    expect(await given.export(['--out', given.at('whole')])).toMatchObject({ out: '', code: 0, error: undefined })
    whole = manifestIn(given.at('whole'))
  })
  afterAll(() => given.remove())

  test('writes a file for each day, table and chain, with every valid row up to the cut', async () => {
    const names = CHAINS.flatMap(({ chain, prefix }) => [...TABLES.map((table) => `${chain}/${prefix}${table}`), `${chain}/tape`])
    expect(whole.files.map(({ path }) => path.replace(/\.\w+$/, '')).sort()).toEqual(
      names.flatMap((name) => DAYS.map((day) => `${name}/${day}`)).sort(),
    )
    for (const { chain, prefix, number } of CHAINS) {
      const cut = cutOf(chain)
      for (const table of TABLES.map((name) => prefix + name)) {
        const [sql] = await given.client.rows<{ n: number }>(
          `SELECT count() AS n FROM ${given.client.database}.${table} WHERE ${number} <= ${cut}`,
        )
        const rows = whole.files.filter((file) => file.table === table).reduce((sum, file) => sum + file.rows, 0)
        expect([table, rows]).toEqual([table, sql?.n])
      }
    }
    expect(whole.files.filter(({ table }) => table.endsWith('trades')).every(({ rows }) => rows > 100)).toBe(true)
    expect(new Set(whole.files.filter(({ day }) => day === DAYS[0]).map((file) => file.up_to))).toEqual(new Set([null]))
  })

  test('makes the same tape from the history as from the log, to the byte', async () => {
    const dataDir = await given.trimmed(20)
    expect(await given.export(['--to', '2026-10-15', '--out', given.at('again')], { MINTFOLD_DATA_DIR: dataDir })).toMatchObject({
      code: 0,
      error: undefined,
    })
    const again = manifestIn(given.at('again'))
    expect(again.files.filter(({ table }) => table === 'tape').map(({ source }) => source)).toEqual(['history', 'history'])
    expect(sumsOf(again.files)).toEqual(sumsOf(whole.files.filter(({ day }) => day === DAYS[0])))
  })

  test.each(CHAINS)('a replay of the day files of $chain finds the flags that the history has', async ({ chain, prefix, number }) => {
    const paths = tapesOf(whole, chain).map(({ path }) => join(given.at('whole'), path))
    const { out, error } = await runCommand(registerReplay, ['replay', ...paths, '--print', 'flags'])
    const found = out.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { id: string }).id]))
    const cut = cutOf(chain)
    const rows = await given.client.rows<{ id: string }>(
      `SELECT finding_id AS id FROM ${given.client.database}.${prefix}flags WHERE ${number} <= ${cut}`,
    )
    expect([error, [...found].sort()]).toEqual([undefined, rows.map(({ id }) => id).sort()])
    expect(found.length).toBeGreaterThan(2)
  })

  test.each(CHAINS)('an import of the directory gives a tape of $chain that exports to the same day files', async ({ chain }) => {
    const tape = given.at(`${chain}.avro`)
    const imported = await runCommand(registerImport, ['import', given.at('whole'), '--chain', chain, '--out', tape])
    expect(imported).toMatchObject({ code: 0, error: undefined })
    const dir = given.at(`${chain}-days`)
    expect(await given.export(['--tape', tape, '--out', dir])).toMatchObject({ code: 0, error: undefined })
    expect(sumsOf(manifestIn(dir).files)).toEqual(sumsOf(tapesOf(whole, chain)))
  })

  const reads = isPythonAsked ? test : test.skip
  if (!isPythonAsked)
    process.stderr.write('SKIPPED: DuckDB and pandas on day files: set PYTHON_TESTS=yes to run them in a virtual environment\n')
  reads(
    'DuckDB and pandas read the rows and sums that SQL has, in types of their own',
    async () => {
      const python = await pythonWith(READERS)
      const { stdout } = await promisify(execFile)(python, [READ, given.at('whole')], { timeout: READ_MS_MAX })
      const read = JSON.parse(stdout) as Record<string, Record<'duckdb' | 'pandas', Reading>>
      expect(Object.keys(read).sort()).toEqual(CHAINS.flatMap(({ prefix }) => TABLES.map((name) => prefix + name)).sort())
      for (const { chain, prefix, number } of CHAINS)
        for (const table of TABLES.map((name) => prefix + name)) {
          const names = Object.keys(read[table]?.duckdb.sums ?? {})
          const [sql] = await given.client.rows<Record<string, unknown>>(
            `SELECT count() AS rows, map(${names.map((name) => `'${name}', toString(sum(${name}))`).join()}) AS sums
             FROM ${given.client.database}.${table} WHERE ${number} <= ${cutOf(chain)}`,
          )
          for (const { rows, sums, types } of Object.values(read[table] ?? {})) {
            expect([table, { rows, sums }]).toEqual([table, names.length === 0 ? { rows: sql?.rows, sums: {} } : sql])
            expect(Object.values(types).filter((type) => /BLOB|binary|UTINYINT|uint8/.test(type))).toEqual([])
          }
        }
    },
    INSTALL_MS_MAX + READ_MS_MAX,
  )

  test('joins pieces of a day in one file, with amounts of any size', async () => {
    const { client } = given
    const { database } = client
    await client.command(
      `INSERT INTO ${database}.alt_trades_log (block, tick_at, token, token_units, quote_units)
       VALUES (1, '2026-10-15 23:59:00', '0x01', toUInt256('${HUGE}'), toUInt256('${'9'.repeat(38)}'))`,
    )
    for (const [name, number, pieceRows] of [
      ['trades', 'slot', 1_000],
      ['alt_trades', 'block', 100],
    ] as const) {
      const table = await exportedTable(client, name, number)
      const day = {
        client,
        table,
        dayS: dayOf(Date.UTC(2026, 9, 15) / 1_000),
        to: Number.MAX_SAFE_INTEGER,
        seen: () => {},
        stop: new AbortController().signal,
      }
      const path = given.at(name)
      const written = await writeTableDay(await DayFile.create(path), { ...day, pieceRows })
      await client.command(
        `CREATE TABLE ${database}.joined ENGINE = Memory AS SELECT ${table.select} FROM ${database}.${name} AS t LIMIT 0`,
      )
      await insertParquet(path, `${database}.joined`)
      const hash = 'count() AS rows, groupBitXor(cityHash64(*)) AS hash, max(exact_units) AS exact'
      const [joined] = await client.rows(`SELECT ${hash} FROM ${database}.joined`)
      const [kept] = await client.rows(
        `SELECT ${hash} FROM (SELECT ${table.select} FROM ${database}.${name} AS t WHERE t.tick_at < '2026-10-16')`,
      )
      expect(joined).toEqual(kept)
      expect(joined).toMatchObject({ rows: written?.rows, exact: name === 'trades' ? null : JSON.stringify({ token_units: HUGE }) })
      await client.command(`DROP TABLE ${database}.joined`)
    }
  })

  test('ends at the last complete second if the committed end of the sink cannot be read', async () => {
    const log = await watchLmdbLog(join(given.dataDir, 'log'))
    const found = await Promise.all(TOPOLOGIES.map((topology) => timedCut({ topology, client: given.client, log, committed: null })))
    await log.close()
    for (const [index, cut] of found.entries()) {
      const exact = cutOf(CHAINS[index]?.chain ?? '')
      expect(cut?.number).toBeLessThanOrEqual(exact)
      expect(cut?.number).toBeGreaterThan(exact - 40)
    }
  })

  test('names days that neither log nor history has completely, with the reason, and exits with 1', async () => {
    await given.client.command(`INSERT INTO ${given.client.database}.dropped_days_log (day) VALUES ('2026-10-15')`)
    const ran = await given.export(['--to', '2026-10-15', '--out', given.at('lacks')], { MINTFOLD_DATA_DIR: await given.trimmed(20) })
    expect(ran).toMatchObject({ code: 1, error: undefined })
    const { files, missing } = manifestIn(given.at('lacks'))
    const lacking = ['alt alt_trades', 'alt tape', 'solana tape', 'solana trades']
    expect(missing.map(({ chain, table }) => `${chain} ${table}`)).toEqual(lacking)
    expect(missing.find(({ table }) => table === 'trades')?.reason).toBe('the history has every row from 2026-10-16T00:00:00Z on')
    expect(missing.find(({ table }) => table === 'tape')?.reason).toMatch(
      /^the log has the tape from .*Z on; the history has every event from .*Z on$/,
    )
    expect(ran.stderr.filter((line) => line.startsWith('missing: ')).length).toBe(4)
    expect(files.map(({ table }) => table)).toEqual(['alt_flags', 'alt_launches', 'alt_outcomes', 'flags', 'launches', 'outcomes'])
  })
})
