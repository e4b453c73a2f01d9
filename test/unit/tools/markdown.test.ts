// The reader of documents finds what is wrong: each of its parts fails where it should.
import { anchorsIn, blocksOf, linksIn, mintfoldArgs, shellCommands } from '../../tools/documents/markdown.ts'

test('anchors are those of GitHub: lower case, without punctuation, numbered where a heading repeats', () => {
  const text = '# The `API`, in short\n## 2. A [link](x.md)\n## Twice\n## Twice\n```sh\n# a comment\n```\n<a id="own"></a>\n'
  expect([...anchorsIn(text)]).toEqual(['the-api-in-short', '2-a-link', 'twice', 'twice-1', 'own'])
})

test('links are those of text and pictures, and none of code', () => {
  const text = '[a](b.md#c) `[no](no.md)` <img src="d.svg">\n```md\n[no](no.md)\n```\n<source srcset="e.svg">'
  expect(linksIn(text)).toEqual(['b.md#c', 'd.svg', 'e.svg'])
})

test('blocks have their language, or none', () => {
  const blocks = blocksOf({ path: 'a.md', text: '```sh\nnpx a\n```\n\n```\nb\n```\n' })
  expect(blocks.map(({ language, text }) => [language, text])).toEqual([
    ['sh', 'npx a\n'],
    ['', 'b\n'],
  ])
})

describe('commands of a shell block', () => {
  test.each([
    ['a b  # c', [['a', 'b']]],
    ['a "b c" \'d "e\'', [['a', 'b c', 'd "e']]],
    ['a "x \\"y\\""', [['a', 'x "y"']]],
    ['A=1 B=2 a && b | c ; d &', [['a'], ['b'], ['c'], ['d']]],
    ['a \\\n  b\nc', [['a', 'b'], ['c']]],
    ['A=1\n\n# only words', []],
  ])('%j', (block, commands) => {
    expect(shellCommands(block)).toEqual(commands)
  })
  test('an open quote is refused', () => {
    expect(() => shellCommands('a "b')).toThrow('a shell block has')
  })
})

test('arguments of mintfold are those of npx and of npm start', () => {
  expect(mintfoldArgs(['npx', 'mintfold', 'sql', 'SELECT 1'])).toEqual(['sql', 'SELECT 1'])
  expect(mintfoldArgs(['npm', 'start', '--', '--rate', '2'])).toEqual(['up', '--rate', '2'])
  expect(mintfoldArgs(['npx', 'jest'])).toBeUndefined()
})
