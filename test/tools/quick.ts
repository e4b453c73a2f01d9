// Checks what a change needs, within a minute: `npm run test:quick [-- --against REF] [--seconds N]`. test/README.md says when to run what.
// It works on the project in the current folder.
import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { program } from 'commander'
import { messageOf } from '../../schemas/errors.ts'
import { type ProgramRun, runProgram } from './program-run.ts'
import { Imports } from './related.ts'
import { removeDirectory } from './remove-directory.ts'
import { labelFaults } from './tidy/imports.ts'
import { faultsBy, isSource, SOURCE_RULES, TEXT_RULES } from './tidy/rules.ts'
import { parseSource, type Source } from './tidy/source.ts'

const SIMULATION_S = { long: 8, short: 2 }
const PROGRAM_S_MAX = 300
/** Related tests of these kinds are run, except on Kafka; the others take minutes. */
const FAST = /^test\/(?:unit|property|contract)\/(?!.*kafka)/
/** What `test/documents.test.ts` and the rules of tidy that concern several files depend on. */
const OF_DOCUMENTS = [
  /\.md$|^package\.json$|^topology\/cli\/|^query-api\/(?:guides|discovery)\//,
  /^test\/(?:documents\.test|soak\/main|tools\/(?:documents|sql-guide|first-questions))/,
]
const OF_TIDY = /^(?:package(?:-lock)?\.json|\.npmrc|test\/README\.md|test\/tidy\.test\.ts|test\/tools\/tidy\/.*)$/

program
  .option('--against <ref>', 'compare with the common ancestor of this commit and HEAD', 'HEAD')
  .option('--seconds <n>', 'end tests this long after the start: the rest of the minute is for slow cores', '40')
  .parse()
const { against, seconds: testsS } = program.opts<{ readonly against: string; readonly seconds: string }>()

const root = process.cwd()
const cache = join(root, 'node_modules/.cache/quick')
const secondsNow = (): number => Math.round(performance.now() / 100) / 10
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const failed: string[] = []

/** Prints the result of a part at once; `output` only if it failed. */
const report = (name: string, isPassed: boolean, detail: string, output: string): void => {
  print(`${name.padEnd(12)}${isPassed ? 'passed' : 'FAILED'}  ${detail}`)
  if (isPassed) return
  failed.push(name)
  print(output.trimEnd().replace(/^/gm, '  '))
}

const git = (...args: string[]): string[] => {
  const output = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  return output.split('\0').filter((path) => path !== '')
}
/** Changed, deleted and new files; of a renamed one both names. */
const changedFiles = (): readonly string[] => {
  const base = against === 'HEAD' ? against : (git('merge-base', against, 'HEAD')[0] ?? against).trim()
  const changed = git('diff', '--name-only', '--no-renames', '--relative', '-z', base)
  return [...new Set([...changed, ...git('ls-files', '--others', '--exclude-standard', '-z')])].sort()
}

const run = (args: readonly string[], secondsMax = PROGRAM_S_MAX, env = {}): Promise<ProgramRun> =>
  runProgram(root, args, secondsMax, { FORCE_COLOR: '0', ...env })
const reportRun = (name: string, { status, seconds, printed, output }: ProgramRun, detail = ''): void =>
  report(name, status === 0, `in ${seconds} s${detail}`, `${printed}${output}`)

/** All files are checked, but the compiler skips those that no change can affect: its cache has them. */
const checkTypes = async (): Promise<void> => {
  const file = join(cache, 'types.tsbuildinfo')
  if (!existsSync(file)) print('types       first run here: nothing is cached yet, it takes up to half a minute longer')
  const flags = ['-p', 'tsconfig.json', '--pretty', 'false', '--incremental', '--tsBuildInfoFile', file]
  reportRun('types', await run(['node_modules/typescript/bin/tsc', ...flags]))
}
const checkFormat = async (existing: readonly string[]): Promise<void> => {
  const flags = ['ci', '--colors=off', '--error-on-warnings', '--no-errors-on-unmatched']
  if (existing.length > 0) reportRun('biome', await run(['node_modules/@biomejs/biome/bin/biome', ...flags, ...existing]))
}
const simulate = async (seconds: number): Promise<void> => {
  const seed = randomInt(1_000_000)
  const ended = await run(['--import', 'tsx', 'test/simulation/hunt.ts', String(seconds), String(seed)])
  const { tried, seed: broken } = JSON.parse(ended.printed || '{}') as { readonly tried?: number; readonly seed?: number }
  const again = broken === undefined ? '' : `; again: npm run soak -- simulation 1 ${broken}`
  reportRun('simulation', ended, `: ${tried === undefined ? `from seed ${seed}${again}` : `${tried} seeds from ${seed}`}`)
}

