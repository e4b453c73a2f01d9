// No user of the SQL port gets the content of a file, in any of 280 ways; each of the three walls is enough alone.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Access, accessFor, OWNER, READER, targetAs } from '../../../topology/history/engine/access.ts'
import { refusesFiles } from '../../../topology/history/engine/engine.ts'
import { configXml, usersXml } from '../../../topology/history/engine/engine-config.ts'
import { freePort } from '../../tools/free-port.ts'
import { startLocal } from '../../tools/local-server.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'
import { until } from '../../tools/until.ts'
import { describeEngine, type GivenEngine, givenEngine } from '../history-server-given.ts'
import { basicOf, DATABASE, type GivenSecret, givenSecret, headersOf, send, TABLES } from './given.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const CHILD = join(ROOT, 'topology/history/engine/clickhouse-child.cjs')
const FUNCTION = 'CREATE FUNCTION file AS (path) -> throwIf(1)\n'

let secret: GivenSecret
beforeAll(() => {
  secret = givenSecret()
})
afterAll(() => secret.remove())

const through = async (url: string, login: Readonly<Record<string, string>>): Promise<readonly unknown[]> => {
  const got: unknown[] = []
  for (const attempt of secret.attacks('read-a-file')) if (secret.isIn(await send(url, attempt, login))) got.push(attempt)
  return got
}

describeEngine('a statement that reads a file', () => {
  let given: GivenEngine
  beforeAll(async () => {
    given = await givenEngine()
    for (const statement of TABLES.slice(1)) await given.client.command(statement)
  })
  afterAll(() => given.remove())

  test.each([READER, OWNER] as const)('gives %s nothing', async (user) => {
    const target = given.server.target(user)
    expect(await send(target.url, { body: 'SELECT count() FROM mintfold.launches' }, headersOf(target))).toMatchObject({ text: '1000\n' })
    expect(await through(target.url, headersOf(target))).toEqual([])
  })
  test('gives a reader with Basic authentication nothing', async () => {
    const target = given.server.target(READER)
    expect(await send(target.url, { body: 'SELECT 1' }, basicOf(target))).toMatchObject({ status: 200 })
    expect(await through(target.url, basicOf(target))).toEqual([])
  })
})

interface Wall {
  readonly functions: boolean
  /** Replacements in the text of the engine's process, which must have the text. */
  readonly child: ReadonlyArray<readonly [string, string]>
}
const NO_LANDLOCK = ["if (process.platform !== 'linux') return false", 'if (process.platform) return false'] as const
const WALLS: Readonly<Record<string, Wall>> = {
  'the function of that name': {
    functions: true,
    child: [
      ["if (process.platform !== 'linux') return false", 'if (process.platform) return true'],
      ['else if (await isOpen()) fail(', 'else if (false) fail('],
    ],
  },
  'the removed working directory': { functions: false, child: [NO_LANDLOCK] },
  ...(process.platform === 'linux' && { Landlock: { functions: false, child: [] } }),
}

/** An engine that starts with one wall, on its own files. */
const startWith = async (dir: string, { functions, child }: Wall) => {
  const [data, own] = [join(dir, 'data'), join(dir, 'own')]
  mkdirSync(join(data, 'user_defined'), { recursive: true })
  mkdirSync(own)
  if (functions) writeFileSync(join(data, 'user_defined', 'function_file.sql'), FUNCTION)
  let text = readFileSync(CHILD, 'utf8')
  for (const [from, to] of child) {
    if (!text.includes(from)) throw new Error(`the engine's process has no text ${from}`)
    text = text.replace(from, to)
  }
  const port = await freePort()
  const access = accessFor(dir, { url: `http://127.0.0.1:${port}`, database: DATABASE })
  const config = { access, views: ['launches'], hosts: [] }
  const usersPath = join(own, 'users.xml')
  writeFileSync(usersPath, usersXml(config))
  writeFileSync(join(own, 'config.xml'), configXml(config, usersPath))
  // Beside the directories that it may read.
  const program = join(dir, 'child.cjs')
  writeFileSync(program, text)
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'))
  return {
    access,
    engine: spawn(process.execPath, [program, data, own, String(port)], { stdio: ['ignore', 'ignore', 'inherit', 'pipe'], env: {} }),
  }
}
const fill = async (access: Access): Promise<void> => {
  const writer = headersOf(access)
  await until(async () => (await send(access.url, { body: 'SELECT 1' }, writer)).status === 200)
  for (const body of TABLES) expect(await send(access.url, { body }, writer)).toMatchObject({ status: 200 })
}

describeEngine('without the other walls', () => {
  test.each(Object.entries(WALLS))('%s is enough', async (_name, wall) => {
    const dir = mkdtempSync(join(tmpdir(), 'mintfold-wall-'))
    const { access, engine } = await startWith(dir, wall)
    try {
      await fill(access)
      expect(await through(access.url, headersOf(targetAs(access, READER)))).toEqual([])
    } finally {
      engine.kill('SIGKILL')
      removeDirectory(dir)
    }
  })
})

test.each([
  ['reads the file', 200, readFileSync(CHILD, 'utf8'), false],
  ['answers nothing known', 500, 'Code: 1. DB::Exception: something else', false],
  ['refuses it by the function', 500, 'Code: 395. DB::Exception: this history reads no files', true],
])('an engine that %s is recognized at its start', async (_what, status, text, isRefused) => {
  const fake = await startLocal(createServer((_request, response) => void response.writeHead(status).end(text)))
  const access = accessFor(secret.dir, { url: fake.url, database: DATABASE })
  expect(await refusesFiles(access)).toBe(isRefused)
  await fake.close()
  expect(await refusesFiles(access)).toBeUndefined()
})
