// The tables and the guide's queries on engines other than the embedded one: the oldest that is supported, and the newest.
import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { VERSION_MIN, WRITE_SETTINGS } from '../../topology/history/client.ts'
import { readMigrations, readViews } from '../../topology/history/tables/migrate.ts'
import { statementsOf } from '../../topology/history/tables/statements.ts'
import { describeGiven } from '../services/describe-given.ts'
import { INSTALL_MS_MAX, isPythonAsked, pythonWith } from '../services/python.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { guideQuestions } from '../tools/sql-guide/guide.ts'

const RUNNER = fileURLToPath(new URL('./history-engines.py', import.meta.url))
const RUN_MS_MAX = 120_000
const OLDEST = ['25.8', ['chdb==3.7.2']] as const
const NEWEST = ['26.9', ['chdb==4.4.0', 'chdb-core==26.9.0']] as const

/** `wait_end_of_query` belongs to the HTTP interface, and is no setting of a query. */
const SETTINGS = Object.entries(WRITE_SETTINGS)
  .filter(([name]) => name !== 'wait_end_of_query')
  .map(([name, value]) => `${name} = '${value}'`)
const STATEMENTS = [
  'CREATE DATABASE IF NOT EXISTS mintfold ENGINE = Atomic',
  ...[...readMigrations(), ...readViews()].flatMap(({ sql }) => statementsOf(sql)),
  `INSERT INTO mintfold.trades_log (slot, tick_at) SETTINGS ${SETTINGS.join()} VALUES (1, now())`,
  ...guideQuestions().flatMap(({ query }) => statementsOf(query)),
  "SELECT * FROM mintfold.event(id = 'solana:332254908.17.~.2@1a2b3c4d')",
  "SELECT * FROM mintfold.coin(mint = 'coin')",
  "SELECT * FROM mintfold.first_buys(wallet = 'wallet')",
  'ALTER TABLE mintfold.trades_log MODIFY SETTING materialize_ttl_recalculate_only = 1',
  'ALTER TABLE mintfold.trades_log MODIFY TTL received_at + INTERVAL 30 DAY SETTINGS materialize_ttl_after_modify = 0',
  'ALTER TABLE mintfold.trades_log MATERIALIZE TTL SETTINGS mutations_sync = 0',
]

const ranOn = async (packages: readonly string[]): Promise<{ readonly version: string; readonly failures: readonly unknown[] }> => {
  const python = await pythonWith(packages, true)
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-engines-'))
  try {
    const running = promisify(execFile)(python, [RUNNER, dir], { timeout: RUN_MS_MAX })
    running.child.stdin?.end(JSON.stringify(STATEMENTS))
    return JSON.parse((await running).stdout)
  } finally {
    removeDirectory(dir)
  }
}

const tests = (): void => {
  test.each([OLDEST, NEWEST])(
    'run all statements and queries on ClickHouse %s',
    async (version, packages) => {
      const ran = await ranOn(packages)
      expect(ran.version).toMatch(new RegExp(`^${version}\\.`))
      expect(ran.failures).toEqual([])
    },
    RUN_MS_MAX + INSTALL_MS_MAX,
  )
  test('the oldest supported version is among those tested', () => expect(VERSION_MIN).toBe(OLDEST[0]))
}

describeGiven('other engines', tests, { isThere: isPythonAsked, lack: 'set PYTHON_TESTS=yes to run them in a virtual environment' })
