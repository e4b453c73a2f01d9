// `mintfold sql`: what it prints, what it refuses, and that it leaves nothing behind.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createIo } from '../../topology/cli/io.ts'
import { main } from '../../topology/cli/main.ts'
import { registerSql } from '../../topology/cli/sql.ts'
import { ClickHouseServer } from '../../topology/history/clickhouse-server.ts'
import { createHistoryClient, type HistoryClient } from '../../topology/history/client.ts'
import { historyDirOf } from '../../topology/history/where.ts'
import { removed } from '../tools/removed.ts'
import { type FakeEdges, fakeEdges } from '../unit/cli/fake-edges.ts'
import { describeEngine, givenFake, until } from './history-server-given.ts'

const COMMANDS = { sql: { summary: 'one query on the history', load: async () => registerSql } }
const FOREVER = 'SELECT count() FROM numbers(100000000000000)'
/** The same without a processor: three seconds a block. */
const SLEEPY = `${FOREVER} WHERE NOT ignore(sleepEachRow(0.00004))`

const run = async (edges: FakeEdges, args: readonly string[]) => {
  const code = await main(['sql', ...args], createIo(edges), COMMANDS)
  return { code, ...edges.written }
}

describeEngine('mintfold sql', () => {
  let dataDir: string
  let server: ClickHouseServer
  let client: HistoryClient
  const env = (): Record<string, string> => ({ MINTFOLD_DATA_DIR: dataDir, MINTFOLD_CLICKHOUSE_PORT: '1' })
  const sql = (...args: string[]) => run(fakeEdges(env()), args)

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'mintfold-sql-'))
    server = new ClickHouseServer({ dir: historyDirOf(dataDir), port: 0, database: 'mintfold' })
    await server.start()
    client = createHistoryClient(server.target())
    await client.command('CREATE DATABASE mintfold ENGINE = Atomic')
    await client.command('CREATE TABLE mintfold.coins (name String, lamports UInt64) ENGINE = MergeTree ORDER BY name')
    await client.insert({ table: 'coins', format: 'JSONCompactEachRow', body: Buffer.from('["moon",9007199254740991]\n["sun",2]\n') })
  })
  afterAll(async () => {
    await client.close()
    await server.stop()
    removed(dataDir)
  })

  test('given a query, then a table that people can read', async () => {
    const { code, stdout, stderr } = await sql('SELECT name, lamports FROM coins ORDER BY name')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/name.*lamports[\s\S]*moon.*9007199254740991[\s\S]*sun/)
  })
  test('given a format, by option or in the query, then that one', async () => {
    expect((await sql('SELECT name FROM coins WHERE lamports = 2', '--format', 'JSONEachRow')).stdout).toBe('{"name":"sun"}\n')
    expect((await sql('SELECT name FROM coins WHERE lamports = 2 FORMAT CSV')).stdout).toBe('"sun"\n')
  })
  test.each([
    ['SELECT nam FROM coins', /Unknown expression identifier `?nam/],
    ['SELEC', /SELEC/],
    ['SELECT 1 FORMAT Nope', /Nope/],
    ['SELECT 1; DROP TABLE coins', /Multi-statements/],
    [' ', /empty/],
  ])('given the wrong query %s, then exit 2 with the words of ClickHouse', async (query, words) => {
    const { code, stdout, stderr } = await sql(query)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(words)
  })
  test.each([
    ["INSERT INTO coins VALUES ('x', 1)"],
    ['DROP TABLE coins'],
    ['ALTER TABLE coins DELETE WHERE 1'],
    ['CREATE TEMPORARY TABLE t (x UInt8)'],
    ['SYSTEM FLUSH LOGS'],
    ['SET max_execution_time = 0'],
    ['SELECT 1 SETTINGS max_execution_time = 0'],
    ['SELECT 1 SETTINGS readonly = 0'],
    ['SET readonly = 0'],
    ['INSERT INTO system.one VALUES (1)'],
    ['SYSTEM SHUTDOWN'],
    ["KILL QUERY WHERE query_id = 'x'"],
    ['TRUNCATE TABLE coins'],
    ['RENAME TABLE coins TO gone'],
    ['OPTIMIZE TABLE coins FINAL'],
    ["BACKUP TABLE coins TO File('coins')"],
    ["INSERT INTO FUNCTION file('out.csv') SELECT 1"],
    ["SELECT 1 UNION ALL SELECT toUInt8(length(file('/etc/hostname')))"],
    ["SELECT * FROM coins WHERE name IN (SELECT * FROM file('/etc/hostname', 'LineAsString'))"],
    ["WITH f AS (SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a String')) SELECT * FROM f"],
    ["EXPLAIN SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a String')"],
    ["DESCRIBE TABLE file('/etc/hostname', 'LineAsString')"],
    ["SELECT * FROM executable('cat', 'TSV', 'a String')"],
    ["SELECT file('/etc/hostname')"],
    ["SELECT * FROM `file`('/etc/hostname', 'LineAsString')"],
    ['SELECT * FROM default.`/etc/hostname`'],
    ["SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a String')"],
    ["SELECT * FROM remote('127.0.0.1:1', system.one)"],
    ["SELECT 1 INTO OUTFILE 'out.txt'"],
  ])('given %s, which does more than read the history, then it is refused and nothing changed', async (query) => {
    expect(await sql(query)).toMatchObject({ code: 2, stdout: '' })
    expect(await client.rows('SELECT count() AS n FROM mintfold.coins')).toEqual([{ n: 2 }])
  })
  test('given SHOW TABLES, then those that ClickHouse made for its views are left out; who asks for them by name finds them', async () => {
    const view = 'CREATE MATERIALIZED VIEW mintfold.sums ENGINE = MergeTree ORDER BY s AS SELECT sum(lamports) AS s FROM mintfold.coins'
    await client.command(view)
    try {
      expect((await sql('SHOW TABLES', '--format', 'TSV')).stdout).toBe('coins\nsums\n')
      expect((await sql('show tables from mintfold format CSV;')).stdout).toBe('"coins"\n"sums"\n')
      expect((await sql("SHOW TABLES LIKE '%inner%'", '--format', 'TSV')).stdout).toMatch(/^\.inner_id\.[-0-9a-f]+\n$/)
    } finally {
      await client.command('DROP VIEW mintfold.sums SYNC')
    }
  })
  test('given more rows than the limit, then so many and a word; with --unlimited all', async () => {
    const cut = await sql('SELECT number FROM numbers(20000)', '--format', 'TSV')
    expect(cut.code).toBe(1)
    expect(cut.stdout.split('\n')).toHaveLength(10_001)
    expect(cut.stderr).toMatch(/first 10,000 rows.*--unlimited/)
    const all = await sql('SELECT number FROM numbers(20000)', '--format', 'TSV', '--unlimited')
    expect(all.stdout.split('\n')).toHaveLength(20_001)
    expect([all.code, all.stderr]).toEqual([0, ''])
    expect((await sql('SELECT number FROM numbers(20000)')).code).toBe(0)
  })
  test('given a query over too many rows inside, then only the answer is limited', async () => {
    expect((await sql('SELECT count() FROM (SELECT number FROM numbers(50000))', '--format', 'TSV')).stdout).toBe('50000\n')
  })
  test('given a query that needs too much memory, then it ends and says how to lift the limit', async () => {
    const { code, stderr } = await sql('SELECT uniqExact(number) FROM numbers(100000000)')
    expect(code).toBe(2)
    expect(stderr).toMatch(/memory limit.*--unlimited/i)
  })
  test('given a query that runs for ever, then it ends at its limit', async () => {
    const { code, stderr } = await sql(SLEEPY)
    expect(code).toBe(2)
    expect(stderr).toMatch(/Timeout exceeded.*--unlimited/)
  }, 20_000)
  test('given a Ctrl-C, then the query ends on the server too', async () => {
    const running = async (): Promise<number> =>
      (await client.rows(`SELECT 1 FROM system.processes WHERE query LIKE '%0000000000000)'`)).length
    const edges = fakeEdges(env())
    const asking = run(edges, [FOREVER, '--unlimited'])
    await until(async () => (await running()) === 1)
    edges.signal('SIGINT')
    expect(await asking).toMatchObject({ code: 3, stdout: '' })
    await until(async () => (await running()) === 0)
  })

  test('given a data directory without a history, then exit 3 says what makes one', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'mintfold-sql-'))
    const { code, stderr } = await run(fakeEdges({ ...env(), MINTFOLD_DATA_DIR: empty }), ['SELECT 1'])
    expect(code).toBe(3)
    expect(stderr).toContain('mintfold up')
    removed(empty)
  })
  test('given a server that does not answer, then exit 3 names the address without its password', async () => {
    const { code, stderr } = await run(fakeEdges({ ...env(), CLICKHOUSE_URL: 'http://me:hidden@127.0.0.1:1' }), ['SELECT 1'])
    expect(code).toBe(3)
    expect(stderr).toContain('http://127.0.0.1:1 ')
    expect(stderr).not.toContain('hidden')
  })
  test('given half an answer, then it is a failure', async () => {
    const fake = await givenFake((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      setTimeout(() => response.destroy(), 20)
    })
    const { code } = await run(fakeEdges({ ...env(), CLICKHOUSE_URL: fake.url }), ['SELECT 1'])
    expect(code).toBe(3)
    await fake.close()
  })

  test('given that nothing runs, then the history is opened for the query and left as it was', async () => {
    await server.stop()
    expect((await sql('SELECT sum(lamports) FROM coins', '--format', 'TSV')).stdout).toBe('9007199254740993\n')
    server = new ClickHouseServer({ dir: historyDirOf(dataDir), port: 0, database: 'mintfold' })
    await server.start()
    await client.close()
    client = createHistoryClient(server.target())
    expect(await client.rows('SELECT count() AS n FROM mintfold.coins')).toEqual([{ n: 2 }])
  })
})
