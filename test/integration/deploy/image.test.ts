// The image without Docker: its file tree runs the program, as a user who may not write to it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { COPIED, execForm, givenImageTree, IMAGE_ENV, type ImageTree, REMOVED } from '../../tools/image-tree.ts'
import { ROOT } from '../../tools/project-files.ts'

let tree: ImageTree
let data: string
beforeAll(async () => {
  tree = await givenImageTree()
  data = tree.volume('data')
})
afterAll(() => tree.remove())

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}
const run = async (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> => {
  const [program = '', ...flags] = words
  const child = spawn(program === 'node' ? process.execPath : program, flags, {
    ...{ cwd: tree.dir, ...tree.user, stdio: ['ignore', 'pipe', 'pipe'] },
    env: { PATH: process.env.PATH, ...IMAGE_ENV, MINTFOLD_DATA_DIR: data, MINTFOLD_METRICS_PORT: '0', ...env },
  })
  const written = { out: '', err: '' }
  child.stdout?.on('data', (bytes: Buffer) => {
    written.out += bytes
  })
  child.stderr?.on('data', (bytes: Buffer) => {
    written.err += bytes
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...written }
}
const mintfold = (args: readonly string[], env = {}) => run([...execForm('ENTRYPOINT'), ...args], env)

const VERSION = (JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { version: string }).version

test('the entry point prints the version, and without a command the help', async () => {
  expect(await mintfold(['--version'])).toEqual({ code: 0, out: `${VERSION}\n`, err: '' })
  expect(await mintfold(execForm('CMD'))).toMatchObject({ code: 0, out: expect.stringContaining('process') })
})
test('doctor finds no fault, and nothing is written outside the data directory', async () => {
  const before = tree.listing()
  const env = { MINTFOLD_PAYMENTS: 'sandbox', MINTFOLD_HOST: '127.0.0.1', MINTFOLD_PORT: '0', MINTFOLD_CLICKHOUSE_PORT: '0' }
  const { code, out, err } = await mintfold(['doctor'], env)
  expect({ code, out: out.split('\n').filter((line) => line.startsWith('not ok')), err }).toEqual({
    code: 0,
    out: [],
    err: 'all is well\n',
  })
  expect(tree.listing()).toEqual(before)
})
test('a role that folds starts its threads, simulates and folds a market', async () => {
  const frames = ['--source', 'demo:solana', '--speed', 'max', '--history', '0', '--frames', '20', '--exit']
  const env = { MINTFOLD_PAYMENTS: 'off', MINTFOLD_PORT: '0', MINTFOLD_CLICKHOUSE_PORT: '0', MINTFOLD_FOLD_THREADS: '2' }
  const before = tree.listing()
  const { code, err } = await mintfold(['up', ...frames], env)
  expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' })
  expect(tree.listing()).toEqual(before)
})
test('health.mjs ends with 0 if the address answers 200, with 1 and the reason otherwise', async () => {
  const server = createServer((request, response) => response.writeHead(request.url === '/ready' ? 503 : 200).end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const health = (path: string) => run(['node', 'topology/cli/health.mjs', `${url}${path}`])
  expect(await health('/metrics')).toEqual({ code: 0, out: '', err: '' })
  expect(await health('/ready')).toMatchObject({ code: 1, err: expect.stringContaining('status 503') })
  server.close()
  await once(server, 'close')
  expect(await health('/metrics')).toMatchObject({ code: 1, err: expect.stringContaining('ECONNREFUSED') })
})
test('the flags of Node are those of npm start', () => {
  const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { scripts: { start: string } }
  expect(execForm('ENTRYPOINT').join(' ')).toBe(scripts.start.replace(/ up$/, ''))
})
test('the build context has everything that is copied, and no other folder', () => {
  const [first, ...kept] = readFileSync(`${ROOT}.dockerignore`, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  expect(first).toBe('*')
  const allowed = kept.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  expect(allowed.filter((path) => path !== 'deploy').sort()).toEqual([...COPIED].sort())
  expect(kept.filter((line) => !line.startsWith('!'))).toEqual(['deploy/*'])
})
test('bundler, compiler and the embedded ClickHouse are removed, and the user is not root', () => {
  expect([...REMOVED].sort()).toEqual(['.bin', '@chdb', '@esbuild', '@typescript', 'esbuild', 'typescript'])
  expect(readFileSync(`${ROOT}deploy/Dockerfile`, 'utf8')).toMatch(/^USER 1000:1000$/m)
})
