// What doctor checks on this machine before `up` starts: the data directory, the stores in it, and ports.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { register as registerDoctor } from '../../../topology/cli/doctor/doctor.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { openLmdbLog } from '../../../topology/logs/lmdb/lmdb.ts'
import { storesOwner, versionsOf, writeStoresUpdate } from '../../../topology/versions/stores-record.ts'
import { runCommand } from '../../fakes/run-command.ts'
import { TOPICS } from '../../fixtures/topics.ts'

let dir = ''
const at = (...names: string[]): string => join(dir, ...names)
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-places-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

type Env = Readonly<Record<string, string>>
const doctor = async (env: Env = {}, ...args: string[]) => {
  const settings = { MINTFOLD_DATA_DIR: at('data'), MINTFOLD_PORT: '0', MINTFOLD_CLICKHOUSE_PORT: '0' }
  const { out, code, error } = await runCommand(registerDoctor, ['doctor', ...args], { env: { ...settings, ...env } })
  expect(error).toBeUndefined()
  return { code, line: (name: string): string => out.split('\n').find((one) => one.slice(8).startsWith(name)) ?? 'not looked at' }
}

describe('the data directory', () => {
  test('reports a file at or above its path, or a path that cannot be written, with cause and what to do, and creates nothing', async () => {
    writeFileSync(at('file'), '')
    for (const [path, message] of [
      [at('file'), 'is a file, not a directory. Move it away'],
      [at('file', 'below'), 'is a file, not a directory. Move it away'],
      ['/proc/none', 'nothing can be created in /proc. Use another directory'],
    ] as const) {
      const { code, line } = await doctor({ MINTFOLD_DATA_DIR: path })
      expect([code, line('data directory')]).toEqual([1, expect.stringMatching(/^not ok .*MINTFOLD_DATA_DIR: /)])
      expect(line('data directory')).toContain(message)
    }
    expect(readdirSync(dir)).toEqual(['file'])
  })

  const withStores = async (change: number): Promise<void> => {
    const log = await openLmdbLog({ dir: at('data', 'log'), partitions: 4 })
    const versions = versionsOf(LAUNCH_RISK).map(({ name, version }) => ({ name, version: name === 'mint' ? version + change : version }))
    await writeStoresUpdate(await log.own(storesOwner('solana')), TOPICS, 'solana', {
      stores: { versions, state: 'whole', redrive: 0, revision: 0, rolledBack: [] },
    })
    await log.close()
  }
  test('refuses stores of a newer program as `up` would; announces the rebuild of older ones', async () => {
    await withStores(1)
    const newer = await doctor()
    expect([newer.code, newer.line('data directory')]).toEqual([
      1,
      expect.stringMatching(/^not ok .*written by version \d+ of mint, .*run the newer/),
    ])
    rmSync(at('data'), { recursive: true })
    await withStores(-1)
    expect((await doctor()).line('data directory')).toMatch(/^ok .*the next start rebuilds its stores/)
    rmSync(at('data'), { recursive: true })
    await withStores(0)
    expect((await doctor()).line('data directory')).toMatch(/^ok .*4 partitions$/)
  })
})

test('reports a recording that is invalid or missing, for that source', async () => {
  mkdirSync(at('folder'))
  writeFileSync(at('words'), 'some words')
  const line = async (path: string): Promise<string> => (await doctor({}, '--source', `recording:${path}`)).line('recording')
  expect(await line(at('none'))).toMatch(/^not ok .*there is no file/)
  expect(await line(at('words'))).toMatch(/^not ok .*is not a recording/)
  expect(await line(at('folder'))).toMatch(/^not ok .*is a directory/)
  expect(await line(join(__dirname, '../../recordings/launches.avro'))).toMatch(/^ok .*starts at slot/)
})

test('names each taken port with its setting', async () => {
  const other: Server = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const port = String((other.address() as AddressInfo).port)
  const { line } = await doctor({ MINTFOLD_CLICKHOUSE_PORT: port, MINTFOLD_METRICS_PORT: port })
  expect(line('history port')).toMatch(new RegExp(`^not ok .*${port} on 127.0.0.1 is taken: stop .*MINTFOLD_CLICKHOUSE_PORT`))
  expect(line('metrics port')).toMatch(/^not ok .*MINTFOLD_METRICS_PORT/)
  other.close()
  expect(existsSync(at('data'))).toBe(false)
})

test('shows the paths of addresses, without logins and possible keys', async () => {
  const env = {
    MINTFOLD_PAYMENTS: 'off',
    SCHEMA_REGISTRY_URL: 'http://127.0.0.1:9/apis/ccompat/v7',
    CLICKHOUSE_URL: 'http://127.0.0.1:9',
    REDIS_URL: 'redis://user:SECRET@127.0.0.1:9/2',
    SOLANA_RPC_URL: 'http://127.0.0.1:9/v2/SECRET?key=SECRET',
    X402_FACILITATOR_URL: 'http://127.0.0.1:9/platform/x402/SECRET-SECRET-SECRET',
  }
  const { line } = await doctor(env)
  const shown = Object.keys(env).map((name) => line(name).slice(34).replace('  (environment)', ''))
  expect(shown).toEqual([
    'off',
    'http://127.0.0.1:9/apis/ccompat/v7',
    'http://127.0.0.1:9',
    'redis://[redacted]@127.0.0.1:9/2',
    'http://127.0.0.1:9/[redacted]?[redacted]',
    'http://127.0.0.1:9/platform/x402/[redacted]',
  ])
})
