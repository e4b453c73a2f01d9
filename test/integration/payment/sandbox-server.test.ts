// `mintfold sandbox` prints the settings that a seller needs, and runs until it is stopped.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { register as registerSandbox } from '../../../topology/cli/commands/sandbox.ts'
import { parseSettings } from '../../../topology/cli/settings/settings.ts'
import { runCommand } from '../../fakes/run-command.ts'

let dir = ''
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'mintfold-sandbox-server-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

test('settles, on any host, for a seller with the printed settings; refuses a second sandbox on its ledger', async () => {
  const stop = new AbortController()
  const env = { MINTFOLD_DATA_DIR: dir }
  const args = ['sandbox', '--host', '127.0.0.1', '--port', '0']
  const printed = new Promise<string>((resolve) => {
    const ran = runCommand(registerSandbox, args, { env, stop: stop.signal, onOutput: resolve })
    void ran.then(({ error }) => resolve(String(error)))
  })
  const text = await printed
  const set = Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  const { payments, facilitator, rpcUrl } = parseSettings({ ...env, ...set }, { source: 'log' })
  expect(payments).toBe('facilitator')
  const { kinds } = (await (await fetch(`${facilitator?.url}/supported`)).json()) as { kinds: { network: string }[] }
  expect(kinds.map(({ network }) => network)).toContain(facilitator?.network)
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(`${rpcUrl}`, { method: 'POST', headers, body: '{"id":1,"method":"getSlot"}' })).status).toBe(200)
  const second = await runCommand(registerSandbox, args, { env, stop: AbortSignal.abort() })
  expect(second.error).toMatchObject({ code: 'data_dir_owned' })
  stop.abort()
})
