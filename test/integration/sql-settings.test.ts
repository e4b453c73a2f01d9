// `mintfold sql`: values for a query's parameters, and its own settings within the limits.
import { describeEngine } from './history-server-given.ts'
import { type GivenSql, givenSql } from './sql-given.ts'

describeEngine('parameters and settings of mintfold sql', () => {
  let given: GivenSql
  const sql = (...args: string[]) => given.sql(...args)
  beforeAll(async () => {
    given = await givenSql()
  })
  afterAll(() => given.remove())

  test('each value of a parameter is one value of its type, whatever it contains', async () => {
    const name = "moon' OR 1 = 1 --\t\\"
    const asked = ['SELECT {name:String} AS name, {least:UInt64} AS least, {of:Array(String)} AS of', '--format', 'JSONEachRow']
    const { code, stdout } = await sql(...asked, '--param', `name=${name}`, '--param', 'least=7', '--param', "of=['a','b']")
    expect([code, JSON.parse(stdout)]).toEqual([0, { name, least: '7', of: ['a', 'b'] }])
  })
  test.each([
    [['SELECT {n:UInt64}', '--param', 'n=x'], /cannot be parsed as UInt64/],
    [['SELECT {n:UInt64}'], /[Ss]ubstitution `?n`? is not set/],
    [['SELECT 1', '--param', 'n'], /name=value/],
    [['SELECT 1', '--param', '1n=1'], /name=value/],
    [['SELECT 1', '--param', 'n=1', '--param', 'n=2'], /n already has a value/],
  ])('%j exits with 2 and states what is wrong with the parameter', async (args, message) => {
    const { code, stderr } = await sql(...args)
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  })
  test('JSON has integers of 64 bits as text', async () => {
    expect((await sql("SELECT lamports FROM launches WHERE name = 'moon'", '--format', 'JSONEachRow')).stdout).toBe(
      '{"lamports":"9007199254740991"}\n',
    )
  })
  test.each([
    'SELECT 2 AS n SETTINGS max_threads = 1, max_block_size = 100',
    'SELECT * FROM (SELECT 2 AS n SETTINGS max_block_size = 100)',
    'SELECT 2 AS n SETTINGS max_execution_time = 5, max_memory_usage = 50000000',
    "SELECT 2 AS n FROM system.settings WHERE name = 'readonly' AND changed",
  ])('%s is answered', async (query) => {
    expect(await sql(query, '--format', 'TSV')).toMatchObject({ code: 0, stdout: '2\n' })
  })
  test('with --unlimited a query may lift limits', async () => {
    const asked = ['SELECT count() FROM numbers(10) SETTINGS max_execution_time = 0, max_memory_usage = 0', '--format', 'TSV']
    expect(await sql(...asked, '--unlimited')).toMatchObject({ code: 0, stdout: '10\n' })
  })
  test.each([
    ['SELECT 1 SETTINGS max_threads = 1, max_execution_time = 11'],
    ['SELECT 1 SETTINGS max_memory_usage = 0'],
    ["SELECT 1 settings max_memory_usage = '0'"],
    ['SELECT 1 SETTINGS max_execution_time = 1.5e9'],
    ['SELECT 1 SETTINGS `max_execution_time` = 0'],
    ['SELECT number FROM numbers(20000) SETTINGS limit = 20000'],
    ['SELECT number FROM numbers(20000) SETTINGS max_result_rows = 0'],
    ['SELECT * FROM (SELECT 1 SETTINGS/**/max_untracked_memory = 1000000000000) SETTINGS max_threads = 1'],
    ["SELECT 1 FORMAT Template SETTINGS format_template_row = '/etc/hostname'"],
    ["SELECT 1 SETTINGS profile = 'writer'"],
    ["SELECT 1 FORMAT Protobuf SETTINGS output_format_schema = 'written.proto'"],
    ["SELECT sleepEachRow(1) FROM numbers(30) SETTINGS timeout_overflow_mode = 'break'"],
    ['SET readonly = 0'],
  ])('%s, which would lift a limit or reach outside, is refused', async (query) => {
    const { code, stdout, stderr } = await sql(query)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/SETTINGS `?\w+/)
  })
})
