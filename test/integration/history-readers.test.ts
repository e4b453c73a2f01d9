// Readers of the embedded ClickHouse: what they see, what they may query, and which host names work.
import { mkdtempSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'
import { createHistoryClient, type HistoryClient } from '../../topology/history/client.ts'
import { READER } from '../../topology/history/engine/access.ts'
import { ClickHouseServer } from '../../topology/history/engine/clickhouse-server.ts'
import { publicViews } from '../../topology/history/tables/public-views.ts'
import { copyMigrated } from '../fixtures/migrated-history.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { guideQuestions } from '../tools/sql-guide/guide.ts'
import { until } from '../tools/until.ts'
import { DATABASE, describeEngine } from './history-server-given.ts'
import { headersOf } from './sql-port/given.ts'

const DAYS = 20
const ROWS = `SELECT number, 1, 0, 0, 'abcdef01', 1, toDateTime64('2026-03-01 00:00:00', 3, 'UTC') + number * 86400 / 5000 AS t, t, toString(number),
  'coin', 'wallet', 9007199254740993 FROM numbers(${DAYS * 5_000}) SETTINGS max_block_size = 20000, min_insert_block_size_rows = 20000`

/** Views with a parameter, each with a call that looks up one thing. */
const LOOKUPS: Readonly<Record<string, string>> = {
  event: "event(id = 'solana:7.1.0.0@abcdef01')",
  alt_event: "alt_event(id = 'alt:7.1.0@abcdef01')",
  coin: "coin(mint = 'coin')",
  first_buys: "first_buys(wallet = 'wallet')",
  launch_cohort: "launch_cohort(mint = 'coin')",
}

describeEngine('a reader of the embedded ClickHouse', () => {
  let dir: string
  let server: ClickHouseServer
  let client: HistoryClient
  const askedAs = (host: string, query: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const target = server.target(READER)
      const { port } = new URL(target.url)
      const asking = request(
        { host: '127.0.0.1', port, method: 'POST', headers: { host, ...headersOf(target), ...headers } },
        (response) => {
          response
            .setEncoding('utf8')
            .toArray()
            .then((parts) => resolve({ status: response.statusCode ?? 0, text: parts.join('').trim() }), reject)
        },
      )
      asking.on('error', reject).end(query)
    })
  const asked = (query: string) => askedAs('localhost', query)

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'mintfold-readers-'))
    await copyMigrated(dir, [DATABASE])
    server = new ClickHouseServer({ dir, port: 0, database: DATABASE, hosts: ['db.internal', 'Warehouse'] })
    await server.start()
    client = createHistoryClient(server.target())
    const columns = 'slot, tx_index, outer_ix, inner_ix, hash8, version, tick_at, at, signature, mint, user, token_units'
    await client.command(`INSERT INTO ${DATABASE}.trades_log (${columns}) ${ROWS}`)
  })
  afterAll(async () => {
    await client.close()
    await server.stop()
    removeDirectory(dir)
  })

  test('sees the views for readers and no storage', async () => {
    const { text } = await asked(`SHOW TABLES FROM ${DATABASE}`)
    expect(text.split('\n')).toEqual([...publicViews()].sort())
    expect(text).toMatch(/^launches$/m)
    expect(text).not.toMatch(/_log|_refresh|schema_|inner/)
    expect((await asked(`SELECT count() FROM system.columns WHERE database = '${DATABASE}' AND table LIKE '%_log'`)).text).toBe('0')
    expect((await asked(`SELECT count() FROM ${DATABASE}.trades_log`)).text).toContain('Not enough privileges')
  })
  test.each(guideQuestions().map(({ title, query }) => [title, query]))('can run the guide’s query: %s', async (_title, query) => {
    expect(await asked(query as string)).toMatchObject({ status: 200 })
  })
  test.each(publicViews().map((view) => [view]))('reads %s', async (view) => {
    const name = LOOKUPS[view] ?? view
    expect(await asked(`SELECT * FROM ${DATABASE}.${name} LIMIT 1`)).toMatchObject({ status: 200 })
  })
  test('reads only the days of a time window, and finds a slot by its index', async () => {
    const plan = async (where: string): Promise<string> =>
      (await asked(`EXPLAIN indexes = 1 SELECT count() FROM ${DATABASE}.trades WHERE ${where}`)).text
    const [, parts, of] = /Min-?Max[\s\S]*?Parts: (\d+)\/(\d+)/.exec(await plan("tick_at >= '2026-03-20 00:00:00'")) ?? []
    expect([Number(parts), Number(of)]).toEqual([1, DAYS])
    expect(await plan('slot = 77')).toMatch(/Skip[\s\S]*by_slot/)
  })
  test('finds an event by its id in a few granules of the table that has it', async () => {
    const found = await asked(`SELECT table, mint, wallet FROM ${DATABASE}.event(id = 'solana:77.1.0.0@abcdef01') FORMAT TSV`)
    expect(found.text).toBe('trades\tcoin\twallet')
    const plan = (await asked(`EXPLAIN indexes = 1 SELECT * FROM ${DATABASE}.event(id = 'solana:77.1.0.0@abcdef01')`)).text
    const read = [...plan.matchAll(/ReadFromMergeTree \(\w+\.(\w+)\)[\s\S]*?Granules: (\d+)/g)].map(([, table, granules]) => [
      table,
      Number(granules),
    ])
    expect(read).toEqual([['trades_log', 1]])
  })
  test('gets integers of 64 bits as text in JSON, safe for JavaScript', async () => {
    const { text } = await asked(`SELECT token_units FROM ${DATABASE}.trades LIMIT 1 FORMAT JSONEachRow`)
    expect(text).toBe('{"token_units":"9007199254740993"}')
  })
  test('reads again after the engine was killed', async () => {
    const pid = server.pid() ?? 0
    process.kill(pid, 'SIGKILL')
    await until(() => server.pid() !== pid && server.pid() !== null && server.trouble() === null)
    expect(await asked(`SELECT count() FROM ${DATABASE}.trades`)).toEqual({ status: 200, text: String(DAYS * 5_000) })
  })

  test.each(['127.0.0.1', 'localhost:8403', 'db.internal', 'DB.internal:8403', 'warehouse'])(
    'by the host name %s is answered',
    async (host) => {
      expect(await askedAs(host, 'SELECT 1')).toEqual({ status: 200, text: '1' })
    },
  )
  test.each(['a.example', 'dbxinternal', 'db.internal.example', 'x.db.internal', '127.0.0.1.example', 'db.internal:8403:1'])(
    'by the host name %s is not answered',
    async (host) => {
      expect(await askedAs(host, 'SELECT 1')).toEqual({ status: 404, text: expect.stringContaining('MINTFOLD_CLICKHOUSE_HOSTS') })
    },
  )
  test('from a web page is not answered', async () => {
    expect((await askedAs('db.internal', 'SELECT 1', { origin: 'http://a.example' })).status).toBe(404)
  })
  test('uses the client for Node with parameters, settings, streams and compression', async () => {
    const { url, username, password } = server.target(READER)
    const node = createClient({ url, username, password, database: DATABASE, compression: { response: true } })
    try {
      const asked = { query: 'SELECT mint FROM trades WHERE slot = {slot:UInt64}', query_params: { slot: 77 } }
      const settings = { clickhouse_settings: { max_execution_time: 5, extremes: 0 } } as const
      expect(await (await node.query({ ...asked, ...settings, format: 'JSONEachRow' })).json()).toEqual([{ mint: 'coin' }])
      expect((await node.ping()).success).toBe(true)
    } finally {
      await node.close()
    }
  })

  test.each([
    ['writes', `INSERT INTO ${DATABASE}.trades_log VALUES (9)`],
    ['drops', `DROP TABLE ${DATABASE}.trades_log`],
    ['creates', `CREATE TABLE ${DATABASE}.another (n UInt8) ENGINE = Memory`],
    ['reads a file', "SELECT * FROM file('/etc/hostname', 'LineAsString')"],
    ['reads a file as a table', 'SELECT * FROM default.`/etc/hostname`'],
    ['writes a file', "INSERT INTO FUNCTION file('written.csv') SELECT 1"],
    ['asks another server', "SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a String')"],
    ['asks another ClickHouse', "SELECT * FROM remote('127.0.0.1:1', system.one)"],
    ['makes a user', 'CREATE USER somebody'],
  ])('that %s is refused', async (_what, query) => {
    const { status, text } = await asked(query)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(text).toContain('Not enough privileges')
  })

  test('is refused while 16 queries of callers run, and the writer is not', async () => {
    const sleeping = Array.from({ length: 40 }, () => asked('SELECT sleepEachRow(1) FROM numbers(3) SETTINGS max_block_size = 1'))
    const running = `SELECT count() AS n FROM system.processes WHERE user = '${READER}'`
    await until(async () => ((await client.rows<{ n: number }>(running))[0]?.n ?? 0) >= 16)
    await client.command(`INSERT INTO ${DATABASE}.kept_days_log (days) VALUES (90)`)
    const answers = await Promise.all(sleeping)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(answers.length - refused.length).toBe(16)
    expect(refused.filter(({ text }) => !text.includes('Too many simultaneous queries for user'))).toEqual([])
  })
})
