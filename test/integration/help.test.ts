// What `--help` prints for every command. Documents name no other commands and options.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { main } from '../../topology/cli/main.ts'
import { createIo } from '../../topology/cli/output/io.ts'
import { documents } from '../tools/documents/markdown.ts'
import { NODE_FLAGS } from '../tools/node-flags.ts'
import { fakeEdges } from '../unit/cli/fake-edges.ts'

const fileOf = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')

const helpOf = async (...names: string[]): Promise<string> => {
  const edges = fakeEdges({})
  const code = await main([...names, '--help'], createIo(edges))
  expect({ code, stderr: edges.written.stderr }).toEqual({ code: 0, stderr: '' })
  return edges.written.stdout
}

interface Listed {
  readonly term: string
  readonly words: string
}
/** The section under a heading of a help text: terms with their text, which may span lines. */
const listOf = (help: string, heading: string): readonly Listed[] => {
  const [, after = ''] = help.split(`\n${heading}:\n`)
  const [section = ''] = after.split('\n\n')
  return section
    .split(/\n(?= {2}\S)/)
    .filter((item) => item.trim() !== '')
    .map((item) => {
      const [term = '', ...words] = item.trim().split(/ {2,}/)
      return { term, words: words.join(' ').replace(/\s+/g, ' ') }
    })
}

/** Options of each command. */
const commands = new Map<string, readonly Listed[]>()
beforeAll(async () => {
  for (const { term } of listOf(await helpOf(), 'Commands')) {
    const [name = ''] = term.split(' ')
    if (name !== 'help') commands.set(name, listOf(await helpOf(name), 'Options'))
  }
})

describe('--help', () => {
  test('of every command states its usage and what it does', async () => {
    expect(commands.size).toBeGreaterThan(10)
    for (const name of commands.keys()) {
      const help = await helpOf(name)
      expect(help).toMatch(new RegExp(`^Usage: mintfold ${name} .*\\n\\n\\S.{20}`))
      for (const { term, words } of listOf(help, 'Arguments')) expect(`${name} ${term}: ${words}`).toMatch(/: .{5}/)
    }
  })
  test('of every option states what it is and, if it takes a value, the default', () => {
    const vague = [...commands].flatMap(([name, options]) =>
      options
        .filter(({ term, words }) => words === '' || (term.includes('<') && !/\(required\)|default: |; repeatable$/.test(words)))
        .map(({ term, words }) => `${name} ${term}: ${words}`),
    )
    expect(vague).toEqual([])
  })
})

describe('the documents', () => {
  const optionsOf = (name: string): readonly string[] => (commands.get(name) ?? []).flatMap(({ term }) => term.match(/--[a-z-]+/g) ?? [])
  // A line of prose may begin with the name of the project.
  const isProse = (text: string, index: number): boolean => text[index - 1] === '\n' && text.startsWith('mintfold ', index)
  const usesIn = (text: string): readonly string[] =>
    [...text.matchAll(/(?:mintfold |npm start -- )((?:[^`\n|"#\\]|\\\|)*)/g)]
      .filter(({ index }) => /[`\n(] ?(npx )?$/.test(text.slice(index - 6, index)) && !isProse(text, index))
      .map(([use, rest = '']) => (use.startsWith('npm') ? `up ${rest}` : rest))
  // The changelog may name commands that only earlier releases had.
  const current = documents.filter(({ path }) => path !== 'CHANGELOG.md')
  const namedIn = (uses: readonly string[]): readonly string[] => [...new Set(uses.map((use) => /^[a-z-]+/.exec(use)?.[0] ?? use))]

  test('deploy/commands.md names every command', () => {
    const list = current.find(({ path }) => path === 'deploy/commands.md')?.text ?? ''
    expect([...namedIn(usesIn(list))].sort()).toEqual([...commands.keys()].sort())
  })
  test('name no other command', () => {
    const uses = current.flatMap(({ text }) => usesIn(text))
    expect(namedIn(uses).filter((name) => !commands.has(name))).toEqual([])
  })
  test('give commands only options that they have', () => {
    const uses = current.flatMap(({ text }) => usesIn(text))
    const wrong = uses.flatMap((use) => {
      const [name = ''] = use.split(' ')
      return (use.match(/--[a-z-]+/g) ?? []).filter((option) => !optionsOf(name).includes(option)).map((option) => `${name} ${option}`)
    })
    expect(wrong).toEqual([])
  })
  test('npm start passes node the flags that the bin passes', () => {
    const { scripts } = JSON.parse(fileOf('package.json')) as { scripts: Record<string, string> }
    expect(NODE_FLAGS.length).toBeGreaterThan(2)
    expect(scripts.start).toBe(`node ${NODE_FLAGS.join(' ')} -- topology/cli/mintfold.mjs up`)
  })
})
