// Files that a referee must not grade: each is named with its line and column, exit code 2, and nothing is printed.
import { join } from 'node:path'
import { Gathered } from '../../../../topology/cli/commands/grade/predictions.ts'
import { LINE_CHARS_MAX, readPredictions } from '../../../../topology/cli/commands/grade/read.ts'
import { SeenRows } from '../../../../topology/cli/commands/grade/seen-rows.ts'
import { csvOf, givenFiles, HEADER, predictions, run } from './given.ts'

const files = givenFiles()
afterAll(() => files.end())

const GOOD = 'm1,0,0.5,1792065600'
const file = (...lines: string[]): string => `${[HEADER, ...lines].join('\n')}\n`
/** What is wrong, the text, and the message after the path. */
const WRONG: readonly (readonly [what: string, text: string | Uint8Array, message: string | RegExp])[] = [
  ['an empty file', '', ' is empty: it must begin with a line mint,label,probability,time'],
  ['only a header', `${HEADER}\n`, ' has a header but no rows'],
  [
    'a missing column',
    'mint,label,odds,time\n',
    ", line 1: there is no column 'probability', which is required; the header has 'mint', 'label', 'odds', 'time'",
  ],
  ['a column in capitals', 'Mint,label,probability,time\n', ", line 1: there is no column 'mint'"],
  ['a duplicate column', 'mint,label,probability,time,label\n', ", line 1: column 'label' occurs 2 times"],
  [
    'a probability above 1',
    file(GOOD, 'm2,1,1.01,1792065601'),
    ", line 3, column 'probability': it is '1.01', but must be a number from 0 to 1",
  ],
  ['a probability below 0', file('m2,1,-0.1,1792065601'), ", line 2, column 'probability': it is '-0.1'"],
  ['not a number', file('m2,1,NaN,1792065601'), ", line 2, column 'probability': it is 'NaN'"],
  ['a hexadecimal number', file('m2,1,0x1,1792065601'), ", line 2, column 'probability': it is '0x1'"],
  ['an empty probability', file('m2,1,,1792065601'), ", line 2, column 'probability': it is ''"],
  ['an unknown label', file('m2,yes,0.5,1792065601'), ", line 2, column 'label': it is 'yes', but must be 0, 1, false or true"],
  ['an empty mint', file(',1,0.5,1792065601'), ", line 2, column 'mint': it is empty"],
  ['an overlong mint', file(`${'m'.repeat(129)},1,0.5,1792065601`), ", line 2, column 'mint': it has 129 characters"],
  [
    'a time in milliseconds',
    file('m2,1,0.5,1792065601000'),
    ", line 2, column 'time': it is '1792065601000', but must be unix seconds or a date",
  ],
  ['an impossible date', file('m2,1,0.5,2026-02-30'), ", line 2, column 'time': it is '2026-02-30'"],
  ['a time as text', file('m2,1,0.5,yesterday'), ", line 2, column 'time': it is 'yesterday'"],
  [
    'the same mint and time',
    file(GOOD, 'm2,0,0.5,1792065600', 'm1,1,0.7,2026-10-15T12:00:00Z'),
    ", line 4, columns 'mint' and 'time': the same mint and time as on line 2",
  ],
  ['an overlong line', file(`m2,1,0.5,${'1'.repeat(LINE_CHARS_MAX)}`), `, line 2 has more than ${LINE_CHARS_MAX} characters`],
  [
    'too few values',
    file('m2,1', GOOD),
    ", line 2, column 'probability': there is no value (the line has 2 values, the header 4): write a value for each",
  ],
  [
    'too few values on a complete last line',
    file(GOOD, 'm2,1'),
    ", line 3, column 'probability': there is no value (the line has 2 values, the header 4): write a value for each",
  ],
  [
    'too many values',
    file('m,2,1,0.5,1792065601'),
    ', line 2: the line has 5 values, the header 4: put a value that has a comma in quotes',
  ],
  [
    'a truncated last line',
    file(GOOD, 'm2,1,0.5').trimEnd(),
    ", line 3, column 'time': there is no value (the line has 3 values, the header 4): the file is truncated in this line",
  ],
  ['a last line truncated in its time', file(GOOD, 'm2,1,0.5,17920656').trimEnd(), ", line 3, column 'time': it is '17920656'"],
  ['a last line truncated within quotes', file(GOOD, 'm2,1,0.5,"1792').trimEnd(), ", line 3, column 'time': the file ends within quotes"],
  ['a quote inside a value', file(GOOD, 'm2,1,0.5,17"92'), ", line 3, column 'time': a quote is not allowed here"],
  ['bytes that are not text', Uint8Array.from({ length: 64 }, (_, at) => (at * 37) % 256), ", line 1: there is no column 'mint'"],
]

