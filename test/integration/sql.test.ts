// `mintfold sql`: what it prints, what it refuses, and that it leaves nothing behind.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeDirectory } from '../tools/remove-directory.ts'
import { until } from '../tools/until.ts'
import { fakeEdges } from '../unit/cli/fake-edges.ts'
import { describeEngine, givenFake } from './history-server-given.ts'
import { type GivenSql, givenSql, runSql } from './sql-given.ts'

const FOREVER = 'SELECT count() FROM numbers(100000000000000)'
/** Endless like FOREVER, but it sleeps instead of computing: about three seconds for each block of rows. */
const SLEEPY = `${FOREVER} WHERE NOT ignore(sleepEachRow(0.00004))`

describeEngine('mintfold sql', () => {
  let given: GivenSql
  const sql = (...args: string[]) => given.sql(...args)
  beforeAll(async () => {
    given = await givenSql()
  })
  afterAll(() => given.remove())

  test('prints a readable table', async () => {
    const { code, stdout, stderr } = await sql('SELECT name, lamports FROM launches ORDER BY name')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/name.*lamports[\s\S]*moon.*9007199254740991[\s\S]*sun/)
  })
  test('prints with --access a login that readers can use, as ready lines without a password in a URL, and starts nothing', async () => {
    const { code, stdout } = await sql('--access')
    const { url, username, password } = given.server().target('reader')
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^address +${url} [\\s\\S]*^user +reader$[\\s\\S]*^password +${password}$`, 'm'))
    expect(stdout).not.toContain(given.server().target().password)
    const lines = Object.fromEntries(stdout.split('\n').map((line) => [line.slice(0, 20).trim(), line.slice(20)]))
    expect(Object.keys(lines)).toEqual(expect.arrayContaining(['curl', 'clickhouse-connect', 'DuckDB', 'pandas', 'JDBC', 'without limits']))
    const [, page, headers] = /read_csv\('(\S+)', storage_options=(\{.*?\})/.exec(lines.pandas ?? '') ?? []
    expect(page).not.toContain(password)
    const answer = await fetch(page ?? '', { headers: JSON.parse((headers ?? '').replaceAll("'", '"')) as Record<string, string> })
    expect([answer.status, (await answer.text()).split('\n')[0]]).toEqual([200, '"name","lamports"'])
    const basic = { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
    expect(lines.curl).toContain(`-u '${username}:${password}' ${url}`)
    expect((await fetch(url, { method: 'POST', body: 'SELECT count() FROM mintfold.launches', headers: basic })).status).toBe(200)
    expect((await sql('--access', 'SELECT 1')).code).toBe(2)
  })
  test('prints the format that an option or the query names', async () => {
    expect((await sql('SELECT name FROM launches WHERE lamports = 2', '--format', 'JSONEachRow')).stdout).toBe('{"name":"sun"}\n')
    expect((await sql('SELECT name FROM launches WHERE lamports = 2 FORMAT CSV')).stdout).toBe('"sun"\n')
  })
  test.each([
    ['SELECT nam FROM launches', /Unknown expression identifier `?nam/],
    ['SELEC', /SELEC/],
    ['SELECT 1 FORMAT Nope', /Nope/],
    ['SELECT 1; DROP TABLE launches', /Multi-statements/],
    [' ', /empty/],
  ])('exits with 2 and the reason for the wrong query %s', async (query, message) => {
    const { code, stdout, stderr } = await sql(query)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
  })
  test.each([
    ["INSERT INTO launches VALUES ('x', 1)"],
    ['DROP TABLE launches'],
    ['ALTER TABLE launches DELETE WHERE 1'],
    ['CREATE TEMPORARY TABLE t (x UInt8)'],
    ['SYSTEM FLUSH LOGS'],
    ['SET max_execution_time = 0'],
    ['SELECT 1 SETTINGS max_execution_time = 0'],
    ['SELECT 1 SETTINGS readonly = 0'],
    ['INSERT INTO system.one VALUES (1)'],
    ['SYSTEM SHUTDOWN'],
    ["KILL QUERY WHERE query_id = 'x'"],
    ['TRUNCATE TABLE launches'],
    ['RENAME TABLE launches TO gone'],
    ['OPTIMIZE TABLE launches FINAL'],
    ["BACKUP TABLE launches TO File('launches')"],
    ["INSERT INTO FUNCTION file('out.csv') SELECT 1"],
    ["SELECT 1 UNION ALL SELECT toUInt8(length(file('/etc/hostname')))"],
    ["SELECT * FROM launches WHERE name IN (SELECT * FROM file('/etc/hostname', 'LineAsString'))"],
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
  ])('refuses %s, which does more than read the history, and changes nothing', async (query) => {
    expect(await sql(query)).toMatchObject({ code: 2, stdout: '' })
    expect(await given.client().rows('SELECT count() AS n FROM mintfold.launches')).toEqual([{ n: 2 }])
  })
  test('leaves storage tables out of a bare SHOW TABLES, also on a server whose user can see them; LIKE still finds them there', async () => {
    const { url, username, password } = given.server().target()
    const onServer = { MINTFOLD_DATA_DIR: given.dataDir, CLICKHOUSE_URL: url, CLICKHOUSE_USERNAME: username, CLICKHOUSE_PASSWORD: password }
    await given
      .client()
      .command(
        'CREATE MATERIALIZED VIEW mintfold.base_rates ENGINE = MergeTree ORDER BY s AS SELECT sum(lamports) AS s FROM mintfold.launches',
      )
    await given.client().command('CREATE VIEW mintfold.launches_log AS SELECT 1')
    try {
      for (const set of [given.env, onServer]) {
        const shown = (...args: string[]) => runSql(fakeEdges(set), args).then(({ stdout }) => stdout)
        expect(await shown('SHOW TABLES', '--format', 'TSV')).toBe('base_rates\nlaunches\n')
        expect(await shown('show tables from mintfold format CSV;')).toBe('"base_rates"\n"launches"\n')
      }
      expect((await runSql(fakeEdges(onServer), ["SHOW TABLES LIKE '%inner%'", '--format', 'TSV'])).stdout).toMatch(
        /^\.inner_id\.[-0-9a-f]+\n$/,
      )
    } finally {
      await given.client().command('DROP VIEW mintfold.base_rates SYNC')
      await given.client().command('DROP VIEW mintfold.launches_log SYNC')
    }
  })
  test('truncates at the row limit and prints a notice; with --unlimited prints all', async () => {
    const cut = await sql('SELECT number FROM numbers(20000)', '--format', 'TSV')
    expect(cut.code).toBe(1)
    expect(cut.stdout.split('\n')).toHaveLength(10_001)
    expect(cut.stderr).toMatch(/first 10,000 rows.*--unlimited/)
    const all = await sql('SELECT number FROM numbers(20000)', '--format', 'TSV', '--unlimited')
    expect(all.stdout.split('\n')).toHaveLength(20_001)
    expect([all.code, all.stderr]).toEqual([0, ''])
    expect((await sql('SELECT number FROM numbers(20000)')).code).toBe(0)
  })
  test('limits only the rows of the result, not those of a subquery', async () => {
    expect((await sql('SELECT count() FROM (SELECT number FROM numbers(50000))', '--format', 'TSV')).stdout).toBe('50000\n')
  })
  test('ends a query that needs too much memory and states how to lift the limit', async () => {
    const { code, stderr } = await sql('SELECT uniqExact(number) FROM numbers(100000000)')
    expect(code).toBe(2)
    expect(stderr).toMatch(/memory limit.*--unlimited/i)
  })
  test('ends an endless query at its time limit', async () => {
    const { code, stderr } = await sql(SLEEPY)
    expect(code).toBe(2)
    expect(stderr).toMatch(/Timeout exceeded.*--unlimited/)
  })
  test('Ctrl-C also ends the query on the server', async () => {
    const running = async (): Promise<number> =>
      (await given.client().rows(`SELECT 1 FROM system.processes WHERE query LIKE '%0000000000000)'`)).length
    const edges = fakeEdges(given.env)
    const asking = runSql(edges, [FOREVER, '--unlimited'])
    await until(async () => (await running()) === 1)
    edges.signal('SIGINT')
    expect(await asking).toMatchObject({ code: 3, stdout: '' })
    await until(async () => (await running()) === 0)
  })

  test('exits with 3 in a data directory without a history, and states what makes one', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'mintfold-sql-'))
    const { code, stderr } = await runSql(fakeEdges({ ...given.env, MINTFOLD_DATA_DIR: empty }), ['SELECT 1'])
    expect(code).toBe(3)
    expect(stderr).toContain('mintfold up')
    removeDirectory(empty)
  })
  test('exits with 3 and names the address without its password if a server does not respond', async () => {
    const { code, stderr } = await runSql(fakeEdges({ ...given.env, CLICKHOUSE_URL: 'http://me:hidden@127.0.0.1:1' }), ['SELECT 1'])
    expect(code).toBe(3)
    expect(stderr).toContain('http://127.0.0.1:1 ')
    expect(stderr).not.toContain('hidden')
  })
  test('fails on a partial response', async () => {
    const fake = await givenFake((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      setTimeout(() => response.destroy(), 20)
    })
    const { code } = await runSql(fakeEdges({ ...given.env, CLICKHOUSE_URL: fake.url }), ['SELECT 1'])
    expect(code).toBe(3)
    await fake.close()
  })

  test('opens the history for the query if nothing runs, and leaves it unchanged', async () => {
    await given.stop()
    expect((await sql('SELECT sum(lamports) FROM launches', '--format', 'TSV')).stdout).toBe('9007199254740993\n')
    await given.start()
    expect(await given.client().rows('SELECT count() AS n FROM mintfold.launches')).toEqual([{ n: 2 }])
  })
})
