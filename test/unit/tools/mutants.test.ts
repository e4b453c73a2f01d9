// The tool that plants small faults: where it finds places, its mutations, and its counts.
import { readFileSync } from 'node:fs'
import { ROOT } from '../../tools/copy-tree.ts'
import { chosen, matcher, mutantsIn, productFiles } from '../../tools/mutants/choose.ts'
import { type Equivalent, readEquivalent, reasonFor } from '../../tools/mutants/equivalent.ts'
import { mutantsOf, mutated } from '../../tools/mutants/places.ts'
import { isEnough, type Line, lineOf, summaryOf } from '../../tools/mutants/report.ts'
import { parseSource } from '../../tools/tidy/source.ts'

const textsOf = (text: string): string[] => mutantsOf(parseSource('schemas/a.ts', text)).map((mutant) => mutated(text, mutant))

describe('places of a file', () => {
  test.each([
    ['if (a) b = c', ['if (!(a)) b = c', 'if (a) ;']],
    ['const a = b ? c : d', ['const a = !(b) ? c : d']],
    ['const a = b < c', ['const a = b <= c']],
    ['const a = (b) >= c', ['const a = (b) > c']],
    ['const a = b === c', ['const a = b !== c']],
    ['const a = b - c', ['const a = b + c']],
    ['const a = b ?? c', ['const a = b && c']],
    ['const a = 5', ['const a = (5 + 1)']],
    ['const a = 5n', ['const a = (5n + 1n)']],
    ['a.b(c)', [';']],
    ['await a()', ['a()', ';']],
    ['const a = await b', ['const a = b']],
    ['const a = f(b, c)', ['const a = f(c, b)']],
    ['const \u00e4 = "\u2603", b = c < d', ['const \u00e4 = "\u2603", b = c <= d']],
  ])('%s', (text, faults) => {
    expect(textsOf(text)).toEqual(faults)
  })
  test.each([
    "import { a } from './a.ts'",
    'type A = 5 | 6',
    'interface A { readonly a: 5 }',
    "const a = 'x' + b",
    'const a = `x` + b',
    'const a = f(b, b)',
    'const a = f(...b)',
    'class A extends B { constructor() { super() } }',
  ])('none in %s', (text) => {
    expect(textsOf(text)).toEqual([])
  })
  test("a fault knows its line, and the line's text without and with it", () => {
    const text = '#!/usr/bin/env node\n// \u2603\nconst a =\n  b < 2\n'
    expect(mutantsOf(parseSource('schemas/a.ts', text))).toMatchObject([
      { in: 'a', line: 4, kind: 'operator', before: 'b < 2', after: 'b <= 2' },
      { line: 4, kind: 'number', before: 'b < 2', after: 'b < (2 + 1)' },
    ])
  })
  test('a file that has changed since is not modified', () => {
    const [mutant] = mutantsOf(parseSource('schemas/a.ts', 'const a = b < c'))
    expect(() => mutated('const b = c < d;', mutant as never)).not.toThrow()
    expect(() => mutated('let a', mutant as never)).toThrow('the file has changed')
  })
})

describe('a choice', () => {
  const files = productFiles(ROOT).filter(matcher('schemas'))
  const all = mutantsIn(ROOT, files)

  test('of a seed is repeatable, begins with that of a smaller count, and has no place twice', () => {
    expect(all.length).toBeGreaterThan(300)
    const twenty = chosen(all, 7, 20)
    expect(chosen(all, 7, 20)).toEqual(twenty)
    expect(chosen(all, 7, 50).slice(0, 20)).toEqual(twenty)
    expect(chosen(all, 8, 20)).not.toEqual(twenty)
    expect(new Set(chosen(all, 7, all.length + 5)).size).toBe(all.length)
  })
  test('every fault can be planted, and changes its file', () => {
    const texts = new Map(files.map((path) => [path, readFileSync(`${ROOT}${path}`, 'utf8')]))
    for (const mutant of all) {
      const text = texts.get(mutant.file) as string
      expect(mutated(text, mutant)).not.toBe(text)
    }
  })
  test.each([
    ['processors/mint', ['processors/mint/a.ts', 'processors/mint/b/c.ts'], ['processors/mints/a.ts', 'topology/a.ts']],
    ['query-api/**/cursor*.ts', ['query-api/cursors.ts', 'query-api/a/b/cursor.ts'], ['query-api/a/curs.ts']],
    ['{processors,schemas}/', ['processors/a.ts', 'schemas/a.ts'], ['topology/a.ts']],
    ['topology/*.ts', ['topology/a.ts'], ['topology/b/a.ts', 'topology/aXts']],
  ])('%s is included', (glob, within, without) => {
    const is = matcher(glob)
    expect([within.filter(is), without.filter(is)]).toEqual([within, []])
  })
  test('of the product excludes generated files and everything outside the product', () => {
    const paths = productFiles(ROOT)
    expect(paths).toEqual(expect.arrayContaining(['schemas/keys.ts', 'topology/engine/runner.ts']))
    expect(paths.filter((path) => path === 'schemas/types.ts' || path.startsWith('test/') || !path.endsWith('.ts'))).toEqual([])
  })
})

