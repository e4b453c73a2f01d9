// Documents are kept true: links lead somewhere, commands and options exist, JSON parses, TypeScript has the right types, SQL is executed.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { checkTypes } from '../topology/backtest/detector-file/type-check.ts'
import { main } from '../topology/cli/main.ts'
import { createIo } from '../topology/cli/output/io.ts'
import { anchorsIn, blocksOf, documents, linksIn, mintfoldArgs, shellCommands } from './tools/documents/markdown.ts'
import { firstQuestions } from './tools/first-questions.ts'
import { removeDirectory } from './tools/remove-directory.ts'
import { guideQuestions } from './tools/sql-guide/guide.ts'
import { fakeEdges } from './unit/cli/fake-edges.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const README_LINES_MAX = 150
const FOLDER_LINES_MAX = 30
/** They hold what the README of the project leaves out. */
const MANUALS = ['README.md', 'deploy/README.md', 'processors/README.md', 'query-api/README.md', 'test/README.md', 'topology/README.md']
/** Programs that documents may start beside ours. */
const OTHERS = new Set([
  '.ci/run',
  'cat',
  'curl',
  'docker',
  'export',
  'jq',
  'node query-api/guides/receive_alerts.mjs',
  'npx jest',
  'python3',
])

// What a release had is not changed when a command goes.
const current = documents.filter(({ path }) => path !== 'CHANGELOG.md')
const blocks = current.flatMap(blocksOf)
const inLanguage = (language: string) => blocks.filter((block) => block.language === language)
const shell = inLanguage('sh').flatMap(({ path, text }) => shellCommands(text).map((words) => ({ path, words })))
const ours = shell.flatMap(({ path, words }) => {
  const args = mintfoldArgs(words)
  return args === undefined ? [] : [{ path, args }]
})
const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { readonly scripts: Readonly<Record<string, string>> }
const linesOf = (text: string): number => text.trimEnd().split('\n').length

describe('the documents', () => {
  test('are read as a whole', () => {
    expect(documents.map(({ path }) => path)).toEqual(expect.arrayContaining([...MANUALS, 'query-api/guides/sql.md']))
    expect([ours.length > 40, inLanguage('json').length > 0, inLanguage('ts').length > 0, inLanguage('sql').length > 10]).not.toContain(
      false,
    )
  })

  test('have links that lead to a file, and to a heading of it', () => {
    const anchors = new Map(documents.map(({ path, text }) => [path, anchorsIn(text)]))
    const broken = documents.flatMap(({ path, text }) =>
      linksIn(text)
        .filter((link) => !/^(https?|mailto):/.test(link))
        .filter((link) => {
          const [file = '', anchor] = link.split('#')
          const target = file === '' ? path : normalize(join(dirname(path), file))
          if (target.startsWith('..') || !existsSync(`${ROOT}${target}`)) return true
          return anchor !== undefined && anchors.get(target)?.has(anchor) !== true
        })
        .map((link) => `${path}: ${link}`),
    )
    expect(broken).toEqual([])
  })

  test('name the language of blocks of JSON, SQL and commands', () => {
    const unnamed = blocks.filter(({ language, text }) => language === '' && /^(npx|npm|curl|SELECT|\{)/m.test(text))
    expect(unnamed).toEqual([])
  })

  test('have JSON that parses', () => {
    const broken = inLanguage('json').flatMap(({ path, text }) => {
      try {
        JSON.parse(text)
        return []
      } catch (error) {
        return [`${path}: ${String(error)}`]
      }
    })
    expect(broken).toEqual([])
  })

  test('start only programs that are known here', () => {
    const unknown = shell.filter(({ words }) => {
      if (mintfoldArgs(words) !== undefined || ['run', 'test', 'ci'].includes((words[0] === 'npm' && words[1]) || '')) return false
      return !OTHERS.has(words[0] ?? '') && !OTHERS.has(words.slice(0, 2).join(' '))
    })
    expect(unknown).toEqual([])
  })

  test('run only scripts that package.json has', () => {
    const named = current.flatMap(({ path, text }) =>
      [...text.matchAll(/npm run ([a-z][a-z:-]*)/g)].map(([, name = '']) => ({ path, name })),
    )
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter(({ name }) => scripts[name] === undefined)).toEqual([])
  })

  test('run only soaks that exist', () => {
    const main = readFileSync(`${ROOT}test/soak/main.ts`, 'utf8')
    const named = current.flatMap(({ text }) => [...text.matchAll(/npm run soak -- ([a-z-]+)/g)].map(([, name = '']) => name))
    expect(named.length).toBeGreaterThan(20)
    expect([...new Set(named)].filter((name) => !new RegExp(`^ {2}'?${name}'?[,:]`, 'm').test(main))).toEqual([])
  })

  test('have SQL that tests execute', () => {
    const executed = new Set([...firstQuestions(), ...guideQuestions()].map(({ query }) => query.trim()))
    const queries = [
      ...inLanguage('sql').map(({ text }) => text.trim()),
      ...ours.filter(({ args }) => args[0] === 'sql').map(({ args }) => args[1] ?? ''),
    ]
    expect(queries.filter((query) => !executed.has(query) && query !== '...')).toEqual([])
  })

  test('have TypeScript whose types are right', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mintfold-documents-'))
    for (const [n, { text }] of inLanguage('ts').entries()) {
      const file = join(folder, `block-${n}.ts`)
      writeFileSync(file, text)
      expect(await checkTypes(file)).toBe(true)
    }
    removeDirectory(folder)
  })

  test('show a card with fields that a card has', () => {
    const { data, meta } = JSON.parse(inLanguage('json').find(({ path }) => path === 'README.md')?.text ?? '{}') as Record<string, object>
    const published = JSON.parse(readFileSync(`${ROOT}query-api/discovery/examples.json`, 'utf8')) as Record<string, Record<string, object>>
    const card = published['/v1/mint/{mint}'] ?? {}
    expect(Object.keys(data ?? {}).length).toBeGreaterThan(5)
    expect(Object.keys(data ?? {}).filter((field) => !Object.hasOwn(card.data ?? {}, field))).toEqual([])
    expect(Object.keys(meta ?? {}).filter((field) => field !== 'sandbox' && !Object.hasOwn(card.meta ?? {}, field))).toEqual([])
  })

  test('are short: README.md, and those of folders', () => {
    const readmes = documents.filter(({ path }) => path.endsWith('README.md') && !MANUALS.includes(path))
    expect(readmes.filter(({ text }) => linesOf(text) > FOLDER_LINES_MAX).map(({ path }) => path)).toEqual([])
    expect(linesOf(documents.find(({ path }) => path === 'README.md')?.text ?? '')).toBeLessThanOrEqual(README_LINES_MAX)
  })
})

describe('commands in documents', () => {
  const { action } = Command.prototype
  beforeAll(() => {
    jest.spyOn(Command.prototype, 'action').mockImplementation(function (this: Command) {
      return action.call(this, () => {})
    })
  })
  afterAll(() => void jest.restoreAllMocks())

  test.each([...new Map(ours.map(({ args }) => [args.join(' '), args]))])(
    'mintfold %s is parsed by its own command',
    async (_line, args) => {
      const edges = fakeEdges()
      const code = await main(args, createIo(edges))
      expect({ code, ...edges.written }).toEqual({ code: 0, stdout: '', stderr: '' })
    },
  )
  test('with an option that does not exist are refused', async () => {
    expect(await main(['sql', 'SELECT 1', '--frmat', 'CSV'], createIo(fakeEdges()))).toBe(2)
  })
})
