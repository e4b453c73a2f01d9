// Mistakes that only a whole process can make: ports and directories in use, other users, servers that `up` continues without.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openLmdbLog } from '../../../topology/logs/lmdb/lmdb.ts'
import { serveControl } from '../../../topology/operations/control/server.ts'
import { freePort } from '../../tools/free-port.ts'
import { type LocalServer, startLocal } from '../../tools/local-server.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'
import { doctorFaultsOf, type Env, faultsOf, type Mistake, type Ran, run } from './mistake.ts'
import { LAUNCHES } from './paths.ts'

const BIN = join(__dirname, '../../../topology/cli/mintfold.mjs')
const COMMANDS = fileURLToPath(new URL('../../tools/commands.mjs', import.meta.url))
const RECORDED = ['up', '--source', `recording:${LAUNCHES}`]
const NOBODY = 65_534
/** On a busy machine a start takes many seconds. */
const START_MS_MAX = 60_000

let dir = ''
let other: LocalServer
const at = (...names: string[]): string => join(dir, ...names)
const envOf = (env: Env): Env => ({
  ...{ MINTFOLD_DATA_DIR: at('data'), MINTFOLD_PORT: '0', MINTFOLD_CLICKHOUSE_PORT: '0', MINTFOLD_METRICS_PORT: '0' },
  ...env,
})
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-processes-'))
  chmodSync(tmpdir(), 0o711)
  chmodSync(dir, 0o711)
  mkdirSync(at('of-root'))
  mkdirSync(at('closed'), { mode: 0o700 })
  mkdirSync(at('mixed', 'log'), { recursive: true })
  for (const path of [at('mixed'), at('mixed', 'log')]) chmodSync(path, 0o777)
  writeFileSync(at('mixed', 'log', 'data.mdb'), '', { mode: 0o600 })
  writeFileSync(at('secret.env'), 'MINTFOLD_PORT=0', { mode: 0o600 })
  other = await startLocal(createServer((_request, response) => void response.writeHead(500).end('no')))
  // The first start writes the bundle of the program, which another user may not write.
  await start([BIN, '--version'], {}).ended
}, START_MS_MAX)
afterAll(async () => {
  await other.close()
  removeDirectory(dir)
})

interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<Ran>
  readonly text: () => string
}
const start = (program: readonly string[], env: Env, user: { readonly uid?: number; readonly gid?: number } = {}): Started => {
  const startedMs = performance.now()
  const child = spawn(process.execPath, ['--', ...program], {
    env: { PATH: process.env.PATH, HOME: dir, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...user,
  })
  const limit = setTimeout(() => child.kill('SIGKILL'), START_MS_MAX)
  let [out, stderr] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  const ended = new Promise<Ran>((resolve, reject) => {
    // For example, another user may not enter the folder of Node.
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(limit)
      resolve({ code: code ?? -1, out, stderr, ms: performance.now() - startedMs })
    })
  })
  return { child, ended, text: () => stderr }
}
/** Makes mistakes as another user, all in one process, whose start takes longer than all of them. Does not check how long each takes. */
const forceAs = async (mistakes: readonly Mistake[], user: object): Promise<readonly string[]> => {
  const commands = mistakes.flatMap(({ argv, env = {}, doctor }) => {
    const given = { PATH: process.env.PATH, HOME: dir, ...envOf(env) }
    return [{ argv, env: given }, ...(doctor === undefined ? [] : [{ argv: ['doctor', ...(doctor.args ?? [])], env: given }])]
  })
  const { child, ended } = start([COMMANDS], {}, user)
  child.stdin?.end(JSON.stringify(commands))
  const { code, out, stderr } = await ended
  if (code !== 0) return [`ended with ${code}: ${stderr}`]
  const all = (JSON.parse(out) as readonly Ran[]).map((ran) => ({ ...ran, ms: 0 }))
  return mistakes.flatMap((mistake) => [
    ...faultsOf(mistake, all.shift() as Ran),
    ...(mistake.doctor === undefined ? [] : doctorFaultsOf(mistake, all.shift() as Ran)),
  ])
}
const report = (count: number, what: string): boolean => process.stderr.write(`${count} mistakes forced: ${what}\n`)

