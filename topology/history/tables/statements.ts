// SQL text cut into pieces that mean something: enough to split files of statements and to see which functions a query calls.

/** Comments and white space are `gap`; a quoted name is a `name`, with its quotes. */
export interface Piece {
  readonly kind: 'gap' | 'string' | 'name' | 'number' | 'end' | 'other'
  readonly text: string
}

/** Each alternative stops at the text's end too, so that an unclosed one reaches to the end. `$tag$...$tag$` is a string. */
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

/** The statements of a file, without their semicolons. Pieces that hold nothing but comments are left out. */
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

/** What the statement does, in lower case; empty where it begins with none. */
export const verbOf = (sql: string): string => {
  for (const { kind, text } of piecesOf(sql)) if (kind !== 'gap') return kind === 'name' ? text.toLowerCase() : ''
  return ''
}

/** Names that are followed by an opening bracket: functions, and more than them, in lower case and without quotes. */
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
/** Tables that a file makes and takes away again. */
const PASSING = /_weeks$/

/** Names of the tables and views that a file of deploy/clickhouse makes. */
export const createdIn = (sql: string): readonly string[] =>
  [...new Set([...sql.matchAll(CREATED)].map(([, name]) => name as string))].filter((name) => !PASSING.test(name))