describe('an equivalent mutant', () => {
  test('is listed once, and still has its place', () => {
    const known = readEquivalent()
    const all = mutantsIn(ROOT, [...new Set(known.map(({ file }) => file))])
    const isThere = (one: Equivalent): boolean => {
      const text = readFileSync(`${ROOT}${one.file}`, 'utf8')
      return all.some((mutant) => mutant.file === one.file && reasonFor(mutant, text, [one]) !== undefined)
    }
    expect(known.filter((one) => !isThere(one))).toEqual([])
    expect(new Set(known.map(({ file, in: name, find, put }) => `${file} ${name} ${find} ${put}`)).size).toBe(known.length)
  })
  test('is named by its function and its text, whatever line that is on', () => {
    const entry = { file: 'schemas/a.ts', in: 'A.#b', find: 'c < d', put: 'c <= d', why: 'it is the same' }
    const listedIn = (text: string): string[] =>
      mutantsOf(parseSource('schemas/a.ts', text)).flatMap((mutant) => (reasonFor(mutant, text, [entry]) ? [mutated(text, mutant)] : []))
    const text = 'const b = c < d\nclass A {\n  #b = () => 5 + (c < d)\n  e() { return c < d }\n}'
    expect(listedIn(text)).toEqual([text.replace('(c < d)', '(c <= d)')])
    expect(listedIn(`\n\n${text.replace('5', '')}`)).toHaveLength(1)
    expect(listedIn(text.replace('5', 'c < d'))).toEqual([])
    expect(listedIn(text.replace('#b', '#f'))).toEqual([])
  })
})

describe('the count', () => {
  const [mutant] = mutantsOf(parseSource('schemas/a.ts', 'const a = b < c'))
  const lines = (killed: number, survived: number, late: number, equivalent: number): Line[] => [
    ...Array.from({ length: killed }, () => lineOf(mutant as never, { verdict: 'killed', seconds: 1, by: 'test/a.test.ts' })),
    ...Array.from({ length: survived }, () => lineOf(mutant as never, { verdict: 'survived', seconds: 1, by: null })),
    ...Array.from({ length: late }, () => lineOf(mutant as never, { verdict: 'over the limit', seconds: 120, by: null })),
    ...Array.from({ length: equivalent }, () => lineOf(mutant as never, 'it is the same')),
  ]
  test.each([
    [17, 2, 1, 5, 0.85, true],
    [16, 3, 1, 9, 0.8, false],
    [849, 151, 0, 0, 0.849, false],
    [1, 0, 0, 0, 1, true],
    [0, 0, 0, 3, null, true],
  ])('of %i killed, %i survived, %i late, %i equivalent is %d', (killed, survived, late, equivalent, share, enough) => {
    const summary = summaryOf(lines(killed, survived, late, equivalent))
    expect(summary).toEqual({ mutants: killed + survived + late + equivalent, killed, survived, over_the_limit: late, equivalent, share })
    expect(isEnough(summary)).toBe(enough)
  })
  test('a line has everything that identifies the fault, and its result', () => {
    expect(lines(0, 0, 0, 1)).toEqual([
      {
        ...{
          file: 'schemas/a.ts',
          in: 'a',
          line: 1,
          kind: 'operator',
          was: '<',
          now: '<=',
          before: 'const a = b < c',
          after: 'const a = b <= c',
        },
        ...{ verdict: 'equivalent', why: 'it is the same' },
      },
    ])
  })
})
