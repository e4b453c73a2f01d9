// Related tests: which imports count, and that the nearest come first.
import { readFileSync } from 'node:fs'
import { ROOT } from '../../tools/project-files.ts'
import { Imports, importsIn } from '../../tools/related.ts'

describe('imports of a file', () => {
  test.each([
    ["import { a } from './a.ts'", ['./a.ts']],
    ["import a, {\n  type B,\n  c,\n} from '../a.ts'", ['../a.ts']],
    ["import './a.ts'", ['./a.ts']],
    ["export * from './a.ts'\nexport { b } from './b.ts'", ['./a.ts', './b.ts']],
    ["const a = await import('./a.ts')\nconst b = require('./b.cjs')", ['./a.ts', './b.cjs']],
    ["new Worker(new URL('./a.ts', import.meta.url))", ['./a.ts']],
    ["import type { A } from './a.ts'\nexport type { B } from './b.ts'", []],
    ["import { z } from 'zod'\nexport const a = 'x'", []],
  ])('%s', (text, names) => {
    expect(importsIn(text)).toEqual(names)
  })
})

describe('tests of a file', () => {
  const imports = new Imports(ROOT)
  /** In parts, because this file is no reader of it. */
  const DATA = ['test/tools/mutants/equivalent', 'json'].join('.')
  const inUnits = (path: string): boolean => path.startsWith('test/unit/')

  test('include those that import it through other files, after those that import it themselves', () => {
    const tests = imports.tests(['test/tools/related.ts'], () => true)
    expect(tests).toEqual(['test/unit/tools/related.test.ts', 'test/integration/mutant-tree.test.ts'])
    const far = imports.tests(['schemas/errors.ts'], inUnits)
    const direct = far.map((path) => readFileSync(`${ROOT}${path}`, 'utf8').includes("/schemas/errors.ts'"))
    expect(far.length).toBeGreaterThan(100)
    expect([direct[0], direct.lastIndexOf(true) + 1]).toEqual([true, direct.indexOf(false)])
  })
  test('of a data file are those that lead to a reader of it', () => {
    expect(imports.tests([DATA], inUnits)).toEqual(['test/unit/tools/mutants.test.ts'])
  })
  test('begin with itself, if it is a test', () => {
    expect(imports.tests(['test/unit/waiting.test.ts'], inUnits)).toEqual(['test/unit/waiting.test.ts'])
  })
  test('are none for a file that nothing imports', () => {
    expect(imports.tests(['test/tools/none.ts'], inUnits)).toEqual([])
  })
})
