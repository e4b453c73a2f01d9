// The list of laws stays true: its tests and lines exist, and topology/README.md has it as a table. And how the tool counts failing tests.
import { readFileSync } from 'node:fs'
import { LAWS, type Law } from '../../laws.ts'
import { changedText } from '../../tools/change.ts'
import { ROOT } from '../../tools/copy-tree.ts'
import { type JestReport, namesOf, redIn } from '../../tools/laws/red.ts'
import { SOURCE_RULES } from '../../tools/tidy/rules.ts'

/** Its tests are the rules of a table. */
const TIDY = 'test/tidy.test.ts'
const textOf = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8')

describe('the list of laws', () => {
  test('has at most twelve, each with its own name and test', () => {
    expect(LAWS.length).toBeLessThanOrEqual(12)
    expect(new Set(LAWS.map(({ name }) => name)).size).toBe(LAWS.length)
    expect(new Set(LAWS.map(({ test: { file, titles } }) => [file, ...titles].join(' '))).size).toBe(LAWS.length)
  })
  test.each(LAWS)('$name: its test is there', ({ test: { file, titles } }) => {
    const text = file === TIDY ? textOf(file) + SOURCE_RULES.map((rule) => `'${rule.title}'`).join() : textOf(file)
    expect(titles.filter((title) => text.split(`'${title}'`).length !== 2)).toEqual([])
  })
  test.each(LAWS)('$name: its breaking changes one line of the product', ({ breaking }) => {
    const { file, find, put } = breaking
    const [before, after] = [textOf(file), changedText(textOf(file), breaking)].map((text) => text.split('\n'))
    expect([file.startsWith('test/'), find.includes('\n'), put.includes('\n')]).toEqual([false, false, false])
    expect(after?.filter((line, n) => line !== before?.[n])).toHaveLength(1)
  })
  test('is the table in topology/README.md', () => {
    const rows = LAWS.map(
      ({ name, rule, why, test: { file, titles } }) => `| ${name} | ${rule} | ${why} | [${titles.join(': ')}](../${file}) |`,
    )
    const [, table = ''] = textOf('topology/README.md').split('| law | rule | why | held by |\n|---|---|---|---|\n')
    expect(table.split('\n<!--')[0]?.split('\n')).toEqual(rows)
  })
})

describe('failing laws', () => {
  const law = (name: string, file: string, ...titles: string[]): Law => ({
    ...(LAWS[0] as Law),
    name,
    test: { file, titles },
  })
  const laws = [law('a', 'test/a.test.ts', 'of (a)', 'is'), law('b', 'test/a.test.ts', 'of b'), law('c', 'test/c.test.ts', '%i of %s')]
  const run = (name: string, ...results: readonly (readonly [fullName: string, status: string])[]): JestReport['testResults'][number] => ({
    name: `/tree/${name}`,
    assertionResults: results.map(([fullName, status]) => ({ fullName, status })),
  })
  const redOf = (...testResults: JestReport['testResults']): string[] => redIn({ testResults }, laws, '/tree')
  const a = run('test/a.test.ts', ['of (a) is', 'passed'], ['of b', 'passed'], ['of b and more', 'failed'])
  const c = run('test/c.test.ts', ['1 of x', 'passed'], ['12 of y z', 'passed'])

  test('are none if all pass, whatever other tests do', () => {
    expect(redOf(a, c, run('test/d.test.ts', ['of b', 'failed']))).toEqual([])
  })
  test('include a law if one of its runs fails', () => {
    expect(redOf(run('test/a.test.ts', ['of (a) is', 'failed'], ['of b', 'passed']), c)).toEqual(['a'])
    expect(redOf(a, run('test/c.test.ts', ['1 of x', 'passed'], ['2 of x', 'failed']))).toEqual(['c'])
  })
  test('include a law if its test did not run: renamed, skipped, or in a file that does not load', () => {
    expect(redOf(run('test/a.test.ts', ['of a is', 'passed'], ['of b', 'pending']), run('test/c.test.ts'))).toEqual(['a', 'b', 'c'])
    expect(redOf(a)).toEqual(['c'])
  })
  test('names of tests are matched literally', () => {
    expect(namesOf(law('a', '', 'of a.b (c) [d]', '%i: {e}'))).toBe('^of a\\.b \\(c\\) \\[d\\] .+: \\{e\\}$')
  })
})

describe('a line is broken', () => {
  test('only if it occurs once', () => {
    const breaking = { file: 'a.ts', find: 'b', put: '$&c' }
    expect(changedText('a = b', breaking)).toBe('a = $&c')
    expect(() => changedText('a', breaking)).toThrow('0 times')
    expect(() => changedText('b = b', breaking)).toThrow('2 times')
  })
  test.each([
    ['names a private member that the class lacks', 'this.#b', "Private field '#b' must be declared"],
    ['does not parse', 'this.#a(', 'the file does not load with this line: this.#a('],
  ])('unless its replacement %s', (_, put, error) => {
    const text = 'class A { #a: number = 1; get a(): number { return this.#a } }'
    const breaking = { file: 'a.ts', find: 'return this.#a', put: `return ${put}` }
    expect(() => changedText(text, breaking)).toThrow(error.replace('line: ', 'line: return '))
  })
})
