// `mintfold backtest` for a researcher: its output, its refusals, and its reports of faulty detectors.
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tapeBatchCodec } from '../../../schemas/codecs.ts'
import type { Graded, Summary } from '../../../topology/backtest/report-types.ts'
import { main } from '../../../topology/cli/main.ts'
import { createIo } from '../../../topology/cli/output/io.ts'
import { writeTape } from '../../../topology/sources/recording/tape-file.ts'
import { demoMarket } from '../../fixtures/backtest-market.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'
import { smallDisk } from '../../tools/small-disk.ts'
import { fakeEdges } from '../../unit/cli/fake-edges.ts'

const dir = mkdtempSync(join(tmpdir(), 'mintfold-backtest-'))
const file = (name: string): string => join(dir, name)
const TAPE = file('tape.avro')
const { tape } = demoMarket({ seed: 3, rate: 1, seconds: 5_400 })
const cut = Math.floor(tape.length / 6)
/** Its first quarter of an hour, for what does not depend on outcomes. */
const SHORT = file('short.avro')
beforeAll(async () => {
  await writeTape(TAPE, tape, tapeBatchCodec)
  await writeTape(SHORT, tape.slice(0, cut + 5), tapeBatchCodec)
  await writeTape(file('second.avro'), tape.slice(cut, 2 * cut), tapeBatchCodec)
  await writeTape(file('other.avro'), [{ ...(tape[cut + 4] as (typeof tape)[number]), hash8: 'AnOther1' }], tapeBatchCodec)
})
afterAll(() => removeDirectory(dir))
const disk = smallDisk('40k', 'full disk')

const backtest = async (...args: string[]) => {
  const edges = fakeEdges({})
  const code = await main(['backtest', ...args], createIo(edges))
  return { code, out: edges.written.stdout, stderr: edges.written.stderr }
}
const reportIn = (text: string): { readonly summary: Summary; readonly settings: readonly Graded[] } => {
  const [summary, ...settings] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  return { summary: summary as Summary, settings: settings as Graded[] }
}
const detector = (name: string, find: string, before = ''): string => {
  const path = file(`${name}.ts`)
  writeFileSync(
    path,
    `import { mintDetector, solOf, times } from 'mintfold/detector'\n${before}
export default mintDetector({
  id: '${name}', version: 1, flag: '${name.replaceAll('-', '_')}', firesWhen: 'the curve lost a part of its peak',
  settings: { percent: 50 },
  find: ({ curve, launch }, { percent }) => { ${find} },
})\n`,
  )
  return path
}
const FALLS =
  'return curve.quoteMint === null && curve.peakQuoteUnits > 1e9 && times(curve.realQuoteUnits, 100) <= times(curve.peakQuoteUnits, percent) ? { sol: solOf(curve.realQuoteUnits) } : undefined'

test('grades a detector from a file next to the shipped ones, with each setting, look-ahead and losses; the page agrees', async () => {
  const page = file('report.html')
  const { code, out, stderr } = await backtest(
    '--in',
    TAPE,
    '--detector',
    detector('falls', FALLS),
    '--set',
    'percent=20,50',
    '--out',
    page,
  )
  expect([code, stderr.includes('wrote the report to')]).toEqual([0, true])
  const { summary, settings } = reportIn(out)
  const [own20, own50] = settings.filter(({ detector: { tier } }) => tier === 'yours')
  const shipped = settings.find(({ name }) => name === 'curve-drained percent=20')
  expect(own20).toMatchObject({ name: 'falls percent=20', isDefault: false, lookAhead: { flips: 0 }, loss: { lostShare: 0.05 } })
  expect(own20?.lookAhead?.checked).toBeGreaterThan(50)
  expect([own20?.flagged, own20?.hits, own20?.late]).toEqual([shipped?.flagged, shipped?.hits, shipped?.late])
  expect(own50).toMatchObject({ name: 'falls percent=50', isDefault: true, settings: { percent: '50' } })
  expect(own50?.flagged).toBeGreaterThan(own20?.flagged ?? 0)
  expect(summary).toMatchObject({ chain: 'solana', input: [TAPE], isPartial: false, tried: settings.length })
  expect(summary.overfitting.map(({ detector: id }) => id)).toEqual(expect.arrayContaining(['falls', 'curve-drained']))
  const html = readFileSync(page, 'utf8')
  for (const { name } of settings) expect([name, html.includes(name)]).toEqual([name, true])
  const drained = settings.find(({ mistakes }) => mistakes.some(({ findingId }) => findingId !== null))
  expect(drained?.mistakes.find(({ findingId }) => findingId !== null)?.explain).toMatch(/^mintfold explain solana:\S+ --in /)
})

