// `mintfold grade`: its output for a file of predictions.
import { main } from '../../../../topology/cli/main.ts'
import { createIo } from '../../../../topology/cli/output/io.ts'
import { fakeEdges } from '../fake-edges.ts'
import { csvOf, givenFiles, HEADER, linesOf, predictions, type Ran } from './given.ts'

const files = givenFiles()
afterAll(() => files.end())
const { graded } = files
const FIGURES = ['base_rate', 'brier', 'brier_skill', 'miscalibration', 'discrimination', 'uncertainty', 'ece', 'pr_auc']

describe('a file of predictions', () => {
  const rows = predictions(400, 1)
  let ran: Ran
  let lines: readonly Record<string, unknown>[]
  beforeAll(async () => {
    ran = await graded(csvOf(rows), '--resamples', '100')
    lines = linesOf(ran)
  })
  const typed = (type: string): readonly Record<string, unknown>[] => lines.filter((line) => line.type === type)

  test('gives a summary, then bins, then days, and text on stderr only', () => {
    expect(ran.code).toBe(0)
    const types = lines.map(({ type }) => String(type))
    expect(types).toEqual([...types].sort((a, b) => ['summary', 'bin', 'day'].indexOf(a) - ['summary', 'bin', 'day'].indexOf(b)))
    expect(typed('summary')).toHaveLength(1)
    expect(typed('day').map(({ day }) => day)).toEqual(['2026-10-15', '2026-10-16', '2026-10-17', '2026-10-18'])
    expect(ran.stderr).toMatch(/^400 predictions on 4 days from 2026-10-15 to 2026-10-18; \d+ came true/)
  })
  test('has each figure within its interval, overall and by day', () => {
    for (const line of [...typed('summary'), ...typed('day')])
      for (const name of FIGURES) {
        const { value, low, high } = line[name] as { value: number; low: number; high: number }
        expect([name, value >= 0 && value <= 1 && low <= high && low <= 1 && high >= 0]).toEqual([name, true])
      }
  })
  test('counts every row once, in bins and in days', () => {
    const [summary] = typed('summary')
    expect(summary).toMatchObject({ rows: 400, days: 4, from: rows[0]?.timeS, to: rows.at(-1)?.timeS, resamples: 100, seed: 1 })
    for (const type of ['bin', 'day']) {
      expect(typed(type).reduce((sum, line) => sum + Number(line.rows), 0)).toBe(400)
      expect(typed(type).reduce((sum, line) => sum + Number(line.positives), 0)).toBe(summary?.positives)
    }
    expect(typed('bin')).toHaveLength(Number(summary?.bins))
    expect(typed('bin').filter((bin) => bin.is_outside_consistency)).toHaveLength(Number(summary?.bins_outside_consistency))
  })
  test('gives the same bytes on a second run, and other intervals of the same figures with another seed', async () => {
    expect((await graded(csvOf(rows), '--resamples', '100')).out).toBe(ran.out)
    const [other] = linesOf(await graded(csvOf(rows), '--resamples', '100', '--seed', '2'))
    const [before, after] = [typed('summary')[0]?.brier, other?.brier] as { value: number; low: number }[]
    expect(after?.value).toBe(before?.value)
    expect(after?.low).not.toBe(before?.low)
  })
  test('gives the same figures whatever the order of rows and columns, extra columns, quotes, CRLF and a byte order mark', async () => {
    const mixed = [...rows.entries()].reverse().map(([row, { label, probability, timeS }]) => {
      const time = row % 2 === 0 ? `${new Date(timeS * 1_000).toISOString()}` : timeS
      return `"a ""name"", with\nlines",${time},"${probability}", mint${row} ,${label === 1 ? 'True' : 'FALSE'}`
    })
    const text = `\ufeff${['name,time,probability,mint,label', ...mixed, ''].join('\r\n')}`
    expect((await graded(text, '--resamples', '100')).out).toBe(ran.out)
  })
})

describe('labels that are all equal', () => {
  test('give null with its reason where undefined, and figures elsewhere', async () => {
    const rows = predictions(50, 2).map((row) => ({ ...row, label: 0 as const }))
    const ran = await graded(csvOf(rows), '--resamples', '40')
    const [summary] = linesOf(ran)
    expect(summary?.brier_skill).toEqual({ value: null, low: null, high: null, reason: expect.stringMatching(/^all labels are the same/) })
    expect(summary?.pr_auc).toEqual({ value: null, low: null, high: null, reason: 'no label is 1' })
    expect(summary?.uncertainty).toEqual({ value: 0, low: 0, high: 0 })
    expect(ran.stderr).toContain('skill against always predicting the base rate not defined')
  })
})