const checkTidy = (existing: readonly string[], imports: Imports): void => {
  const texts = existing.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  const faults = TEXT_RULES.flatMap((rule) => faultsBy(rule, texts))
  const parsed = (files: typeof texts): Source[] =>
    files.flatMap(({ path, text }) => {
      try {
        return [parseSource(path, text)]
      } catch (failure) {
        faults.push(`${path}: ${messageOf(failure)}`)
        return []
      }
    })
  const sources = parsed(texts.filter(({ path }) => isSource(path)))
  faults.push(...SOURCE_RULES.flatMap((rule) => faultsBy(rule, sources)))
  const isProcessor = (path: string): boolean => path.startsWith('processors/')
  if (existing.some(isProcessor)) faults.push(...labelFaults(parsed(imports.files(isProcessor))))
  report('tidy', faults.length === 0, `${existing.length} files`, faults.join('\n'))
}

/** Runs these test files in their order, until the time is over. */
const runTests = async (files: readonly string[]): Promise<void> => {
  if (files.length === 0) return print('tests       none is related')
  const dir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'mintfold-quick-'))
  // The one that jest has by default: it depends on TMPDIR.
  const jestCache = join(tmpdir(), `jest${process.getuid === undefined ? '' : `_${process.getuid().toString(36)}`}`)
  const sequencer = fileURLToPath(new URL('as-given.cjs', import.meta.url))
  const flags = ['--silent', '--reporters=default', `--cacheDirectory=${jestCache}`, `--testSequencer=${sequencer}`, '--runTestsByPath']
  const ended = await run(['node_modules/jest/bin/jest.js', ...flags, ...files], Number(testsS) - secondsNow(), { TMPDIR: dir })
  removeDirectory(dir)
  const named = (verdict: string): Set<string> =>
    new Set([...ended.output.matchAll(new RegExp(`^${verdict} (\\S+)`, 'gm'))].map(([, path = '']) => path))
  const [passes, fails] = [named('PASS'), named('FAIL')]
  const left = files.filter((path) => !passes.has(path) && !fails.has(path))
  const isPassed = fails.size === 0 && (ended.status === 0 || (ended.status === null && passes.size > 0))
  const output = ended.output.replace(/^PASS .*\n/gm, '')
  report('tests', isPassed, `in ${ended.seconds} s: ${passes.size} of ${files.length} files passed, ${fails.size} failed`, output)
  if (left.length === 0) return
  writeFileSync(join(cache, 'left-out.txt'), `${left.join('\n')}\n`)
  print(`            left out: the farthest ${left.length}, which need more time, from ${left[0]}`)
  print('            run them by: xargs npx jest --runTestsByPath <node_modules/.cache/quick/left-out.txt')
}

const testsFor = (changed: readonly string[], imports: Imports): readonly string[] => {
  const whole = changed.length === 0 || changed.some((path) => OF_TIDY.test(path)) ? ['test/tidy.test.ts'] : []
  const documents = changed.some((path) => OF_DOCUMENTS.some((pattern) => pattern.test(path))) ? ['test/documents.test.ts'] : []
  return [...whole, ...documents, ...imports.tests(changed, (path) => FAST.test(path))]
}

const main = async (): Promise<void> => {
  mkdirSync(cache, { recursive: true })
  const changed = changedFiles()
  const existing = changed.filter((path) => existsSync(join(root, path)))
  const since = against === 'HEAD' ? 'since HEAD' : `since the common ancestor with ${against}`
  if (changed.length === 0) print(`nothing has changed ${since}: only tidy and the simulation`)
  else print(`${changed.length} files have changed ${since}: ${changed.slice(0, 5).join(', ')}${changed.length > 5 ? ', ...' : ''}`)
  const imports = new Imports(root)
  const simulated = imports.reached((path) => path.startsWith('topology/engine/'))
  const isSimulated = changed.some((path) => simulated.has(path) || path.startsWith('test/simulation/'))
  const others = async (): Promise<void> => {
    if (changed.length > 0) await checkTypes()
    await checkFormat(existing)
    await simulate(isSimulated ? SIMULATION_S.long : SIMULATION_S.short)
  }
  const running = others()
  if (existing.length > 0) checkTidy(existing, imports)
  await Promise.all([running, runTests(testsFor(changed, imports))])
  const slow = changed.filter((path) => path.endsWith('.test.ts') && !FAST.test(path) && existsSync(join(root, path)))
  if (slow.length > 0) print(`            changed tests that take longer: npx jest ${slow.join(' ')}`)
  print(failed.length === 0 ? `passed in ${secondsNow()} s` : `FAILED in ${secondsNow()} s: ${failed.join(', ')}`)
  if (failed.length > 0) process.exitCode = 1
}
await main()