test('reports that a detector which keeps state uses future data, with exit code 1', async () => {
  const path = detector(
    'remembers',
    `seen.add(launch.bondingCurve); return seen.size > 10 && seen.size < 40 ? { n: 1 } : undefined`,
    'const seen = new Set<string>()\n',
  )
  const { code, out, stderr } = await backtest('--in', TAPE, '--detector', path)
  expect(code).toBe(1)
  expect(stderr).toContain('remembers USES FUTURE DATA')
  expect(reportIn(out).settings.at(-1)?.lookAhead?.flips).toBeGreaterThan(0)
})

describe('names wrong usage, and prints nothing', () => {
  const refused = async (args: readonly string[], ...messages: readonly string[]): Promise<void> => {
    const answer = await backtest(...args)
    expect([answer.code, answer.out]).toEqual([2, ''])
    for (const message of messages) expect(answer.stderr).toContain(message)
  }
  const FS = "import { readFileSync } from 'node:fs'\nvoid readFileSync\n"
  const WRONG: readonly { name: string; find: string; messages: readonly string[]; before?: string }[] = [
    { name: 'types', find: 'return curve.noSuchField === 1 ? { a: 1 } : undefined', messages: ['types.ts:', 'noSuchField'] },
    { name: 'throws', find: "if (curve.trades > 3) throw new Error('oh no'); return undefined", messages: ['throws', 'oh no', 'solana:'] },
    { name: 'writes', find: 'Object.assign(curve, { trades: 0 }); return undefined', messages: ['writes', 'solana:'] },
    { name: 'clock', find: 'return Date.now() > 0 ? { a: 1 } : undefined', messages: ['clock', 'Date'] },
    { name: 'reads', find: 'return undefined', messages: ['node:fs', 'pure function'], before: FS },
  ]
  test.each(WRONG)('a faulty detector: $name', async ({ name, find, messages, before }) => {
    await refused(['--in', SHORT, '--detector', detector(name, find, before)], ...messages)
  })
  test('a detector that never returns, with its file and position', async () => {
    const path = detector('loops', 'while (curve.trades > 5) {} return undefined')
    await refused(['--in', SHORT, '--detector', path], path, 'did not return within 5 s', 'solana:')
  })
  test.each([
    ['an unknown setting', ['--set', 'percnt=1'], ['percnt', 'the nearest is percent']],
    ['a fraction', ['--set', 'percent=1.5'], ['whole numbers']],
    [
      'too many settings',
      [
        '--set',
        `percent=${Array.from({ length: 100 }, (_, n) => n).join()}`,
        '--set',
        `peakLamports=${Array.from({ length: 99 }, (_, n) => n).join()}`,
      ],
      ['at most 1000'],
    ],
    ['a range without launches', ['--from', '2001-01-01', '--to', '2001-02-01'], ['no launch was seen between --from and --to', '2026-']],
    ['an invalid range', ['--from', '2026-02-01', '--to', '2026-01-01'], ['--from must be before --to']],
    ['no file', ['--detector', '/nowhere/mine.ts'], ['/nowhere/mine.ts']],
  ] as const)('%s', async (_what, args, messages) => {
    await refused(['--in', SHORT, ...args], ...messages)
  })
  test('a file with the id of a shipped detector, and how to grade the shipped one', async () => {
    const messages = ['two detectors have the id creator-sold', 'leave --detector out']
    await refused(['--in', SHORT, '--detector', detector('creator-sold', 'return undefined')], ...messages)
  })
  test('tapes that overlap, and tapes that contradict each other', async () => {
    await refused(['--in', SHORT, file('second.avro')], 'the tapes overlap', 'oldest first')
    await refused(['--in', SHORT, file('other.avro')], 'AnOther1', 'contradict')
  })
})

test('a report that cannot be written fails with its path, and leaves no partial file', async () => {
  const { code, stderr } = await backtest('--in', SHORT, '--out', join(dir, 'no', 'such', 'report.html'))
  expect([code, stderr.includes('its directory does not exist')]).toEqual([3, true])
  expect(existsSync(join(dir, 'no'))).toBe(false)
})

;(disk.isMounted ? test : test.skip)('reports a disk that fills up while the report is written, and leaves no partial file', async () => {
  const { code, out, stderr } = await backtest('--in', SHORT, '--out', join(disk.dir, 'report.html'))
  expect([code, stderr.includes('the disk is full')]).toEqual([3, true])
  expect(readdirSync(disk.dir)).toEqual([])
  expect(reportIn(out).summary.isPartial).toBe(false)
})