describe('bins', () => {
  test('are outside the band of a calibrated forecast if too few or too many come true', async () => {
    const of = (positives: number) =>
      predictions(100, 1).map((row, at) => ({ ...row, probability: 0.5, label: at < positives ? (1 as const) : (0 as const) }))
    const outside = async (positives: number): Promise<unknown> => {
      const [summary, bin] = linesOf(await graded(csvOf(of(positives)), '--resamples', '200'))
      return [summary?.bins_outside_consistency, bin?.is_outside_consistency]
    }
    expect([await outside(30), await outside(50), await outside(70)]).toEqual([
      [1, true],
      [0, false],
      [1, true],
    ])
  })
})

describe('values', () => {
  test('are read in every accepted notation', async () => {
    const ways = [
      ['1', '1'],
      ['true', '1.0'],
      ['TRUE', '.5'],
      ['0', '0'],
      ['False', '25e-2'],
      ['0', '+0.125'],
    ]
    const rows = ways.map(([label, probability], row) => `m${row},${label},${probability},2026-10-15`)
    const ran = await graded(`${[HEADER, ...rows].join('\n')}\n`, '--resamples', '40')
    expect(linesOf(ran)[0]).toMatchObject({ rows: 6, positives: 3, mean_probability: 2.875 / 6 })
    expect(ran.stderr).toContain('6 predictions on 1 day, 2026-10-15; 3 came true: 50 %, predicted 47.9 %')
  })
  test('report a score without interval if few resamples have both labels', async () => {
    const ran = await graded(`${HEADER}\na,1,0.5,2026-10-15\nb,0,0.1,2026-10-15\n`)
    expect(linesOf(ran)[0]?.brier_skill).toMatchObject({
      value: 0.48,
      low: null,
      high: null,
      reason: expect.stringMatching(/^not defined in \d+ of 1000/),
    })
    expect(ran.stderr).toContain('skill against always predicting the base rate 0.48 (no interval)')
  })
})

describe('times', () => {
  const dayOf = async (time: string): Promise<unknown> => {
    const ran = await graded(`${HEADER}\nm,1,0.5,${time}\n`, '--resamples', '40')
    return linesOf(ran).at(-1)?.day ?? ran.stderr
  }
  test('are UTC unless they have an offset', async () => {
    for (const time of [
      '2026-10-15',
      '2026-10-15T23:59',
      '2026-10-15 23:59:59.9',
      '2026-10-16T01:30+02:00',
      '2026-10-15T22:30:00-0100',
      '1792065600.5',
    ])
      expect([time, await dayOf(time)]).toEqual([time, '2026-10-15'])
  })
})

describe('a last line without a line break', () => {
  test('is graded, with a warning that it may have been cut', async () => {
    const ran = await graded(csvOf(predictions(30, 3)).trimEnd(), '--resamples', '40')
    expect([ran.code, linesOf(ran)[0]?.rows]).toEqual([0, 30])
    expect(ran.stderr).toMatch(/^\S+\.csv does not end with a line break: if it is truncated there, its last value is wrong\n/)
  })
})

describe('SIGTERM', () => {
  const stopped = async (isDue: (out: string) => boolean): Promise<Ran> => {
    const edges = fakeEdges({})
    const running = main(['grade', files.path(csvOf(predictions(400, 1))), '--resamples', '10000'], createIo(edges))
    const timer = setInterval(() => isDue(edges.written.stdout) && edges.signal('SIGTERM'), 1)
    const code = await running
    clearInterval(timer)
    return { code, out: edges.written.stdout, stderr: edges.written.stderr }
  }
  test('stops before the first figure, or between two days, and reports it', async () => {
    expect(await stopped(() => true)).toEqual({ code: 0, out: '', stderr: expect.stringMatching(/^stopped: /) })
    const late = await stopped((out) => out !== '')
    expect([late.code, late.stderr]).toEqual([0, 'stopped: the output is incomplete\n'])
    expect(linesOf(late).filter(({ type }) => type === 'day').length).toBeLessThan(4)
  })
})
