// How TypeScript programs start: from a bundle, which is rebuilt when one of its inputs has changed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { RUN } from '../tools/run.ts'

const BUNDLES = 'node_modules/.cache/mintfold'
let dir: string
const write = (name: string, text: string): void => writeFileSync(join(dir, name), text)
const nameOf = (): string => basename(dir)

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}
const run = async (...args: string[]): Promise<Ran> => {
  const child = spawn(process.execPath, [...RUN, join(dir, `${nameOf()}.ts`), ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const written = { out: '', err: '' }
  child.stdout.on('data', (bytes: Buffer) => {
    written.out += bytes
  })
  child.stderr.on('data', (bytes: Buffer) => {
    written.err += bytes
  })
  const [code] = (await once(child, 'close')) as [number]
  return { code, ...written }
}
const home = (): string => readdirSync(BUNDLES).find((name) => name.startsWith(nameOf())) ?? 'none'
const bundles = (): string[] => readdirSync(join(BUNDLES, home())).filter((name) => name !== 'newest.json')

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'loaded-'))
  write(`${nameOf()}.ts`, `import { word } from './word.ts'\nconsole.log(word satisfies string, process.argv.slice(2).join())\n`)
  write('word.ts', `export const word: string = 'one'\n`)
})
afterEach(() => {
  for (const path of [dir, join(BUNDLES, home())]) rmSync(path, { recursive: true, force: true })
})

test('runs a program with its arguments, the second time from the same bundle', async () => {
  expect(await run('a', 'b')).toEqual({ code: 0, out: 'one a,b\n', err: '' })
  const made = bundles()
  expect(made).toHaveLength(1)
  expect(await run()).toEqual({ code: 0, out: 'one \n', err: '' })
  expect(bundles()).toEqual(made)
  // Another user of the machine runs it too.
  expect(statSync(join(BUNDLES, home(), made[0] as string)).mode & 0o777).toBe(0o755)
})
test('runs a change of an imported file; after a revert, the earlier bundle', async () => {
  await run()
  write('word.ts', `export const word: string = 'two'\n`)
  expect(await run()).toMatchObject({ out: 'two \n' })
  write('word.ts', `export const word: string = 'one'\n`)
  expect(await run()).toMatchObject({ out: 'one \n' })
  expect(bundles()).toHaveLength(2)
})
test('runs a change that leaves size and time of a file as they were, right after it was bundled', async () => {
  await run()
  const { atime, mtime } = statSync(join(dir, 'word.ts'))
  write('word.ts', `export const word: string = 'two'\n`)
  utimesSync(join(dir, 'word.ts'), atime, mtime)
  expect(await run()).toMatchObject({ out: 'two \n' })
})
test('runs another version of a package after an update', async () => {
  const install = (version: string): void => {
    write('node_modules/says/package.json', JSON.stringify({ name: 'says', version, main: 'says.js' }))
    write('node_modules/says/says.js', `exports.version = '${version}'\n`)
  }
  mkdirSync(join(dir, 'node_modules/says'), { recursive: true })
  write(`${nameOf()}.ts`, `import { version } from 'says'\nconsole.log(version satisfies string)\n`)
  install('1.0.0')
  expect(await run()).toMatchObject({ out: '1.0.0\n' })
  install('1.0.1')
  expect(await run()).toMatchObject({ out: '1.0.1\n' })
  expect(bundles()).toHaveLength(2)
})
test('a program that is started several times at once without a bundle runs each time, and one bundle stays', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => run()))
  expect(all).toEqual(Array(5).fill({ code: 0, out: 'one \n', err: '' }))
  expect(bundles()).toHaveLength(1)
})
test('names the place of a syntax error, and runs the corrected file', async () => {
  write('word.ts', 'export const word = =\n')
  const { code, err } = await run()
  expect(code).toBe(1)
  expect(bundles()).toEqual([])
  expect(err).toMatch(/word\.ts:1:20: ERROR: Unexpected "="/)
  write('word.ts', `export const word: string = 'repaired'\n`)
  expect(await run()).toMatchObject({ code: 0, out: 'repaired \n' })
})
test('names a directory that cannot be written, and what to do', async () => {
  await run()
  const bundle = join(BUNDLES, home())
  rmSync(bundle, { recursive: true })
  writeFileSync(bundle, '')
  const { code, err } = await run()
  expect(code).toBe(1)
  expect(err).toContain('Make that folder writable')
})
test('rebuilds the bundle if the list of its inputs is damaged', async () => {
  await run()
  writeFileSync(join(BUNDLES, home(), 'newest.json'), '{"bundle":')
  expect(await run()).toMatchObject({ code: 0, out: 'one \n' })
})
test('the trace of a failure names the line of the TypeScript', async () => {
  write('word.ts', `interface Nothing {}\nexport const word: string = (null as unknown as Nothing & { read(): string }).read()\n`)
  const { code, err } = await run()
  expect(code).toBe(1)
  expect(err).toMatch(/word\.ts:2:/)
})
