// `mintfold sql` while a running mintfold still fills its history: stderr has what is missing; for a whole history it has no word.
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { register } from '../../../topology/cli/commands/sql.ts'
import { type ControlServer, serveControl } from '../../../topology/operations/control/server.ts'
import { runCommand } from '../../fakes/run-command.ts'
import { type LocalServer, startLocal } from '../../tools/local-server.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'

const UP_TO = Date.UTC(2026, 9, 15, 8, 12, 3) / 1_000
let dir = ''
let health: object
let api: LocalServer
let control: ControlServer
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-filling-'))
  api = await startLocal(createServer((_request, response) => void response.end(JSON.stringify(health))))
  control = await serveControl(dir, { status: () => ({ pid: 1, version: '1', url: api.url }) })
})
afterAll(async () => {
  await control.close()
  await api.close()
  removeDirectory(dir)
})
/** The directory has no history: what counts is printed before the query. */
const noticesOf = async (dataDir: string): Promise<readonly string[]> =>
  (await runCommand(register, ['sql', 'SELECT 1'], { env: { MINTFOLD_DATA_DIR: dataDir } })).stderr

test.each([
  [
    'that lags',
    { history: { up_to: UP_TO, behind_ms: 12_060_000 }, degraded: ['history_behind: ...'] },
    'the history is being filled: it has everything up to 2026-10-15 08:12:03 UTC, 3 h 21 min before the newest block; results are partial',
  ],
  [
    'of a first start',
    { history: { up_to: null, behind_ms: null }, degraded: ['starting: 6 h of history before the live part are written, 40 %'] },
    'the history is being filled, and has no rows of this start yet (6 h of history before the live part are written, 40 %): results are partial',
  ],
])('a history %s is named with what it lacks', async (_which, answer, words) => {
  health = answer
  expect(await noticesOf(dir)).toEqual([words])
})

test.each([
  ['is whole', { history: { up_to: UP_TO, behind_ms: 900 }, degraded: [] }],
  ['is written by other processes', { history: { up_to: null, behind_ms: null }, degraded: [] }],
  ['does not exist', { history: null }],
])('there is no word if the history %s', async (_how, answer) => {
  health = answer
  expect(await noticesOf(dir)).toEqual([])
})

test('there is no word if no mintfold runs on the data directory', async () => {
  expect(await noticesOf(join(dir, 'other'))).toEqual([])
})
