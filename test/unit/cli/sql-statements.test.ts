// Splitting SQL text into statements, and listing the functions and tables it calls.
import fc from 'fast-check'
import { calledIn, piecesOf, statementsOf, verbOf } from '../../../topology/history/tables/statements.ts'

describe('statements of a file', () => {
  test.each([
    ['two statements', 'SELECT 1; SELECT 2;', ['SELECT 1', 'SELECT 2']],
    ['only comments', '-- one; two\n/* three; */ ;;\n', []],
    [
      'a semicolon in a string',
      "SELECT 'a;b', 'it''s;', 'back\\';slash'; SELECT 2",
      ["SELECT 'a;b', 'it''s;', 'back\\';slash'", 'SELECT 2'],
    ],
    ['a semicolon in a quoted name', 'SELECT `a;b`, "c;d"; SELECT 2', ['SELECT `a;b`, "c;d"', 'SELECT 2']],
    ['a semicolon in a heredoc', 'SELECT $x$a;b$x$; SELECT 2', ['SELECT $x$a;b$x$', 'SELECT 2']],
    ['a quote in a comment', "-- it's one; it's\nSELECT 1; SELECT 2", ["-- it's one; it's\nSELECT 1", 'SELECT 2']],
    ['a comment in a statement', 'SELECT /* ; */ 1', ['SELECT /* ; */ 1']],
    ['an unterminated string', "SELECT 'a; SELECT 2", ["SELECT 'a; SELECT 2"]],
  ])('%s', (_what, sql, expected) => {
    expect(statementsOf(sql)).toEqual(expected)
  })

  test('no character is lost, whatever the text', () => {
    const texts = fc.string({
      unit: fc.constantFrom("'", '"', '`', '\\', ';', '-', '/', '*', '$', '\n', 'a', '1', '(', ' '),
      maxLength: 40,
    })
    fc.assert(fc.property(texts, (sql) => [...piecesOf(sql)].map(({ text }) => text).join('') === sql))
  })
})

describe('calls of a query', () => {
  test.each([
    ['a function', 'SELECT sum(x)', ['sum']],
    ['white space and comments before the bracket', 'SELECT FILE /* a */ -- b\n (1)', ['file']],
    ['quoted names', 'SELECT `file`(1), "Url"(2)', ['file', 'url']],
    ['the name in a string or a comment', "SELECT 'file(1)' -- url(2)", []],
    ['a column of that name', 'SELECT file, (1)', []],
  ])('%s', (_what, sql, expected) => {
    expect([...calledIn(sql)]).toEqual(expected)
  })
})

test.each([
  ['SELECT 1', 'select'],
  [' /* a */ -- b\n Kill QUERY', 'kill'],
  ['(SELECT 1)', ''],
  ["'kill'", ''],
  ['', ''],
])('finds the first keyword of %j', (sql, verb) => {
  expect(verbOf(sql)).toBe(verb)
})
