// A lexer for SQL: enough to split files into statements and to find the functions that a query calls.

/** Comments and white space are `gap`; a quoted identifier is a `name`, including its quotes. */
export interface Piece {
  readonly kind: 'gap' | 'string' | 'name' | 'number' | 'end' | 'other'
  readonly text: string
}

/** Each alternative also ends at the end of the text, so an unclosed one extends to the end. `$tag$...$tag$` is a string. */
const PIECES = new RegExp(
  [
    /(?<gap>\s+|--[^\n]*|#[ !][^\n]*|\/\*[\s\S]*?(?:\*\/|$))/,
    /(?<string>'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|(?<tag>\$\w*\$)[\s\S]*?(?:\k<tag>|$))/,
    /(?<name>[A-Za-z_]\w*|`(?:[^`\\]|\\[\s\S]|``)*(?:`|$)|"(?:[^"\\]|\\[\s\S]|"")*(?:"|$))/,
    /(?<number>\d\w*)/,
    /(?<end>;)/,
    /[\s\S]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)
const KINDS = ['gap', 'string', 'name', 'number', 'end'] as const

export function* piecesOf(sql: string): Generator<Piece> {
  for (const match of sql.matchAll(PIECES)) {
    const kind = KINDS.find((name) => match.groups?.[name] !== undefined) ?? 'other'
    yield { kind, text: match[0] }
  }
}

/** The statements of a file, without their semicolons. Pieces with only comments are skipped. */
export const statementsOf = (sql: string): readonly string[] => {
  const statements: string[] = []
  let [text, isEmpty] = ['', true]
  const close = (): void => {
    if (!isEmpty) statements.push(text.trim())
    text = ''
    isEmpty = true
  }
  for (const piece of piecesOf(sql)) {
    if (piece.kind === 'end') close()
    else {
      text += piece.text
      isEmpty &&= piece.kind === 'gap'
    }
  }
  close()
  return statements
}

/** The first keyword, in lower case; empty if there is none. */
export const verbOf = (sql: string): string => {
  for (const { kind, text } of piecesOf(sql)) if (kind !== 'gap') return kind === 'name' ? text.toLowerCase() : ''
  return ''
}

/** Names followed by an opening parenthesis (functions, among others), in lower case and without quotes. */
export const calledIn = (sql: string): ReadonlySet<string> => {
  const called = new Set<string>()
  let last = ''
  for (const { kind, text } of piecesOf(sql)) {
    if (kind === 'gap') continue
    if (text === '(' && last !== '') called.add(last)
    last = kind === 'name' ? text.replace(/^[`"]|[`"]$/g, '').toLowerCase() : ''
  }
  return called
}

const CREATED = /^CREATE (?:OR REPLACE )?(?:MATERIALIZED )?(?:TABLE|VIEW) (?:IF NOT EXISTS )?mintfold\.(\w+)/gm
/** Temporary tables that a file creates and drops again. */
const PASSING = /_weeks$/

/** Names of the tables and views that a file of deploy/clickhouse creates. */
export const createdIn = (sql: string): readonly string[] =>
  [...new Set([...sql.matchAll(CREATED)].map(([, name]) => name as string))].filter((name) => !PASSING.test(name))
