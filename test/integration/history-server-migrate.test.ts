// Numbered files create the tables: each is applied once, in order, and a history of another version is refused.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate, readMigrations, readSchema } from '../../topology/history/tables/migrate.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { describeEngine, failureFrom, type GivenEngine, givenEngine } from './history-server-given.ts'

const FIRST =
  "-- one; two\nCREATE TABLE IF NOT EXISTS mintfold.a (x UInt8 COMMENT 'a;b') ENGINE = MergeTree ORDER BY x;\nINSERT INTO mintfold.a VALUES (1);\n"
const SECOND = 'CREATE TABLE IF NOT EXISTS mintfold.b (x UInt8) ENGINE = MergeTree ORDER BY x;'

describe('the files', () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'mintfold-sql-'))
  })
  afterEach(() => removeDirectory(dir))
  const write = (files: Record<string, string>): void => {
    for (const [name, sql] of Object.entries(files)) writeFileSync(join(dir, name), sql)
  }

  test('with a number are read in order, others are ignored', () => {
    write({ '002-b.sql': SECOND, '001-a.sql': FIRST, 'README.md': '' })
    expect(readMigrations(dir).map(({ number, name }) => [number, name])).toEqual([
      [1, '001-a.sql'],
      [2, '002-b.sql'],
    ])
  })
  test.each([
    ['a gap', ['001-a.sql', '003-c.sql']],
    ['a number twice', ['001-a.sql', '001-b.sql']],
  ])('%s is reported as a bug of the program, with the file', (_what, names) => {
    write(Object.fromEntries(names.map((name) => [name, SECOND])))
    expect(() => readMigrations(dir)).toThrow(names[1])
  })
})

describeEngine('the tables', () => {
  let given: GivenEngine
  let dir: string
  const migrations = (...files: string[]) => {
    dir = mkdtempSync(join(tmpdir(), 'mintfold-sql-'))
    for (const [index, sql] of files.entries()) writeFileSync(join(dir, `00${index + 1}-file.sql`), sql)
    const read = readSchema(dir)
    removeDirectory(dir)
    return read
  }
  const rowsOfA = async (): Promise<number> => (await given.client.rows<{ n: number }>('SELECT count() AS n FROM mintfold.a'))[0]?.n ?? -1
  beforeEach(async () => {
    given = await givenEngine()
  })
  afterEach(() => given.remove())

  test('applies each file once over several starts, the last of which adds a file', async () => {
    await migrate(given.client, migrations(FIRST))
    await migrate(given.client, migrations(FIRST))
    await migrate(given.client, migrations(FIRST, SECOND))
    expect(await rowsOfA()).toBe(1)
    const applied = await given.client.rows('SELECT number, name FROM mintfold.schema_migrations FINAL ORDER BY number')
    expect(applied).toEqual([
      { number: 1, name: '001-file.sql' },
      { number: 2, name: '002-file.sql' },
    ])
  })
  test('applies a file that failed half way again at the next start', async () => {
    const broken = `${SECOND}\nCREATE TABLE mintfold.c (x Nope) ENGINE = Memory;`
    expect(await failureFrom(migrate(given.client, migrations(FIRST, broken)))).toMatchObject({ code: 'history_query' })
    await migrate(given.client, migrations(FIRST, SECOND))
    expect(await given.client.rows('SELECT count() AS n FROM mintfold.b')).toEqual([{ n: 0 }])
    expect(await rowsOfA()).toBe(1)
  })
  test('accepts a history whose file was replaced, if the new file names its checksum', async () => {
    const [other] = migrations(FIRST).migrations
    await migrate(given.client, migrations(FIRST))
    await migrate(given.client, migrations(`-- Applied as well: ${other?.checksum} (in other words)\n${FIRST}`, SECOND))
    expect(await rowsOfA()).toBe(1)
    expect(await given.client.rows('SELECT count() AS n FROM mintfold.b')).toEqual([{ n: 0 }])
  })
  test.each([
    ['a newer program', [FIRST, SECOND], [FIRST], /has version 2, this program has 1/],
    ['a program with another file', [FIRST], [`${FIRST} `], /001-file\.sql differs/],
  ])('a history of %s is refused unchanged, and the error states what to do', async (_what, earlier, now, message) => {
    await migrate(given.client, migrations(...earlier))
    const failure = await failureFrom(migrate(given.client, migrations(...now)))
    expect(failure).toMatchObject({ code: 'history_version', retriable: false })
    expect(failure.message).toMatch(message)
    expect(failure.message).toContain('CLICKHOUSE_DATABASE')
    expect(await rowsOfA()).toBe(1)
  })
})
