// Each tidy rule fails on a sample that breaks it, and passes a similar one.
import { lineFaults } from '../../tools/tidy/budgets.ts'
import { chainFaults } from '../../tools/tidy/chains.ts'
import { importFaults, labelFaults, wiringFaults } from '../../tools/tidy/imports.ts'
import { domainFaults, purityFaults } from '../../tools/tidy/purity.ts'
import { parseSource } from '../../tools/tidy/source.ts'
import { anyFaults, dialectFaults, lockFaults, machineFaults, wordFaults } from '../../tools/tidy/words.ts'

const imports = (path: string, text: string): string[] => importFaults(parseSource(path, text))
const pure = (text: string): string[] => purityFaults(parseSource('processors/a.ts', text))

describe('the wiring', () => {
  const faults = (path: string, text: string): number => wiringFaults(parseSource(path, text)).length

  test('is imported only by the command line and by tests', () => {
    const text = "import { LAUNCH_RISK } from '../launch-risk.ts'"
    expect(['topology/cli/a.ts', 'topology/sinks/a.ts'].map((path) => faults(path, text))).toEqual([0, 1])
    expect(faults('test/unit/a.ts', "import { LAUNCH_RISK } from '../../topology/launch-risk.ts'")).toBe(0)
  })
  test('alone names topics', () => {
    const text = "import { mintTopicsFor } from '../schemas/topics.ts'\nexport const { raw } = mintTopicsFor(chain)"
    expect(['topology/launch-risk.ts', 'test/a.ts'].map((path) => faults(path, text))).toEqual([0, 0])
    expect(faults('topology/a.ts', text)).toBeGreaterThan(0)
    expect(faults('topology/a.ts', "import type { Topics } from '../schemas/topics.ts'")).toBe(0)
  })
})

describe('names of chains', () => {
  const faults = (path: string, text: string): number => chainFaults(parseSource(path, text)).length

  test.each([
    "export const key = Buffer.from('solana')",
    'export const id = `solana:1`',
    "import { a } from './solana/a.ts'",
    'export const solana = 1',
    'export const isSolana = true',
    'export const slot = /^solana:[0-9]+$/',
    "export const topic = 'tape.alt'",
    "export const chain = 'alt'",
    'export const id = () => `of rhc`',
  ])('%s is refused in shared code', (text) => {
    expect(faults('topology/sinks/a.ts', text)).toBeGreaterThan(0)
  })
  test.each(['processors/chains/solana/a.ts', 'topology/sources/solana/a.ts', 'topology/launch-risk.ts', 'query-api/payment/svm/a.ts'])(
    '%s may name its chain',
    (path) => {
      expect(faults(path, "export const name = 'solana'")).toBe(0)
    },
  )
  test('may be in comments and in words that only resemble one', () => {
    expect(faults('topology/sinks/a.ts', "// tape.solana\nexport const salt = 'an alternative, altogether: set SOLANA_RPC_URL'")).toBe(0)
  })
})

