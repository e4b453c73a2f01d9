// Detector files: which are loaded, which are refused with which message, and what their hash covers.

import { UsageError } from '../../../schemas/errors.ts'
import { loadDetectorFile } from '../../../topology/backtest/detector-file/load.ts'
import { checkTypes } from '../../../topology/backtest/detector-file/type-check.ts'
import { Random } from '../../../topology/simulator/random.ts'
import { honestOf } from '../../fixtures/planted-detectors/honest.ts'
import { fileOf, givenFiles, loaded, ROWS, sourceOf } from './given-file.ts'

const HALF_GONE = `import { isAtMostPercent, isOpen, keyText, mintDetector, solOf } from 'mintfold/detector'
import { sizeOf } from './lib/words.ts'

export default mintDetector({
  id: 'half-gone',
  version: 1,
  flag: 'half_gone',
  firesWhen: 'an open curve has lost half of its peak',
  settings: { percent: 50, minSol: 0.1 },
  notJudged: (curve) => (curve.quoteMint === null ? undefined : 'not paired with SOL'),
  find: ({ launch, curve }, { percent, minSol }) => {
    if (solOf(curve.peakQuoteUnits) < minSol || !isOpen(curve)) return undefined
    if (!isAtMostPercent(curve.realQuoteUnits, curve.peakQuoteUnits, percent)) return undefined
    return { peak: solOf(curve.peakQuoteUnits), creator: keyText(launch.creator), size: sizeOf(curve.buys) }
  },
})
`
const WORDS = `export const sizeOf = (buys: number): string => (buys > 10 ? 'many' : 'few')\n`
const FILES = { 'half-gone.ts': HALF_GONE, 'lib/words.ts': WORDS }

const refusalOf = async (path: string): Promise<string> => {
  const failure = await loaded(path).catch((thrown: unknown) => thrown)
  expect(failure).toBeInstanceOf(UsageError)
  return (failure as UsageError).message
}

describe('a detector file', () => {
  test('is loaded with its types checked, and gives the same answers as a shipped detector', async () => {
    const path = givenFiles(FILES)
    const file = await loadDetectorFile(path)
    if (file.of !== 'mint') throw new Error('not a detector of mints')
    expect(file).toMatchObject({
      path,
      id: 'half-gone',
      version: 1,
      flag: 'half_gone',
      settings: { percent: 50, minSol: 0.1 },
      isTypeChecked: true,
    })
    expect(file.sources).toEqual([path, path.replace('half-gone.ts', 'lib/words.ts')])
    const fallen = { ...ROWS, curve: { ...ROWS.curve, realQuoteUnits: 10 ** 8 } }
    expect(file.make().find(fallen)).toEqual({ peak: 0.3, creator: expect.stringMatching(/^\w{32,44}$/), size: 'few' })
    expect(file.make({ percent: 20 }).find(fallen)).toBeUndefined()
    expect(file.make().notJudged({ curve: ROWS.curve })).toBeUndefined()
    expect(file.make().notJudged({ curve: { ...ROWS.curve, quoteMint: ROWS.launch.creator } })).toBe('not paired with SOL')
  })

  test('has a hash that ignores whitespace, comments, types and the file name, and changes with a constant', async () => {
    const hashOf = async (files: Readonly<Record<string, string>>): Promise<string> => (await loaded(givenFiles(files))).hash
    const hash = await hashOf(FILES)
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    const written = HALF_GONE.replace('({ launch, curve }, {', '({ launch, /* of it */ curve }: DetectorRows, {').replace(
      'import {',
      'import { type DetectorRows,',
    )
    expect(await hashOf({ 'other.ts': `// Other words.\n${written.replaceAll('  ', '\t')}`, 'lib/words.ts': WORDS })).toBe(hash)
    expect(await hashOf({ ...FILES, 'half-gone.ts': HALF_GONE.replace('percent: 50', 'percent: 51') })).not.toBe(hash)
    expect(await hashOf({ ...FILES, 'lib/words.ts': WORDS.replace('10', '11') })).not.toBe(hash)
  })

  test('refuses unknown settings and values that are not finite numbers', async () => {
    const { make } = await loaded(givenFiles(FILES))
    expect(() => make({ percentage: 3 })).toThrow(/detector half-gone has no setting percentage; it has percent, minSol/)
    expect(() => make({ percent: Number.NaN })).toThrow(/percent must be a finite number, not NaN/)
  })

  test("with type errors is refused with the compiler's messages, each with its line", async () => {
    const path = givenFiles({ 'mine.ts': sourceOf('({ curve }) => ({ n: curve.nope, of: process.pid })', '', '\n') })
    const failure = (await checkTypes(path).catch((thrown: unknown) => thrown)) as Error
    expect(failure).toBeInstanceOf(UsageError)
    expect(failure.message).toContain(`${path}:4:`)
    expect(failure.message).toMatch(/Property 'nope' does not exist.*\n(?:.*\n)*?.*Cannot find name 'process'/)
  })

  test('is not type-checked if no compiler starts', async () => {
    expect(await checkTypes(givenFiles(FILES), '/nowhere/tsc')).toBe(false)
  })

  test('written honestly type-checks, in many common styles', async () => {
    const future = { doomed: [], file: '', module: '', seed: 1, generator: '' }
    const honest = honestOf(25, { random: new Random(1), future }).map(({ source }, n) => [`honest-${n}.ts`, source] as const)
    const all = honest.map(([name]) => `export * from './${name}'`).join('\n')
    expect(await checkTypes(givenFiles({ 'all.ts': all, ...Object.fromEntries(honest) }))).toBe(true)
  })
})

