// What readers, strangers, web pages and the engine's own user can do on the SQL port besides reading the history.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { OWNER, READER } from '../../../topology/history/engine/access.ts'
import { TEMPORARY_BYTES_MAX } from '../../../topology/history/engine/engine-config.ts'
import type { HistoryTarget } from '../../../topology/history/target.ts'
import { until } from '../../tools/until.ts'
import { describeEngine, type GivenEngine, givenEngine } from '../history-server-given.ts'
import { type Attempt, basicOf, type GivenSecret, givenSecret, givenSink, headersOf, send, TABLES } from './given.ts'

const READERS = [READER, OWNER] as const
/** Statements that only raise a limit which the owner does not have. */
const LIFTS = /^SELECT 1 SETTINGS max_(execution_time|memory_usage|threads|concurrent_queries)\w*=\d+(, max_memory_usage=0)?$/

describeEngine('the SQL port', () => {
  let given: GivenEngine
  let secret: GivenSecret
  let sink: Awaited<ReturnType<typeof givenSink>>
  const target = (user: (typeof READERS)[number] = READER): HistoryTarget => given.server.target(user)
  const asked = (body: string, user: (typeof READERS)[number] = READER) => send(target().url, { body }, headersOf(target(user)))

  beforeAll(async () => {
    given = await givenEngine()
    secret = givenSecret()
    sink = await givenSink()
    for (const statement of TABLES.slice(1)) await given.client.command(statement)
  })
  afterAll(async () => {
    sink.close()
    secret.remove()
    await given.remove()
  })

  test.each(READERS)('refuses statements of %s that write, create, call an address, become another user or stop it', async (user) => {
    const through: Attempt[] = []
    const pid = given.server.pid()
    for (const attempt of secret.attacks('others', sink.port)) {
      if (user === OWNER && LIFTS.test(attempt.body ?? '')) continue
      const hits = sink.hits()
      const { status } = await send(target().url, attempt, headersOf(target(user)))
      if (status === 200 || sink.hits() > hits || existsSync(join(secret.dir, 'written'))) through.push(attempt)
    }
    expect(through).toEqual([])
    expect(given.server.pid()).toBe(pid)
  })

  const query = (sql: string): string => `query=${encodeURIComponent(sql)}`
  const registry = (): string => `format_avro_schema_registry_url=${encodeURIComponent(`http://127.0.0.1:${sink.port}/`)}`
  const errorsTo = (path: string): string =>
    `input_format_record_errors_file_path=${encodeURIComponent(path)}&input_format_allow_errors_num=10&${query('SELECT a FROM t')}`
  const rows = { t_structure: 'a UInt8', t_format: 'CSV', t: 'x\n1\ny\n' }
  const doors: ReadonlyArray<readonly [string, () => Attempt]> = [
    [
      'an address by an output format',
      () => ({ url: `${registry()}&${query("SELECT 'x' AS a FORMAT AvroConfluent SETTINGS output_format_avro_confluent_subject = 'a'")}` }),
    ],
    [
      'an address by an input format',
      () => ({
        multipart: { t_structure: 'a String', t_format: 'AvroConfluent', t: '\0\0\0\0\x01\x02a' },
        url: `${registry()}&${query('SELECT a FROM t')}`,
      }),
    ],
    ['a new file in the data', () => ({ multipart: rows, url: errorsTo(join(given.dir, 'data', 'written')) })],
    ['a new file elsewhere', () => ({ multipart: rows, url: errorsTo(join(secret.dir, 'written')) })],
    ['headers of the answer', () => ({ url: `http_response_headers=${encodeURIComponent("{'X-Evil':'1'}")}`, body: 'SELECT 1' })],
    ["the writer's profile", () => ({ url: 'profile=mintfold', body: "SELECT 1 SETTINGS additional_result_filter = '1'" })],
    ["the engine's profile", () => ({ url: 'profile=engine', body: "SELECT 1 SETTINGS additional_result_filter = '1'" })],
    ['the rights to write', () => ({ url: 'readonly=0', body: 'SELECT 1' })],
    ['the rights to change settings', () => ({ url: 'readonly=2', body: 'SELECT 1' })],
    ['queries that go on without their client', () => ({ url: 'cancel_http_readonly_queries_on_client_close=0', body: 'SELECT 1' })],
    ['more temporary files', () => ({ url: 'max_temporary_data_on_disk_size_for_user=9000000000', body: 'SELECT 1' })],
    ['unlimited temporary files', () => ({ url: 'max_temporary_data_on_disk_size_for_query=0', body: 'SELECT 1' })],
  ]
  describe.each(READERS)('a setting of %s', (user) => {
    test.each(doors)('cannot give %s', async (_what, attempt) => {
      const hits = sink.hits()
      const { status } = await send(target().url, attempt(), headersOf(target(user)))
      expect(status).toBeGreaterThanOrEqual(400)
      expect(sink.hits()).toBe(hits)
      expect([join(given.dir, 'data', 'written'), join(secret.dir, 'written')].filter(existsSync)).toEqual([])
    })
  })
  test.each([
    ['max_execution_time', 30],
    ['max_result_bytes', 1e6],
    ['max_query_size', 1e5],
    ['max_memory_usage', 5e7],
  ])('a reader can lower %s, and neither raise nor lift it', async (name, lower) => {
    expect((await asked(`SELECT 1 SETTINGS ${name} = ${lower}`)).status).toBe(200)
    for (const value of [0, 2 ** 40]) expect((await asked(`SELECT 1 SETTINGS ${name} = ${value}`)).status).toBeGreaterThanOrEqual(400)
  })
  test('a sort of a reader cannot be made to use files', async () => {
    for (const name of ['max_bytes_before_external_sort', 'max_bytes_ratio_before_external_sort'])
      expect((await asked(`SELECT 1 SETTINGS ${name} = 1`)).status).toBeGreaterThanOrEqual(400)
  })

  const strangers: ReadonlyArray<readonly [string, () => Attempt, number]> = [
    ['nobody', () => ({}), 401],
    ['a login in the URL', () => ({ url: `user=${READER}&password=${target().password}` }), 401],
    ["the engine's user", () => ({ headers: { 'x-clickhouse-user': 'default' } }), 401],
    ["the engine's user by Basic", () => ({ headers: basicOf({ username: 'default', password: '' }) }), 401],
    ["the engine's user in the URL", () => ({ url: 'user=default' }), 401],
    ['a reader with a wrong password', () => ({ headers: basicOf({ username: READER, password: 'wrong' }) }), 403],
    ['a reader and another user in the URL', () => ({ headers: headersOf(target()), url: 'user=default' }), 403],
    ['a page of another site', () => ({ headers: { ...headersOf(target()), 'sec-fetch-site': 'cross-site' } }), 404],
    ['a page of the same site', () => ({ headers: { ...headersOf(target()), 'sec-fetch-site': 'same-site' } }), 404],
    ['a page with an origin', () => ({ headers: { ...headersOf(target()), origin: 'https://evil.example' } }), 404],
    ['a page without an origin of its own', () => ({ headers: { ...headersOf(target()), origin: 'null' } }), 404],
    ['a foreign host name', () => ({ headers: { ...headersOf(target()), host: 'evil.example' } }), 404],
    ['a page that asks for a sign of life', () => ({ method: 'GET', path: '/ping', headers: { 'sec-fetch-site': 'cross-site' } }), 404],
  ]
  test.each(strangers)('does not answer %s', async (_who, attempt, status) => {
    const answer = await send(target().url, { body: 'SELECT 1', ...attempt() })
    expect(answer.status).toBe(status)
    if (status !== 403) expect(answer.headers).toMatch(/nosniff/i)
    expect(answer.headers).not.toMatch(/www-authenticate/i)
  })
  test('declares that no answer is a script', async () => {
    expect((await asked('SELECT 1')).headers).toMatch(/nosniff/i)
  })
  test('tells who gives no login where it is', async () => {
    expect((await send(target().url, { body: 'SELECT 1' })).text).toContain('mintfold sql --access')
  })

  test.each([
    'SYSTEM STOP LISTEN HTTP',
    'SELECT count() FROM mintfold.launches',
    'SELECT * FROM system.numbers LIMIT 1',
    'SELECT name FROM system.users',
    'SELECT length(range(100000000))',
    'SELECT 1 SETTINGS max_memory_usage = 0',
    'CREATE TEMPORARY TABLE x (a Int8)',
    "SELECT * FROM url('http://127.0.0.1:1/', 'TSV', 'a String')",
  ])("refuses the engine's own user, which a URL reaches, the statement %s", async (body) => {
    for (const url of ['user=default', 'us%65r=default'])
      expect((await send(target().url, { body, url }, basicOf(target()))).status).toBeGreaterThanOrEqual(400)
    expect(await asked('SELECT 1')).toMatchObject({ status: 200 })
  })

  test('shows readers no files, users or queries of others', async () => {
    const hidden = ['processes', 'users', 'disks', 'parts', 'server_settings', 'query_log', 'errors', 'merges', 'named_collections']
    for (const table of hidden) expect((await asked(`SELECT * FROM system.${table}`)).text).toMatch(/Not enough privileges|UNKNOWN_TABLE/)
    for (const table of ['tables', 'columns', 'databases', 'functions', 'settings', 'one'])
      expect(await asked(`SELECT count() FROM system.${table}`)).toMatchObject({ status: 200 })
  })

  test.each(READERS)('ends a query of %s when its client has left', async (user) => {
    const sql = 'SELECT sum(cityHash64(number, toString(number))) FROM numbers(100000000000)'
    const running = async (): Promise<number> =>
      (await given.client.rows<{ n: number }>(`SELECT count() AS n FROM system.processes WHERE user = '${user}'`))[0]?.n ?? 0
    for (const attempt of [{ body: sql }, { method: 'GET', url: query(sql) }]) {
      const leaving = send(target().url, attempt, headersOf(target(user)), 1_000)
      await until(async () => (await running()) === 1)
      expect(await leaving).toMatchObject({ status: 0 })
      await until(async () => (await running()) === 0, { msMax: 10_000 })
    }
  })

  const SORT = 'SELECT number, randomPrintableASCII(200) AS s FROM numbers(400000000) ORDER BY s FORMAT Null'
  const GROUPS =
    'SELECT k, count() FROM (SELECT randomPrintableASCII(60) AS k FROM numbers(400000000)) GROUP BY k FORMAT Null ' +
    'SETTINGS max_bytes_before_external_group_by = 60000000, max_bytes_ratio_before_external_group_by = 0'
  const temporaryBytes = (): number => {
    const dir = join(given.dir, 'data', 'tmp')
    const sizes = readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => {
      try {
        return statSync(join(dir, name)).size
      } catch {
        return 0
      }
    })
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  test.each([
    ['a sort of a reader', READER, SORT, 0, /memory limit/i],
    ['groups of a reader', READER, GROUPS, TEMPORARY_BYTES_MAX / 2, /Limit for temporary files/],
    ['a sort of the owner', OWNER, SORT, TEMPORARY_BYTES_MAX, /Limit for temporary files/],
  ] as const)('limits the temporary files of %s', async (_what, user, sql, bytesMax, reason) => {
    let [most, isDone] = [0, false]
    const answer = asked(sql, user).finally(() => {
      isDone = true
    })
    while (!isDone) {
      most = Math.max(most, temporaryBytes())
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect((await answer).text).toMatch(reason)
    expect(most).toBeLessThanOrEqual(bytesMax * 1.05)
    await until(() => temporaryBytes() === 0)
  })
})
