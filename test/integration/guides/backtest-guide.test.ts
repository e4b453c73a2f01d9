// The guide for authors of detectors: runs every block of it, in order, over fewer hours of the demo.
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { main } from '../../../topology/cli/main.ts'
import { createIo } from '../../../topology/cli/output/io.ts'
import { INSTALL_MS_MAX, isPythonAsked, pythonWith } from '../../services/python.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'
import { until } from '../../tools/until.ts'
import { type FakeEdges, fakeEdges } from '../../unit/cli/fake-edges.ts'

const GUIDE = readFileSync(new URL('../../../query-api/guides/backtest.md', import.meta.url), 'utf8')
/** The same as in the test of day files, so both share one environment. */
const READERS = ['duckdb==2.0.1', 'pandas==3.1.1', 'pyarrow==26.0.1']

interface Block {
  readonly language: string
  /** The file that the preceding text names for it. */
  readonly file: string | undefined
  readonly text: string
}
const blocks: readonly Block[] = [...GUIDE.matchAll(/(?:[Ss]ave this as `([\w.-]+)`[^\n]*\n\n)?```(\w+)\n([\s\S]*?)\n```/g)].map(
  ([, file, language = '', text = '']) => ({ language, file, text }),
)
const commands = blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.split('\n'))

const dir = mkdtempSync(join(tmpdir(), 'mintfold-guide-'))
const at = (name: string): string => join(dir, name)
afterAll(() => removeDirectory(dir))

interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}
/** Words of the guide that name files in its own folder. */
const OWN = /^(demo\.tape|again\.tape|dev-heavy\.ts|report\.html|days|predictions\.csv)$/
const argsOf = (command: string): readonly string[] => {
  const [, args = ''] = /^npx mintfold (.*?)(?: > (\S+))?$/.exec(command) ?? []
  return args.split(' ').map((word) => (OWN.test(word) ? at(word) : word))
}
/** Runs a line as the guide has it; `whileRunning` gets the output. */
const run = async (command: string, whileRunning: (edges: FakeEdges) => Promise<void> = async () => {}): Promise<Ran> => {
  const edges = fakeEdges()
  const running = main(argsOf(command), createIo(edges))
  await whileRunning(edges)
  const code = await running
  const into = / > (\S+)$/.exec(command)?.[1]
  if (into !== undefined) writeFileSync(at(into), edges.written.stdout)
  return { code, ...edges.written }
}
/** The line of the guide that begins with these words. */
const lineOf = (start: string): string => {
  const found = commands.filter((one) => one.startsWith(`npx mintfold ${start}`))
  expect(found).toHaveLength(1)
  return found[0] as string
}
const linesIn = (name: string): readonly Record<string, unknown>[] =>
  readFileSync(at(name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

test('every block of the guide is known to this test', () => {
  const known = [
    'record --tape',
    'dev ',
    'backtest ',
    'replay demo.tape --print flags',
    'explain ',
    'why ',
    'replay demo.tape --print outcomes',
  ]
  expect(commands.map((line) => line.replace('npx mintfold ', ''))).toEqual(
    [...known, 'export ', 'import ', 'grade '].map((start) => expect.stringMatching(`^${start}`)),
  )
  expect(blocks.filter(({ language }) => language !== 'sh').map(({ language, file }) => [language, file])).toEqual([
    ['ts', 'dev-heavy.ts'],
    ['python', undefined],
    ['csv', 'predictions.csv'],
  ])
  for (const { file, text } of blocks) if (file !== undefined) writeFileSync(at(file), `${text}\n`)
})

test('the demo tape, and a detector run on it from save to save', async () => {
  const line = lineOf('record --tape')
  expect(line).toContain(' --history 12 ')
  expect((await run(line.replace('--history 12', '--history 1.2 --rate 0.3'))).code).toBe(0)
  const { code, stdout, stderr } = await run(`${lineOf('dev ')} --port 0`, async ({ written, signal }) => {
    const seen = (): string => written.stdout + written.stderr
    await until(() => written.stdout.includes('save 1: dev-heavy'), { seen })
    writeFileSync(at('dev-heavy.ts'), readFileSync(at('dev-heavy.ts'), 'utf8').replace('percent: 50', 'percent: 25'))
    await until(() => /save 2: dev-heavy[\s\S]*since the previous save: /.test(written.stdout), { seen })
    signal('SIGINT')
  })
  expect(code).toBe(0)
  expect(stderr).toContain('the page: http://127.0.0.1:')
  expect(stdout).toMatch(/ [1-9]\d* findings in [1-9]\d* launches/)
})

test('its grades: a line for each setting, a page, and no look-ahead', async () => {
  const { code, stderr } = await run(lineOf('backtest '))
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  const [summary, ...settings] = linesIn('report.jsonl')
  expect(summary).toMatchObject({ type: 'summary', delayS: 5, isPartial: false })
  const own = settings.filter(({ name }) => /^dev-heavy /.test(String(name)))
  expect(own.map(({ name }) => name)).toEqual([10, 25, 50, 75].map((percent) => `dev-heavy percent=${percent}`))
  for (const one of own) expect(one).toMatchObject({ lookAhead: { flips: 0 }, loss: { lostShare: 0.05 } })
  expect(readFileSync(at('report.html'), 'utf8')).toMatch(/^<!doctype html>/i)
})

test('what a finding rests on, what changed a field, and outcomes', async () => {
  expect((await run(lineOf('replay demo.tape --print flags'))).code).toBe(0)
  const { id, mint } = linesIn('flags.jsonl')[0] as { readonly id: string; readonly mint: string }
  const explained = await run(lineOf('explain ').replace('FINDING_ID', id))
  expect([explained.code, JSON.parse(explained.stdout)]).toEqual([0, expect.objectContaining({ finding_id: id, recomputed: 'same' })])
  const why = await run(lineOf('why ').replace('MINT', mint))
  expect([why.code, why.stdout]).toEqual([0, expect.stringMatching(/^solana:\S+\t2026-/)])
  expect((await run(lineOf('replay demo.tape --print outcomes'))).code).toBe(0)
  expect(linesIn('outcomes.jsonl')[0]).toMatchObject({ type: 'outcome', rugged: expect.any(Boolean) })
})

test('day files of the tape, and the tape of them again, to the byte; predictions graded', async () => {
  expect((await run(lineOf('export '))).code).toBe(0)
  expect((await run(lineOf('import '))).code).toBe(0)
  const again = await run('npx mintfold export --tape again.tape --out days-again'.replace('days-again', at('days-again')))
  expect(again.code).toBe(0)
  const [day = ''] = readdirSync(at('days/solana/tape'))
  expect(readFileSync(at(`days-again/solana/tape/${day}`)).equals(readFileSync(at(`days/solana/tape/${day}`)))).toBe(true)
  expect(statSync(at('again.tape')).size).toBeGreaterThan(10_000)
  const graded = await run(lineOf('grade '))
  expect([graded.code, JSON.parse(graded.stdout.split('\n')[0] ?? '')]).toEqual([0, expect.objectContaining({ rows: 4, positives: 2 })])
})

const reads = isPythonAsked ? test : test.skip
if (!isPythonAsked)
  process.stderr.write('SKIPPED: the guide in pandas and DuckDB: set PYTHON_TESTS=yes to run it in a virtual environment\n')
reads(
  'pandas and DuckDB read what was printed',
  async () => {
    const python = await pythonWith(READERS)
    const code = blocks.find(({ language }) => language === 'python')?.text ?? ''
    const { stdout } = await promisify(execFile)(python, ['-c', code], { cwd: dir })
    expect(stdout).toMatch(/dev-heavy percent=25 +\d+/)
    expect(stdout).toMatch(/creator_sold/)
  },
  INSTALL_MS_MAX,
)