describe('an invalid file', () => {
  test.each(WRONG)('%s is reported', async (_what, text, message) => {
    const path = files.path(text)
    const { code, out, stderr } = await run(path)
    expect([code, out]).toEqual([2, ''])
    expect(stderr).toContain(`mintfold: ${path}${message}`)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })
  test('lines count from 1, including empty ones and those within quotes', async () => {
    const text = `${HEADER},name\n\n${GOOD},"two\nlines"\n\nm2,1,2,1792065601,x\n`
    expect((await files.graded(text)).stderr).toContain(", line 6, column 'probability': it is '2'")
  })
  test('untrusted text is shown escaped and truncated', async () => {
    const name = `\u202E\u001B[2J${'x'.repeat(100)}`
    const { stderr } = await files.graded(file(`m,${name},0.5,1792065601`))
    expect(stderr).toContain(`column 'label': it is '\\u202e\\u001b[2J${'x'.repeat(55)}...'`)
    expect((await files.graded(`${name}\n`)).stderr).toContain('\\u202e\\u001b[2J')
  })
  test('a missing file is an environment failure', async () => {
    expect(await run(join(files.dir, 'none.csv'))).toMatchObject({ code: 3, out: '', stderr: expect.stringContaining('there is no file') })
    expect(await run(files.dir)).toMatchObject({ code: 3, stderr: expect.stringContaining('is a directory') })
  })
})

describe('limits', () => {
  const reading = (path: string, rowsMax: number, stop = new AbortController().signal) =>
    readPredictions({ path, rowsMax, seen: () => {}, row: () => {}, printNotice: () => {}, stop })

  test('a row beyond the limit is refused, and reading stops', async () => {
    const path = files.path(`${csvOf(predictions(12, 1))}broken`)
    await expect(reading(path, 11)).rejects.toThrow(`${path} has more than 11 rows: split it into several files`)
    const whole = await reading(files.path(csvOf(predictions(12, 1))), 12)
    expect(whole?.labels).toHaveLength(12)
  })
  test('a stopped read returns nothing', async () => {
    expect(await reading(files.path(csvOf(predictions(12, 1))), 12, AbortSignal.abort())).toBeUndefined()
  })
  test('options out of range are reported', async () => {
    const path = files.path(csvOf(predictions(12, 1)))
    for (const [option, value] of [
      ['--resamples', '39'],
      ['--resamples', '10001'],
      ['--resamples', 'x'],
      ['--seed', '-1'],
      ['--seed', '4294967296'],
    ] as const) {
      const { code, out, stderr } = await run(path, `${option}=${value}`)
      expect([code, out]).toEqual([2, ''])
      expect(stderr).toMatch(new RegExp(`${option} <n>' argument '${value}' is invalid. it must be a whole number from \\d+ to \\d+`))
    }
  })
})

test('rows beyond the initial array capacity are kept', () => {
  const gathered = new Gathered()
  for (let row = 0; row < 3_000; row++) gathered.add(row / 3_000, row % 2 === 0 ? 0 : 1, 1_792_065_600_000 + row)
  const { probabilities, labels, fromMs, toMs } = gathered.predictions()
  expect([probabilities.length, probabilities[2_999], labels[2_999], toMs - fromMs]).toEqual([3_000, 2_999 / 3_000, 1, 2_999])
})

test('each of many repeated rows is found with its line, and no other', () => {
  const seen = new SeenRows()
  for (let row = 1; row <= 5_000; row++) expect(seen.add(`row ${row}`, row)).toBeUndefined()
  for (let row = 1; row <= 5_000; row++) expect(seen.add(`row ${row}`, 9_999)).toBe(row)
  expect(seen.add('row 0', 1)).toBeUndefined()
})
