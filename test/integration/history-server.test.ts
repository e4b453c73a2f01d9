// The embedded ClickHouse as a process: start, death, restart, and access.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createHistoryClient } from '../../topology/history/client.ts'
import { ACCESS_FILE, OWNER, READER, WRITER } from '../../topology/history/engine/access.ts'
import { ClickHouseServer } from '../../topology/history/engine/clickhouse-server.ts'
import { freePort } from '../tools/free-port.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { RUN } from '../tools/run.ts'
import { until } from '../tools/until.ts'
import { DATABASE, describeEngine, failureFrom, type GivenEngine, givenEngine } from './history-server-given.ts'

const HOLDER = fileURLToPath(new URL('./history-server-holder.ts', import.meta.url))

const hold = (dir: string, env: Record<string, string> = {}): ChildProcess =>
  spawn(process.execPath, [...RUN, HOLDER, dir], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } })
const firstLineOf = async (holder: ChildProcess): Promise<string> => {
  const [line] = (await once(createInterface({ input: holder.stdout as NodeJS.ReadableStream }), 'line')) as [string]
  return line
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describeEngine('the embedded ClickHouse', () => {
  let given: GivenEngine
  beforeAll(async () => {
    given = await givenEngine()
    await given.client.command(`CREATE TABLE ${DATABASE}.numbers_kept (n UInt64) ENGINE = MergeTree ORDER BY n`)
  })
  afterAll(() => given.remove())

  test('has a lower priority than the process that folds and answers', () => {
    expect(getPriority(given.server.pid() ?? 0)).toBeGreaterThan(getPriority())
  })

  const keep = (numbers: readonly number[]): Promise<void> =>
    given.client.insert({ table: 'numbers_kept', format: 'JSONCompactEachRow', body: Buffer.from(numbers.map((n) => `[${n}]\n`).join('')) })
  const kept = async (): Promise<unknown> =>
    (await given.client.rows(`SELECT count() AS rows, sum(n) AS sum FROM ${DATABASE}.numbers_kept`))[0]

  test('answers after its start, has a supported version, and keeps its password readable by its owner only', async () => {
    expect(given.server.trouble()).toBeNull()
    expect(await given.client.checkVersion()).toMatch(/^\d+\.\d+/)
    expect(statSync(join(given.dir, ACCESS_FILE)).mode & 0o777).toBe(0o600)
    expect(readdirSync(given.dir).filter((name) => name.startsWith('config-'))).toEqual([])
  })

  test('comes back on the same port with every row after kill -9 following an insert', async () => {
    await keep([1, 2, 3])
    const [pid, { url }] = [given.server.pid() ?? 0, given.server.target()]
    process.kill(pid, 'SIGKILL')
    await until(() => given.server.pid() !== pid && given.server.pid() !== null && given.server.trouble() === null)
    expect(given.server.target().url).toBe(url)
    expect(await kept()).toEqual({ rows: 3, sum: 6 })
    expect(given.notices).toEqual(expect.arrayContaining(['history_started', 'history_ended']))
  })

  test('while it is down, the client reports that, and that a retry may help', async () => {
    process.kill(given.server.pid() ?? 0, 'SIGKILL')
    const failure = await failureFrom(given.client.rows('SELECT 1'))
    expect(failure).toMatchObject({ name: 'EngineError', code: 'history_down', retriable: true })
    await until(async () => (await given.client.rows('SELECT 1').catch(() => [])).length === 1)
  })

  test('deletes files of merged parts within seconds, not thousands at once later', async () => {
    for (const n of [0, 0, 0]) await keep([n])
    await given.client.command(`OPTIMIZE TABLE ${DATABASE}.numbers_kept FINAL`)
    const merged = `SELECT count() AS parts FROM system.parts WHERE table = 'numbers_kept' AND NOT active`
    await until(async () => (await given.client.rows<{ parts: number }>(merged))[0]?.parts === 0)
  })

  test('a second start on the same directory keeps the passwords, readable by its owner only, until their file is deleted', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mintfold-history-'))
    const passwords: string[][] = []
    for (let start = 0; start < 3; start++) {
      if (start === 2) rmSync(join(dir, ACCESS_FILE))
      const server = new ClickHouseServer({ dir, port: 0, database: DATABASE })
      await server.start()
      passwords.push(([WRITER, READER, OWNER] as const).map((user) => server.target(user).password))
      await server.stop()
    }
    const [first = [], second = [], third = []] = passwords
    expect(second).toEqual(first)
    expect(new Set([...first, ...third]).size).toBe(6)
    for (const password of first) expect(password).toMatch(/^[\w-]{32}$/)
    expect(statSync(join(dir, ACCESS_FILE)).mode & 0o777).toBe(0o600)
    removeDirectory(dir)
  })

  test('a wrong password is refused without advice to retry', async () => {
    const client = createHistoryClient({ ...given.server.target(), password: 'wrong' })
    expect(await failureFrom(client.rows('SELECT 1'))).toMatchObject({ code: 'history_refused', retriable: false })
    await client.close()
  })

  test('a start on a taken port names the port and what to do', async () => {
    const taken = createServer()
    const port = await freePort()
    await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve))
    const dir = mkdtempSync(join(tmpdir(), 'mintfold-history-'))
    const server = new ClickHouseServer({ dir, port, database: DATABASE })
    const failure = await failureFrom(server.start())
    expect(failure).toMatchObject({ code: 'port_in_use', retriable: true })
    expect(failure.message).toContain(String(port))
    expect(server.trouble()).toBe(failure.message)
    taken.close()
    await until(() => server.start().then(() => true))
    expect(server.trouble()).toBeNull()
    await server.stop()
    removeDirectory(dir)
  })

  test('a start on a directory that another engine has open fails, and directory and engine are unharmed', async () => {
    const second = new ClickHouseServer({ dir: given.dir, port: 0, database: DATABASE })
    expect(await failureFrom(second.start())).toMatchObject({ code: 'data_dir_owned', retriable: true })
    expect(given.server.trouble()).toBeNull()
    expect(await kept()).toMatchObject({ sum: 6 })
  })

  test('on a machine without the engine logs the reason once, without advice to retry', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mintfold-history-'))
    const holder = hold(dir, { CHDB_LIBCHDB_PATH: join(dir, 'none.so') })
    const ended = once(holder, 'exit')
    expect(await firstLineOf(holder)).toMatch(/^history_engine false .*CLICKHOUSE_URL/)
    await ended
    removeDirectory(dir)
  })

  test('after kill -9 of the process that started it the engine ends too and the data can be opened', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mintfold-history-'))
    const holder = hold(dir)
    const enginePid = Number(await firstLineOf(holder))
    expect(isAlive(enginePid)).toBe(true)
    holder.kill('SIGKILL')
    await until(() => !isAlive(enginePid))
    const server = new ClickHouseServer({ dir, port: 0, database: DATABASE })
    await server.start()
    await server.stop()
    removeDirectory(dir)
  })

  test('a stop during a start leaves no process', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mintfold-history-'))
    const server = new ClickHouseServer({ dir, port: 0, database: DATABASE })
    const starting = server.start().catch(() => undefined)
    await server.stop()
    await starting
    await until(() => server.pid() === null)
    removeDirectory(dir)
  })
})
