// The house style as a test: who imports whom, what is pure, how long lines are, which words are out. Biome and knip hold the rest.
import { readdirSync, readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lineFaults } from './tools/tidy/budgets.ts'
import { CHAIN_NAMED, chainFaults } from './tools/tidy/chains.ts'
import { importFaults, labelFaults, roomFaults, wiringFaults } from './tools/tidy/imports.ts'
import { domainFaults, purityFaults } from './tools/tidy/purity.ts'
import { parseSource, type Source } from './tools/tidy/source.ts'
import { anyFaults, lockFaults, machineFaults, wordFaults } from './tools/tidy/words.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const NOT_OURS = new Set(['node_modules', '.git', '.mintfold', 'dist', 'coverage'])
/** Made by a script, checked by its own test. */
const GENERATED = new Set(['query-api/guides/client-types.ts', 'schemas/types.ts'])

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return []
    const path = `${folder}${entry.name}`
    return entry.isDirectory() ? filesOf(`${path}/`) : [relative(ROOT, path).split(sep).join('/')]
  })

const paths = filesOf(ROOT).sort()
const textOf = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8')
const sources = paths.filter((path) => /\.(ts|mjs|cjs)$/.test(path)).map((path) => parseSource(path, textOf(path)))
const written = sources.filter(({ path }) => !GENERATED.has(path))
const texts = paths
  .filter((path) => /\.(ts|mjs|cjs|json|avsc|md|yaml|yml|sql|sh|txt)$|(^|\/)(\.ci\/run|\.[a-z.]+|Dockerfile)$/.test(path))
  .filter((path) => path !== 'package-lock.json')
  .map((path) => ({ path, text: textOf(path) }))
const under = (folder: string): Source[] => written.filter(({ path }) => path.startsWith(folder))

describe('the project', () => {
  test('is read as a whole', () => {
    expect(sources.length).toBeGreaterThan(20)
    expect(texts.map(({ path }) => path)).toEqual(expect.arrayContaining(['README.md', '.ci/run', '.npmrc', 'package.json']))
  })
  test('imports only downwards: schemas <- processors <- topology; query-api beside it', () => {
    expect(sources.flatMap(importFaults)).toEqual([])
    expect(sources.flatMap(roomFaults)).toEqual([])
  })
  test('has one wiring: the command line hands every other part its topics', () => {
    expect(sources.flatMap(wiringFaults)).toEqual([])
  })
  test('makes inputs of the odds without seeing how launches settle', () => {
    expect(labelFaults(under('processors/'))).toEqual([])
  })
  test('names a chain where the chain is, in the wiring, and where its name is published', () => {
    const product = ['schemas/', 'processors/', 'topology/', 'query-api/'].flatMap(under)
    expect(product.flatMap(chainFaults)).toEqual([])
    expect(Object.keys(CHAIN_NAMED).filter((path) => chainFaults(parseSource('other.ts', textOf(path))).length === 0)).toEqual([])
  })
  test('has an engine that names nothing of its domain', () => {
    expect(under('topology/engine/').flatMap(domainFaults)).toEqual([])
  })
  test('has pure processors', () => {
    expect(under('processors/').flatMap(purityFaults)).toEqual([])
  })
  test('has short lines', () => {
    expect(written.flatMap(lineFaults)).toEqual([])
  })
  test('has no type any, no silenced check, no unfinished note', () => {
    expect(sources.flatMap(anyFaults)).toEqual([])
    expect(texts.flatMap(wordFaults)).toEqual([])
  })
  test('argues each dependency in test/README.md', () => {
    const { dependencies, devDependencies } = JSON.parse(textOf('package.json')) as Record<string, Record<string, string>>
    const reasons = textOf('test/README.md')
    expect(Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !reasons.includes(`\`${name}\``))).toEqual([])
  })
  test('names no machine and no registry', () => {
    expect(texts.flatMap(machineFaults)).toEqual([])
    expect(lockFaults(JSON.parse(textOf('package-lock.json')))).toEqual([])
    expect(textOf('.npmrc')).not.toMatch(/registry\s*=/)
  })
})