test('ports and a directory in use: the command and doctor name each', async () => {
  const { port } = new URL(other.url)
  const free = String(await freePort())
  const log = await openLmdbLog({ dir: at('used', 'log'), partitions: 4 })
  mkdirSync(at('answers'))
  const control = await serveControl(at('answers'), { status: () => ({ pid: 7, version: '1', url: 'http://127.0.0.1:9' }) })
  const mistakes: readonly Mistake[] = [
    {
      what: 'API port',
      argv: RECORDED,
      env: { MINTFOLD_PORT: port },
      code: 3,
      messages: [port, 'MINTFOLD_PORT'],
      doctor: { message: /^not ok {2}port .*MINTFOLD_PORT/ },
    },
    {
      what: 'metrics port',
      argv: RECORDED,
      env: { MINTFOLD_METRICS_PORT: port },
      code: 3,
      messages: [port, 'MINTFOLD_METRICS_PORT'],
      doctor: { message: 'MINTFOLD_METRICS_PORT' },
    },
    {
      what: 'history port',
      argv: ['history'],
      env: { MINTFOLD_CLICKHOUSE_PORT: port },
      code: 3,
      messages: [port, 'MINTFOLD_CLICKHOUSE_PORT'],
      doctor: { message: 'MINTFOLD_CLICKHOUSE_PORT' },
    },
    {
      what: 'history port of up',
      argv: RECORDED,
      env: { MINTFOLD_CLICKHOUSE_PORT: port },
      code: 3,
      messages: [port, 'MINTFOLD_CLICKHOUSE_PORT'],
    },
    ...[
      { first: 'MINTFOLD_PORT', second: 'MINTFOLD_CLICKHOUSE_PORT' },
      { first: 'MINTFOLD_PORT', second: 'MINTFOLD_METRICS_PORT' },
      { first: 'MINTFOLD_CLICKHOUSE_PORT', second: 'MINTFOLD_METRICS_PORT' },
    ].map(({ first, second }): Mistake => {
      const message = `${first} and ${second} are both ${free}: set one of them`
      return { what: message, argv: RECORDED, env: { [first]: free, [second]: free }, code: 2, messages: [message], doctor: { message } }
    }),
    { what: 'sandbox port', argv: ['sandbox', '--port', port], code: 3, messages: [port] },
    {
      what: 'in use',
      argv: RECORDED,
      env: { MINTFOLD_DATA_DIR: at('used') },
      code: 3,
      messages: [`in use by process ${process.pid}`],
      doctor: { message: `held by process ${process.pid}` },
    },
    {
      what: 'answers',
      argv: RECORDED,
      env: { MINTFOLD_DATA_DIR: at('answers'), MINTFOLD_PORT: port },
      code: 3,
      messages: ['in use by process 7, which answers on http://127.0.0.1:9.'],
    },
  ]
  const faults: string[] = []
  for (const mistake of mistakes) {
    const env = envOf(mistake.env ?? {})
    faults.push(...faultsOf(mistake, await run(mistake.argv, env)))
    faults.push(...doctorFaultsOf(mistake, await run(['doctor'], env)))
  }
  await log.close()
  await control.close()
  expect(faults).toEqual([])
  report(mistakes.length, 'ports and directories in use')
})

const ofRoot = process.getuid?.() === 0 ? test : test.skip
ofRoot(
  'rights that another user lacks: each is named by the command and by doctor',
  async () => {
    const inDir = (path: string, message: string): readonly Mistake[] =>
      [RECORDED, ['history'], ['sandbox', '--port', '0']].map((argv) => ({
        what: `${argv[0]} in ${path}`,
        argv,
        env: { MINTFOLD_DATA_DIR: path },
        code: 3,
        messages: ['MINTFOLD_DATA_DIR', message],
        ...(argv === RECORDED && { doctor: { message } }),
      }))
    const mistakes: readonly Mistake[] = [
      ...inDir(at('of-root'), `${at('of-root')} is not writable for this user (uid ${NOBODY})`),
      ...inDir(at('new'), `${dir} is not writable for this user (uid ${NOBODY})`),
      ...inDir(at('closed', 'a'), `${at('closed')} cannot be entered by this user`),
      ...inDir(at('mixed'), 'belongs to uid 0'),
      {
        what: 'env file',
        argv: ['--env-file', at('secret.env'), 'up'],
        code: 2,
        messages: [at('secret.env'), 'cannot be read by this user'],
      },
      {
        what: 'out',
        argv: ['record', '--source', `recording:${LAUNCHES}`, '--out', at('of-root', 'r.avro')],
        code: 3,
        messages: ['cannot be written by this user'],
      },
    ]
    const user = { uid: NOBODY, gid: NOBODY }
    expect(await forceAs(mistakes, user)).toEqual([])
    const [first] = mistakes as readonly [Mistake]
    expect(faultsOf(first, { ...(await start([BIN, ...first.argv], envOf(first.env ?? {}), user).ended), ms: 0 })).toEqual([])
    report(mistakes.length, 'rights of another user')
  },
  600_000,
)

test('servers that `up` continues without: the log names each with its setting and what to do, and a stop ends it', async () => {
  const [fails, absent] = [other.url, 'http://127.0.0.1:1']
  const cases: readonly (readonly [env: Env, messages: readonly RegExp[]])[] = [
    [
      { CLICKHOUSE_URL: fails, SOLANA_RPC_URL: fails },
      [/CLICKHOUSE_URL/, /SOLANA_RPC_URL \(http:.*does not answer getSlot.*check that the address/],
    ],
    [{ CLICKHOUSE_URL: absent, SOLANA_RPC_URL: absent }, [/CLICKHOUSE_URL/, /SOLANA_RPC_URL .*check the address/]],
    [{ CLICKHOUSE_URL: absent, SOLANA_GRPC_URL: absent }, [/SOLANA_GRPC_URL .*check the address/]],
  ]
  const force = async ([env, messages]: (typeof cases)[number], index: number): Promise<readonly string[]> => {
    const given = envOf({ ...env, MINTFOLD_PAYMENTS: 'off', MINTFOLD_DATA_DIR: at(`goes-on-${index}`) })
    const { child, ended, text } = start([BIN, 'up', '--source', 'live:solana'], given)
    const hasAll = (): boolean => messages.every((message) => message.test(text()))
    while (!hasAll() && child.exitCode === null && child.signalCode === null) await new Promise((resolve) => setTimeout(resolve, 50))
    child.kill('SIGTERM')
    const { code, stderr } = await ended
    const isRight = hasAll() && code === 0 && !/a bug|\n\s+at /.test(stderr)
    return isRight ? [] : [`${JSON.stringify(env)}: ${code}\n${stderr.slice(-600)}`]
  }
  const faults = (await Promise.all(cases.map(force))).flat()
  expect(faults).toEqual([])
  report(cases.flatMap(([, messages]) => messages).length, 'servers that up goes on without')
})