describe('a detector file is refused that', () => {
  const PURE = 'a detector is a pure function of rows'
  test.each([
    ['has a syntax error', "export default { id: 'x' version: 1 }", /mine\.ts:1:26: Expected "}" but found "version"/],
    [
      'imports a module of Node',
      "import { readFileSync } from 'node:fs'\nexport default readFileSync",
      `mine.ts:1:30: 'node:fs' cannot be imported, a module of Node: ${PURE}`,
    ],
    ['imports a package', "\nimport bs58 from 'bs58'\nexport default bs58", /mine\.ts:2:18: 'bs58' cannot be imported, a package/],
    [
      'imports by an absolute path',
      "import { x } from '/etc/x.ts'\nexport default x",
      /'\/etc\/x\.ts' cannot be imported, an absolute path/,
    ],
    ['imports from outside its folder', "import { x } from '../x.ts'\nexport default x", /mine\.ts:1:19: /],
    ['imports JSON', "import x from './x.json'\nexport default x", /'\.\/x\.json' cannot be imported: name a \.ts file/],
    ['imports without an extension', "import x from './x'\nexport default x", /such as '\.\/x\.ts'/],
    ['imports a file that does not exist', "import x from './x.ts'\nexport default x", /mine\.ts:1:15: there is no file .*x\.ts/],
    [
      'imports a helper that does not exist',
      "import { solOff } from 'mintfold/detector'\nexport default solOff",
      /mine\.ts:1:10: No matching export .* "solOff"/,
    ],
    [
      'imports at run time',
      "export default async () => (await import('node:fs')).readFileSync",
      `'node:fs' cannot be loaded while a detector runs: ${PURE}`,
    ],
    [
      'requires',
      "declare const require: (name: string) => unknown\nexport default require('fs')",
      /mine\.ts:2:24: 'fs' cannot be loaded while/,
    ],
    ['uses import.meta', 'export default import.meta.url', /mine\.ts:1:16: "import\.meta" is not available/],
    ['evaluates text', "export default eval('1')", /mine\.ts:1:16: .*eval/],
    ['reads the clock when it is loaded', 'const at = Date.now()\nexport default at', `mine.ts:1:17: Date.now is refused: ${PURE}`],
    ['throws when it is loaded', "\nthrow new Error('not today')\nexport default 1", /mine\.ts:2:7: not today/],
    ['exports nothing', 'export const x = 1', /mine\.ts:1: exports nothing by default: write `export default mintDetector/],
    ['exports something else', 'export default { id: 1 }', /mine\.ts:1: its default export is not a detector/],
    ['has an invalid id', sourceOf('() => undefined').replace("'mine'", "'Not Good'"), /mine\.ts:3: id must be .*, not "Not Good"/],
    ['has an invalid flag', sourceOf('() => undefined').replace("flag: 'mine'", "flag: 'my-flag'"), /flag must be .*, not "my-flag"/],
    [
      'has no version',
      sourceOf('() => undefined').replace('version: 1', 'version: 1.5'),
      /version must be a whole number from 1 to 1000000, not 1.5/,
    ],
    ['has an empty firesWhen', sourceOf('() => undefined').replace("'it does'", "''"), /firesWhen must be 1 to 400 characters/],
    [
      'has an unknown field',
      sourceOf('() => undefined', '', '\n bits: 4,'),
      /mine\.ts:4: a detector has no field "bits"; its fields are id, version/,
    ],
    ['has a find that is not a function', sourceOf('3'), /find must be a function, not 3/],
    [
      'has a setting that is not a number',
      sourceOf('() => undefined', '', "\nsettings: { a: 1,\n b: '2' },"),
      /mine\.ts:5: the setting b must be a finite number, not "2"/,
    ],
    [
      'has too many settings',
      sourceOf('() => undefined', '', `settings: { ${Array.from({ length: 17 }, (_, n) => `s${n}: 1`).join(', ')} },`),
      /settings has 17 numbers, at most 16/,
    ],
  ])('%s', async (_title, source, message) => {
    const refusal = await refusalOf(givenFiles({ 'dir/mine.ts': source, 'dir/x.json': '{}', 'x.ts': 'export const x = 1' }))
    if (typeof message === 'string') expect(refusal).toContain(message)
    else expect(refusal).toMatch(message)
  })

  test('is missing, not TypeScript, or too large', async () => {
    const path = givenFiles({ 'mine.ts': `export default ${JSON.stringify('x'.repeat(2 ** 20))}`, 'mine.js': '' })
    expect(await refusalOf(path)).toMatch(/mine\.ts: \d+ bytes; a detector may have at most 1048576/)
    expect(await refusalOf(path.replace('.ts', '.js'))).toMatch(/not a \.ts file/)
    expect(await refusalOf(path.replace('mine', 'yours'))).toMatch(/no such file/)
  })

  test('has an imported file with a fault, whose line is reported', async () => {
    const path = givenFiles({
      'mine.ts': sourceOf('() => undefined', "import './lib/more.ts'"),
      'lib/more.ts': "\n\nimport fs from 'fs'\nexport default fs.readFileSync",
    })
    expect(await refusalOf(path)).toMatch(/lib\/more\.ts:3:16: 'fs' cannot be imported/)
  })
})

test('a detector file for curves loads as a curve detector', async () => {
  const source = sourceOf('({ figures, signature }) => (signature !== null && figures.sells > 0 ? { sells: figures.sells } : undefined)')
  const file = await loadDetectorFile(givenFiles({ 'mine.ts': source.replaceAll('mintDetector', 'curveDetector') }))
  expect(file).toMatchObject({ of: 'curve', id: 'mine', isTypeChecked: true })
  expect(await fileOf('() => undefined')).toMatchObject({ of: 'mint' })
})
