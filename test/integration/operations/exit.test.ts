// `up --exit` where something never comes: it names what it waits for, and ends.
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Io } from '../../../topology/cli/command.ts'
import { type SourceOpener, up } from '../../../topology/cli/commands/up.ts'
import { openSource } from '../../../topology/cli/wiring/open-source.ts'
import { copyHistory } from '../../fixtures/migrated-history.ts'
import { type LocalServer, startLocal } from '../../tools/local-server.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'

const LAUNCHES = join(__dirname, '../../recordings/launches.avro')
const IDLE_S = 2
/** In the test's own thread. */
const open: SourceOpener = openSource

let dir = ''
let other: LocalServer
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-exit-'))
  other = await startLocal(createServer((_request, response) => void response.writeHead(500).end('no')))
})
afterEach(async () => {
  await other.close()
  removeDirectory(dir)
})

const run = async (source: string, env: Readonly<Record<string, string>>): Promise<unknown> => {
  const io: Io = {
    out: async () => {},
    printNotice: () => {},
    env: { MINTFOLD_DATA_DIR: join(dir, 'data'), MINTFOLD_PORT: '0', MINTFOLD_LOG_LEVEL: 'silent', MINTFOLD_PAYMENTS: 'off', ...env },
    terminal: false,
    stop: new AbortController().signal,
    setExitCode: () => {},
  }
  return up({ source, frames: 5, exit: true }, io, open, { idleSMax: IDLE_S }).then(
    () => 'done',
    (failure: unknown) => failure,
  )
}

test("with ClickHouse's port taken ends at once, and names the setting", async () => {
  expect(await run(`recording:${LAUNCHES}`, { MINTFOLD_CLICKHOUSE_PORT: new URL(other.url).port })).toMatchObject({
    code: 'port_in_use',
    message: expect.stringMatching(/^port \d+ on 127.0.0.1 cannot be used.*MINTFOLD_CLICKHOUSE_PORT/),
  })
})

test('with a ClickHouse that fails ends with what it waited for', async () => {
  expect(await run(`recording:${LAUNCHES}`, { CLICKHOUSE_URL: other.url })).toMatchObject({
    code: 'exit_stalled',
    message: expect.stringMatching(/^--exit waited 2 s without progress for the history: .*CLICKHOUSE_URL/),
  })
})

test('with a node that never responds ends with the frames that came', async () => {
  await copyHistory(join(dir, 'data'))
  expect(await run('live', { SOLANA_RPC_URL: other.url, MINTFOLD_CLICKHOUSE_PORT: '0' })).toMatchObject({
    code: 'exit_stalled',
    message: expect.stringMatching(/^--exit waited 2 s without progress for the live chain, with 0 frames so far/),
  })
})
