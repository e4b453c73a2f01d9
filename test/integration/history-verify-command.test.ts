// `mintfold verify-tape --history`: output and exit codes.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { register as registerVerifyTape } from '../../topology/cli/commands/recordings/verify-tape.ts'
import { CURVE_RISK } from '../../topology/curve-risk.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import type { HistoryClient } from '../../topology/history/client.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { type Ran, runCommand } from '../fakes/run-command.ts'
import { appendNext } from '../fixtures/two-chains.ts'
import { appendTape, foldToEnd } from '../live.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { framesOf, openJson, readJson } from '../unit/processors/alt/fixtures.ts'
import { describeEngine } from './history-server-given.ts'
import { TAPE } from './history-verify-given.ts'
import { type GivenHistories, givenHistories, sinkAll } from './sink-given.ts'

const CURVES = framesOf(openJson(readJson('launch')), openJson(readJson('taxedBuy'))).map((one) => ({ ...one, vouched: true }))
const SLOT0 = TAPE[0]?.number ?? 0

describeEngine('mintfold verify-tape --history', () => {
  let given: GivenHistories
  let client: HistoryClient
  let dataDir = ''
  const run = (args: readonly string[] = ['--history'], env: Record<string, string> = {}): Promise<Ran> => {
    const { url, username, password } = given.engine.server.target()
    const history = {
      CLICKHOUSE_URL: url,
      CLICKHOUSE_USERNAME: username,
      CLICKHOUSE_PASSWORD: password,
      CLICKHOUSE_DATABASE: client.database,
    }
    return runCommand(registerVerifyTape, ['verify-tape', ...args], { env: { MINTFOLD_DATA_DIR: dataDir, ...history, ...env } })
  }
  beforeAll(async () => {
    given = await givenHistories({ views: false })
    client = await given.fresh()
    dataDir = mkdtempSync(join(tmpdir(), 'mintfold-verify-'))
    const log = await openLmdbLog({ dir: join(dataDir, 'log'), partitions: 2 })
    await appendTape(log, TAPE)
    await foldToEnd(log, DEFAULT_LIMITS)
    await appendNext(log, CURVE_RISK, CURVES, CURVES.length)
    const folds = await startFolds(log, [CURVE_RISK])
    await folds.caughtUp()
    await folds.stop()
    await sinkAll(log, client)
    await sinkAll(log, client, undefined, { topology: CURVE_RISK })
    await log.close()
  })
  afterAll(async () => {
    await given.remove()
    removeDirectory(dataDir)
  })

  test('for a complete history exits with 0, nothing on stdout, and lists what was compared of each chain', async () => {
    const ran = await run()
    expect(ran).toMatchObject({ out: '', code: 0, error: undefined })
    expect(ran.stderr.at(-1)).toBe('nothing is missing')
    expect(ran.stderr[2]).toContain(`alt: blocks ${CURVES[0]?.number} to ${CURVES.at(-1)?.number}`)
    expect(ran.stderr[3]).toContain('2 of 2 trades on curves could be checked')
    expect(ran.stderr[0]).toContain(`slots ${SLOT0} to ${TAPE.at(-1)?.number}`)
  })
  test('for removed rows exits with 1, with a line for the table', async () => {
    await client.command(`ALTER TABLE ${client.database}.launches_log DELETE WHERE slot < ${SLOT0 + 10} SETTINGS mutations_sync = 1`)
    const ran = await run()
    expect(ran).toMatchObject({ code: 1, error: undefined })
    const lines = ran.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toMatchObject([{ history: client.database, finding: 'missing', table: 'launches', count: expect.any(Number) }])
    expect(ran.stderr.at(-1)).toBe(`found: ${lines[0].count} missing`)
  })
  test('files with --history, or neither, are wrong usage', async () => {
    expect((await run(['--history', 'some.avro'])).error).toMatchObject({ name: 'UsageError' })
    expect((await run([])).error).toMatchObject({ name: 'UsageError' })
  })
  test('without a log, or with a ClickHouse that does not respond, is an error with the cause', async () => {
    expect((await run(['--history'], { MINTFOLD_DATA_DIR: join(dataDir, 'nothing') })).error).toMatchObject({ code: 'file_unreadable' })
    expect((await run(['--history'], { CLICKHOUSE_URL: 'http://127.0.0.1:1' })).error).toMatchObject({ code: 'history_down' })
  })
})
