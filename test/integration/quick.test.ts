// `npm run test:quick` in a small project of its own, with git: planted faults are found, each by its part, and none hides another.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runProgram } from '../tools/program-run.ts'
import { ROOT } from '../tools/project-files.ts'
import { removeDirectory } from '../tools/remove-directory.ts'

const SECONDS_MAX = 200
const FILES = {
  '.gitignore': 'node_modules\n',
  'package.json': '{ "type": "module" }\n',
  'tsconfig.json': readFileSync(`${ROOT}tsconfig.json`, 'utf8'),
  'biome.json': readFileSync(`${ROOT}biome.json`, 'utf8'),
  'jest.config.mjs': "export default { transform: { '^.+\\\\.ts$': '@swc/jest' }, maxWorkers: 1 }\n",
  'topology/engine/sum.ts': 'export const sum = (a: number, b: number): number => a + b\n',
  'topology/engine/twice.ts': "import { sum } from './sum.ts'\n\nexport const twice = (a: number): number => sum(a, a)\n",
  'test/unit/twice.test.ts': "import { twice } from '../../topology/engine/twice.ts'\n\ntest('doubles', () => expect(twice(2)).toBe(4))\n",
  'test/unit/other.test.ts': "test('is unrelated', () => expect(1).toBe(1))\n",
  'test/tidy.test.ts': "test('is tidy', () => expect(1).toBe(1))\n",
  'test/simulation/hunt.ts': 'process.stdout.write(JSON.stringify({ tried: Number(process.argv[2]) }))\n',
}

const root = mkdtempSync(join(tmpdir(), 'mintfold-quick-'))
const write = (files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
const git = (...args: string[]): void => {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org']
  execFileSync('git', [...author, ...args], { cwd: root, stdio: 'ignore' })
}
const quick = async (...args: string[]): Promise<{ readonly status: number | null; readonly lines: readonly string[] }> => {
  const { status, printed } = await runProgram(root, ['--import', 'tsx', `${ROOT}test/tools/quick.ts`, ...args], SECONDS_MAX)
  return { status, lines: printed.trimEnd().split('\n') }
}

beforeAll(() => {
  write(FILES)
  mkdirSync(join(root, 'node_modules'))
  const packages = readdirSync(`${ROOT}node_modules`).filter((name) => name !== '.cache')
  for (const name of packages) symlinkSync(`${ROOT}node_modules/${name}`, join(root, 'node_modules', name))
  git('init', '-b', 'main')
  git('add', '.')
  git('commit', '-m', 'all')
})
afterAll(() => removeDirectory(root))

test('finds a wrong type, an untidy file, a wrong format, and a failing test that imports lead to', async () => {
  write({
    'topology/engine/sum.ts': 'export const sum = (a: number, b: number): number => a - b\n',
    'topology/engine/new.ts': "import type { A } from '../logs/a.ts'\n\nexport const mint: A = 1;\n",
  })
  const { status, lines } = await quick('--seconds', String(SECONDS_MAX))
  expect(status).toBe(1)
  expect(lines[0]).toBe('2 files have changed since HEAD: topology/engine/new.ts, topology/engine/sum.ts')
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^types +FAILED/),
      expect.stringMatching(/^ {2}topology\/engine\/new\.ts\(1,24\): error TS2307/),
      expect.stringMatching(/^tidy +FAILED/),
      expect.stringMatching(/^ {2}topology\/engine\/new\.ts imports topology\/logs\/a\.ts/),
      '  topology/engine/new.ts:3 names mint',
      expect.stringMatching(/^biome +FAILED/),
      expect.stringMatching(/^tests +FAILED .*: 0 of 1 files passed, 1 failed$/),
      expect.stringMatching(/^simulation +passed .*: 8 seeds from \d+$/),
    ]),
  )
  expect(lines.at(-1)).toMatch(/^FAILED in [\d.]+ s: (?=.*types)(?=.*tidy)(?=.*biome)(?=.*tests)/)
})

test('checks only tidy and the simulation if nothing has changed, and the commits since a branch on request', async () => {
  git('stash', '--include-untracked')
  const { status, lines } = await quick('--seconds', String(SECONDS_MAX))
  expect([status, lines.length, lines[0]]).toEqual([0, 4, 'nothing has changed since HEAD: only tidy and the simulation'])
  expect(lines).toContainEqual(expect.stringMatching(/^tests +passed .*: 1 of 1 files passed/))
  git('checkout', '-b', 'branch')
  git('stash', 'pop')
  git('add', '.')
  git('commit', '-m', 'wrong')
  const branch = await quick('--seconds', '0', '--against', 'main')
  expect([branch.status, branch.lines[0]?.split(':')[0]]).toEqual([1, '2 files have changed since the common ancestor with main'])
  expect(branch.lines).toContainEqual(expect.stringMatching(/^ +left out: the farthest 1, .* from test\/unit\/twice\.test\.ts$/))
})
