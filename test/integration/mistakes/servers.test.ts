// Servers that are down, broken or of another kind, behind each setting that names one: doctor names the setting, and commands end.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeDirectory } from '../../tools/remove-directory.ts'
import { type BrokenServers, startBroken } from './broken-servers.ts'
import { doctorFaultsOf, type Env, faultsOf, type Mistake, run, SECRET } from './mistake.ts'

const WALLET = 'Vote111111111111111111111111111111111111111'
/** Settings of a server that sells. Nothing listens on port 9; each case checks only doctor's line about its own setting. */
const SOLD = { MINTFOLD_PAYMENTS: 'facilitator', X402_PAY_TO: WALLET, X402_FACILITATOR_URL: 'http://127.0.0.1:9' }
const EVM = { X402_EVM_NETWORK: 'eip155:8453', X402_EVM_PAY_TO: `0x${'ab'.repeat(20)}`, X402_EVM_FACILITATOR_URL: 'http://127.0.0.1:9' }
const LIVE = ['--source', 'live']

interface Named {
  readonly setting: string
  readonly scheme: string
  readonly env: Env
  readonly args?: readonly string[]
  /** Name of doctor's line about the setting. */
  readonly line: string
}
const NAMED: readonly Named[] = [
  { setting: 'X402_FACILITATOR_URL', scheme: 'http', env: SOLD, line: 'payments' },
  { setting: 'X402_RPC_URL', scheme: 'http', env: SOLD, line: 'rpc' },
  { setting: 'SOLANA_RPC_URL', scheme: 'http', env: { MINTFOLD_PAYMENTS: 'off' }, args: LIVE, line: 'blocks' },
  { setting: 'SOLANA_CHECK_RPC_URL', scheme: 'http', env: {}, line: 'second source' },
  { setting: 'SOLANA_GRPC_URL', scheme: 'http', env: {}, line: 'grpc' },
  { setting: 'SOLANA_WS_URL', scheme: 'ws', env: {}, line: 'slots' },
  { setting: 'ALT_RPC_URL', scheme: 'http', env: {}, line: 'alt node' },
  { setting: 'ALT_CHECK_RPC_URL', scheme: 'http', env: { ALT_RPC_URL: 'http://127.0.0.1:9' }, line: 'alt second' },
  { setting: 'ALT_WS_URL', scheme: 'ws', env: { ALT_RPC_URL: 'http://127.0.0.1:9' }, line: 'alt heads' },
  { setting: 'X402_EVM_FACILITATOR_URL', scheme: 'http', env: { ...SOLD, ...EVM }, line: 'second network' },
  { setting: 'X402_EVM_RPC_URL', scheme: 'http', env: { ...SOLD, ...EVM }, line: 'second node' },
  { setting: 'CLICKHOUSE_URL', scheme: 'http', env: { CLICKHOUSE_PASSWORD: SECRET, CLICKHOUSE_USERNAME: 'me' }, line: 'clickhouse' },
  { setting: 'REDIS_URL', scheme: 'redis', env: {}, line: 'redis' },
  { setting: 'SCHEMA_REGISTRY_URL', scheme: 'http', env: { KAFKA_BROKERS: '127.0.0.1:9' }, line: 'registry' },
]

type Faults = Promise<readonly string[]>

let dir = ''
let servers: BrokenServers
let ofDoctor: Faults | undefined
let ofCommands: Faults | undefined
/** All at once: most of the time passes waiting for servers that do not respond, up to 15 s. */
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-servers-'))
  servers = await startBroken()
  ofDoctor = each(asked(), forceDoctor)
  ofCommands = each(commanded(), async (mistake) => faultsOf(mistake, await run(mistake.argv, envOf(mistake.env ?? {}))))
  for (const faults of [ofDoctor, ofCommands]) faults.catch(() => {})
})
afterAll(async () => {
  await Promise.allSettled([ofDoctor, ofCommands])
  await servers.close()
  removeDirectory(dir)
})
const envOf = (env: Env): Env => ({
  ...{ MINTFOLD_DATA_DIR: join(dir, 'data'), MINTFOLD_PORT: '0', MINTFOLD_CLICKHOUSE_PORT: '0', MINTFOLD_LOG_LEVEL: 'silent' },
  ...env,
})

const each = async <Item>(items: readonly Item[], force: (item: Item) => Faults): Faults => (await Promise.all(items.map(force))).flat()

const asked = () => NAMED.flatMap((named) => servers.all.map((server) => ({ ...named, server })))
const forceDoctor = async ({ setting, scheme, env, args = [], line, server }: ReturnType<typeof asked>[number]): Faults => {
  const given = envOf({ ...env, [setting]: `${scheme}://${server.host}` })
  const named = setting === 'SCHEMA_REGISTRY_URL' ? 'SCHEMA_REGISTRY_' : setting
  const doctor = { message: new RegExp(`^not ok  ${line} .*${named}`), args }
  const mistake: Mistake = { what: `${setting}: ${server.what}`, argv: [], code: 3, messages: [], doctor }
  return doctorFaultsOf(mistake, await run(['doctor', ...args], given))
}
const commanded = () =>
  servers.all.flatMap(({ what, host }): readonly Mistake[] => {
    const url = `http://${host}`
    const mistakes: Mistake[] = [
      { what: `sql: ${what}`, argv: ['sql', 'SELECT 1'], env: { CLICKHOUSE_URL: url }, code: 3, messages: [/CLICKHOUSE_/] },
    ]
    const argv = ['buy', '/v1/launches/recent', '--server', url]
    // `buy` accepts any JSON as an answer.
    if (!/^(JSON|nonsense)/.test(what)) mistakes.push({ what: `buy: ${what}`, argv, code: 3, messages: [host, '--server'] })
    return mistakes
  })

test('settings that name a broken server: doctor names the setting and what to do', async () => {
  expect(await ofDoctor).toEqual([])
  process.stderr.write(`${asked().length} mistakes forced: servers that doctor asks\n`)
})

test('commands that query a broken server: each ends with what to do', async () => {
  expect(await ofCommands).toEqual([])
  process.stderr.write(`${commanded().length} mistakes forced: servers that commands ask\n`)
})