describe('imports', () => {
  test.each([
    ['schemas/a.ts', "import { b } from '../processors/b.ts'"],
    ['schemas/a.ts', "import type { B } from '../topology/ports/b.ts'"],
    ['processors/a.ts', "import { b } from '../topology/engine/b.ts'"],
    ['processors/a/b.ts', "export * from '../../query-api/b.ts'"],
    ['topology/engine/a.ts', "import { b } from '../../processors/mint/b.ts'"],
    ['topology/engine/a.ts', "import { b } from '../logs/b.ts'"],
    ['topology/ports/a.ts', "import { b } from '../engine/b.ts'"],
    ['topology/logs/a.ts', "import { b } from '../../query-api/b.ts'"],
    ['topology/logs/a.ts', "const b = await import('../../query-api/b.ts')"],
    ['topology/logs/a.ts', "type B = import('../../query-api/b.ts').B"],
    ['topology/logs/a.ts', "new Worker(new URL('../../query-api/b.ts', import.meta.url))"],
    ['query-api/a.ts', "import { b } from '../topology/engine/b.ts'"],
    ['query-api/payment/a.ts', "import type { B } from '../../topology/cli/b.ts'"],
    ['processors/a.ts', "import { b } from '../test/b.ts'"],
  ])('%s may not have %s', (path, text) => {
    expect(imports(path, text)).toHaveLength(1)
  })

  test.each([
    ['schemas/a.ts', "import { b } from './b.ts'\nimport bs58 from 'bs58'"],
    ['processors/a.ts', "import { b } from '../schemas/b.ts'"],
    ['topology/engine/a.ts', "import type { B } from '../../processors/contract.ts'"],
    ['topology/cli/a.ts', "import { b } from '../../query-api/b.ts'"],
    ['query-api/a.ts', "import type { B } from '../topology/ports/b.ts'"],
    ['topology/cli/a.ts', "open(new URL('../../test/data/b.avro', import.meta.url))"],
    ['topology/logs/a.ts', "const text = '../../query-api/b.ts'"],
  ])('%s may have %s', (path, text) => {
    expect(imports(path, text)).toEqual([])
  })
})

describe('inputs of the odds', () => {
  const faults = (...files: readonly (readonly [path: string, text: string])[]): readonly string[] =>
    labelFaults(
      [...files, ['processors/mint/fold/outcome.ts', "import '../rows.ts'"] as const].map(([path, text]) => parseSource(path, text)),
    )

  test.each(["import { settle } from '../fold/outcome.ts'", "import type { Labels } from '../fold/outcome.ts'"])(
    'may not see labels: %s',
    (text) => {
      expect(faults(['processors/mint/odds/a.ts', text])).toEqual(['processors/mint/odds/a.ts imports processors/mint/fold/outcome.ts'])
    },
  )
  test('may not see them through other files', () => {
    const [between, back] = ["import { c } from './c.ts'\nimport { a } from '../odds/a.ts'", "import { d } from './outcome.ts'"]
    const given = [['processors/mint/fold/b.ts', between] as const, ['processors/mint/fold/c.ts', back] as const]
    expect(faults(['processors/odds/a.ts', "export * from '../mint/fold/b.ts'"], ...given)).toEqual([
      'processors/odds/a.ts imports processors/mint/fold/b.ts imports processors/mint/fold/c.ts imports processors/mint/fold/outcome.ts',
    ])
  })
  test('may import the rest of the fold, and the fold may see labels', () => {
    const holdings = ['processors/mint/fold/holdings.ts', "import { a } from '../odds/a.ts'"] as const
    expect(faults(['processors/mint/odds/a.ts', "import { b } from '../fold/holdings.ts'"], holdings)).toEqual([])
    expect(faults(['processors/mint/fold/mint.ts', "import { settle } from './outcome.ts'"])).toEqual([])
  })
})

describe('purity', () => {
  test.each([
    'const at = Date.now()',
    'const at = new Date(0)',
    'const chance = Math.random()',
    'const home = process.env.HOME',
    'setTimeout(() => {}, 1)',
    'console.log(1)',
    'const use = { log: console }',
    'const now = performance.now()',
    'const get = globalThis["fetch"]',
    'export const id = () => crypto.randomUUID()',
    "import { readFileSync } from 'node:fs'",
    "import { request } from 'node:http'",
    "import { connect } from 'node:net'",
    "import { spawn } from 'node:child_process'",
    "import { createHash, randomBytes } from 'node:crypto'",
    "import * as all from 'node:crypto'",
  ])('a processor may not: %s', (text) => {
    expect(pure(text)).toHaveLength(1)
  })

  test.each([
    "import { createHash } from 'node:crypto'",
    "import { inflateRawSync } from 'node:zlib'",
    'const ms = Date.UTC(2026, 0)',
    'const top = Math.max(1, 2)',
    'const fetch1 = { process: 1, console: 2 }.process',
    '// setTimeout and Date.now are not for us\nexport const text = "console.log"',
  ])('a processor may: %s', (text) => {
    expect(pure(text)).toEqual([])
  })

  test('a fault names its line, also after characters of several bytes', () => {
    expect(pure("const dots = '…é'\n\nconst at = Date.now()")).toEqual(['processors/a.ts:3 uses Date.now'])
  })
})

