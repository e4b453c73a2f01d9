// `mintfold history` and processes of other data directories: with its access file they write to it, without it they learn what to set.
import { existsSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { register as registerSql } from '../../../topology/cli/commands/sql.ts'
import { register as registerDoctor } from '../../../topology/cli/doctor/doctor.ts'
import { createHistoryClient } from '../../../topology/history/client.ts'
import { ACCESS_FILE } from '../../../topology/history/engine/access.ts'
import { ClickHouseServer } from '../../../topology/history/engine/clickhouse-server.ts'
import { type HistorySettings, historyDirOf, placeOf, readerOf } from '../../../topology/history/engine/where.ts'
import { ClickHouseHistory } from '../../../topology/history/history.ts'
import { runCommand } from '../../fakes/run-command.ts'
import { copyHistory } from '../../fixtures/migrated-history.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'
import { until } from '../../tools/until.ts'
import { describeEngine } from '../history-server-given.ts'

const SETTINGS: HistorySettings = {
  url: null,
  access: null,
  cluster: null,
  username: null,
  password: '',
  database: 'mintfold',
  port: 0,
  hosts: [],
  days: 90,
}

const doctor = async (env: Readonly<Record<string, string>>) => {
  const { out } = await runCommand(registerDoctor, ['doctor'], { env: { MINTFOLD_PORT: '0', MINTFOLD_CLICKHOUSE_PORT: '0', ...env } })
  return { out, line: (name: string): string => out.split('\n').find((one) => one.slice(8).startsWith(name)) ?? 'not looked at' }
}

describe('an access file that cannot be used', () => {
  let dir = ''
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'mintfold-no-access-'))
    mkdirSync(join(dir, 'folder'))
    writeFileSync(join(dir, 'other.json'), '{"password":"SECRET"}')
  })
  afterAll(() => removeDirectory(dir))
  test.each([
    ['absent', 'it does not exist: set the path of the file itself, and start `mintfold history` first'],
    ['folder', 'it is a directory: set the path of the file itself'],
    [
      'other.json',
      'it is not an access file: start `mintfold history` first, which writes the access file to DATA_DIR/history/access.json',
    ],
  ])('%s is named with its cause, by processes and by doctor, without its content', async (name, message) => {
    const access = join(dir, name)
    const target = (): unknown => placeOf(dir, { ...SETTINGS, access })
    expect(target).toThrow(expect.objectContaining({ code: 'file_unreadable' }))
    expect(target).toThrow(`MINTFOLD_HISTORY_ACCESS: ${access} cannot be used: ${message}`)
    const { line, out } = await doctor({ MINTFOLD_DATA_DIR: join(dir, 'data'), MINTFOLD_HISTORY_ACCESS: access })
    expect(line('clickhouse')).toMatch(/^not ok .*MINTFOLD_HISTORY_ACCESS: /)
    expect(out).not.toContain('SECRET')
  })
})

describeEngine('mintfold history of one data directory', () => {
  let dir = ''
  let server: ClickHouseServer
  const notices: string[] = []
  const histories: ClickHouseHistory[] = []
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'mintfold-access-'))
    await copyHistory(join(dir, 'a'))
    server = new ClickHouseServer({ dir: historyDirOf(join(dir, 'a')), port: 0, database: 'mintfold' })
    await server.start()
  })
  afterAll(async () => {
    for (const history of histories) await history.stop()
    await server.stop()
    removeDirectory(dir)
  })
  const access = (): string => join(historyDirOf(join(dir, 'a')), ACCESS_FILE)
  const historyOf = (settings: Partial<HistorySettings>): ClickHouseHistory => {
    const at = placeOf(join(dir, 'b'), { ...SETTINGS, ...settings })
    if ('dir' in at) throw new Error('expected a shared engine')
    const history = new ClickHouseHistory({ at, sink: () => null, notice: (_code, { reason }) => notices.push(String(reason)) })
    histories.push(history)
    return history
  }

  test('accepts rows of a process of another directory with its access file, which only its owner can read', async () => {
    const client = await historyOf({ access: access() }).start()
    const table = 'mintfold.schema_migrations'
    await client?.command(`INSERT INTO ${table} SELECT * FROM ${table}`)
    expect(client).not.toBeNull()
    expect(statSync(access()).mode & 0o777).toBe(0o600)
    expect(await readerOf(join(dir, 'b'), { ...SETTINGS, access: access() }, 'owner')).toEqual(server.target('owner'))
  })

  test('refuses one that has only its address, and names what to set', async () => {
    const history = historyOf({ url: server.target().url })
    void history.start()
    await until(() => notices.length > 0)
    expect(notices[0]).toBe(
      `${server.target().url} is \`mintfold history\` of another data directory, whose password is needed: set MINTFOLD_HISTORY_ACCESS to ` +
        'history/access.json in that directory and unset CLICKHOUSE_URL, or give both the same MINTFOLD_DATA_DIR.',
    )
    expect(history.status().trouble).toBe(notices[0])
  })

  test('too busy to answer sql is left alone: sql asks to try again, which works once it answers', async () => {
    const sql = () => runCommand(registerSql, ['sql', 'SELECT 1', '--format', 'TSV'], { env: { MINTFOLD_DATA_DIR: join(dir, 'a') } })
    const pid = server.pid() ?? 0
    process.kill(pid, 'SIGSTOP')
    try {
      const message = `another mintfold has ${join(dir, 'a')} open, but its history did not answer within 2 s: try again`
      expect((await sql()).error).toMatchObject({ name: 'EngineError', message })
      expect(existsSync(access())).toBe(true)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    expect(await sql()).toMatchObject({ code: 0, out: '1\n' })
  })

  test('is checked by doctor: rights and tables, and whose it is', async () => {
    const env = { MINTFOLD_DATA_DIR: join(dir, 'b') }
    const good = await doctor({ ...env, MINTFOLD_HISTORY_ACCESS: access() })
    expect(good.line('clickhouse')).toMatch(/^ok .*ClickHouse \d+/)
    expect(good.line('history rights')).toMatch(/^ok .*user mintfold can create tables in mintfold, write rows and delete them/)
    expect(good.line('history tables')).toMatch(/^ok .*mintfold has version \d+, as this program needs/)
    const wrong = await doctor({ ...env, CLICKHOUSE_URL: server.target().url })
    expect(wrong.line('clickhouse')).toMatch(/^not ok .*is `mintfold history` of another data directory, .*MINTFOLD_HISTORY_ACCESS to /)
    const own = await doctor({ MINTFOLD_DATA_DIR: join(dir, 'a') })
    expect(own.line('clickhouse')).toMatch(/^not ok .*mintfold history runs on this data directory: set CLICKHOUSE_URL=http:/)
    const writer = createHistoryClient(server.target())
    await writer.command("INSERT INTO mintfold.schema_migrations (number, name, checksum) VALUES (99, '099-later.sql', 'none')")
    expect((await doctor({ ...env, MINTFOLD_HISTORY_ACCESS: access() })).line('history tables')).toMatch(
      /^not ok .*has version 99, this program has/,
    )
    await writer.close()
  })
})
