// The house style as a test: import rules, purity, line length, banned words. Biome and knip check the rest.
import { readFileSync } from 'node:fs'
import { projectFiles, ROOT } from './tools/project-files.ts'
import { CHAIN_NAMED, chainFaults } from './tools/tidy/chains.ts'
import { labelFaults } from './tools/tidy/imports.ts'
import { faultsBy, isPlain, isSource, isText, SOURCE_RULES, TEXT_RULES } from './tools/tidy/rules.ts'
import { parseSource } from './tools/tidy/source.ts'
import { lockFaults } from './tools/tidy/words.ts'

const textOf = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8')
const sources = projectFiles.filter(isSource).map((path) => parseSource(path, textOf(path)))
const texts = projectFiles.filter(isText).map((path) => ({ path, text: textOf(path) }))

describe('the project', () => {
  test('is read completely', () => {
    expect(sources.length).toBeGreaterThan(20)
    expect(texts.map(({ path }) => path)).toEqual(expect.arrayContaining(['README.md', '.ci/run', '.npmrc', 'package.json']))
    expect(projectFiles.filter(isPlain).length).toBeGreaterThan(1_000)
  })
  test.each(SOURCE_RULES.map((rule) => [rule.title, rule] as const))('%s', (_title, rule) => {
    expect(sources.some(({ path }) => rule.applies(path))).toBe(true)
    expect(faultsBy(rule, sources)).toEqual([])
  })
  test.each(TEXT_RULES.map((rule) => [rule.title, rule] as const))('%s', (_title, rule) => {
    expect(faultsBy(rule, texts)).toEqual([])
  })
  test('exempts only files that name a chain from the rule about chains', () => {
    expect(Object.keys(CHAIN_NAMED).filter((path) => chainFaults(parseSource('other.ts', textOf(path))).length === 0)).toEqual([])
  })
  test('computes inputs of the odds without access to labels', () => {
    expect(labelFaults(sources.filter(({ path }) => path.startsWith('processors/')))).toEqual([])
  })
  test('justifies each dependency in test/README.md', () => {
    const { dependencies, devDependencies } = JSON.parse(textOf('package.json')) as Record<string, Record<string, string>>
    const reasons = textOf('test/README.md')
    expect(Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !reasons.includes(`\`${name}\``))).toEqual([])
  })
  test('names no registry', () => {
    expect(lockFaults(JSON.parse(textOf('package-lock.json')))).toEqual([])
    expect(textOf('.npmrc')).not.toMatch(/registry\s*=/)
  })
})