describe('domain words in the engine', () => {
  test.each([
    'const mintKey = 1',
    'interface LaunchRow {}',
    "const name = 'creator'",
    '// one row a wallet',
    'solana:1',
    'const x = holders',
  ])('refuses %s', (text) => {
    expect(domainFaults({ path: 'topology/engine/a.ts', text })).toHaveLength(1)
  })
  test.each(['const minimum = 1', 'const aggregate = 1', '// relaunching'])('passes %s', (text) => {
    expect(domainFaults({ path: 'topology/engine/a.ts', text })).toEqual([])
  })
})

describe('budgets', () => {
  test('a line of 140 characters passes, one of 141 does not, unless quoted text makes it long', () => {
    expect(lineFaults({ path: 'a.ts', text: 'x'.repeat(140) })).toEqual([])
    expect(lineFaults({ path: 'a.ts', text: `\n${'x'.repeat(141)}` })).toEqual(['a.ts:2 has 141 characters, at most 140'])
    expect(lineFaults({ path: 'a.ts', text: `const text = '${'x'.repeat(141)}'` })).toEqual([])
  })
})

describe('words', () => {
  const [note, silencer] = [['TO', 'DO'].join(''), ['@ts', 'ignore'].join('-')]
  test.each([note, `// ${note}: later`, `// ${silencer}`, ['biome', 'ignore lint: x'].join('-')])('refuses %s', (text) => {
    expect(wordFaults({ path: 'a.ts', text })).toHaveLength(1)
  })
  test('passes longer words', () => {
    expect(wordFaults({ path: 'a.ts', text: `const ${note}S_MAX = 1` })).toEqual([])
  })

  test.each([
    ['// The card leaves all the same.', 'anyway'],
    ["test('one that is fenced has an heir', check)", 'the new owner'],
    ["throw new Error('the stores are mended; trying on')", 'retrying'],
    ['Frames of the living branch, beside those that are there.', 'the existing ones'],
  ])('refuses the dialect of "%s"', (text, better) => {
    expect(dialectFaults({ path: 'a.ts', text })).toEqual(expect.arrayContaining([expect.stringContaining(`write ${better}`)]))
  })
  test('names the line, and passes the field’s words', () => {
    expect(dialectFaults({ path: 'a.ts', text: '// ok\n// signed anew' })).toEqual(['a.ts:2 says "anew": write again'])
    expect(dialectFaults({ path: 'a.ts', text: '// recommend, amendment, /v1/anew, their, canonical branch' })).toEqual([])
  })

  test('refuses the type any in every position, and not the word', () => {
    const types = ['let a: any', 'const b = c as any', 'type D = Map<string, any[]>', 'const f = <T = any>(x: T) => x']
    for (const text of types) expect(anyFaults(parseSource('a.ts', text))).toHaveLength(1)
    expect(anyFaults(parseSource('a.ts', "// any\nconst any = 'any'"))).toEqual([])
  })

  test('refuses a path of one machine, and not a route', () => {
    const folder = ['', 'work', 'main'].join('/')
    for (const text of [folder, `cd ${folder}`, `'${folder}/x'`, `DIR=${folder}`])
      expect(machineFaults({ path: 'a', text })).toHaveLength(1)
    expect(machineFaults({ path: 'a', text: `https://example.com${folder} and ./work/x` })).toEqual([])
  })

  test('refuses a lock file that is bound to a host', () => {
    expect(
      lockFaults({ packages: { 'node_modules/a': { resolved: 'https://registry.example/a.tgz' }, 'node_modules/b': {} } }),
    ).toHaveLength(1)
    expect(lockFaults({ packages: { 'node_modules/a': { resolved: 'file:../a' } } })).toEqual([])
  })
})
