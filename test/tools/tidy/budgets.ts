// Sizes of files, functions and lines.
import { type Node, type Source, walk } from './source.ts'

export const FILE_LINES_MAX = 250
export const FUNCTION_LINES_MAX = 70
export const LINE_CHARACTERS_MAX = 140

const FUNCTIONS = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassMethod',
  'PrivateMethod',
  'Constructor',
  'MethodProperty',
])

/** A file that is too long. */
export const fileFaults = ({ path, text }: Pick<Source, 'path' | 'text'>): string[] => {
  const lines = text.trimEnd().split('\n').length
  return lines > FILE_LINES_MAX ? [`${path} has ${lines} lines, at most ${FILE_LINES_MAX}`] : []
}

/** Lines that are too long. Text in quotes does not count: sentences for people are not wrapped. */
export const lineFaults = ({ path, text }: Pick<Source, 'path' | 'text'>): string[] =>
  text.split('\n').flatMap((line, index) => {
    const characters = line.replace(/'[^']*'|"[^"]*"|`[^`]*`/g, "''").length
    return characters > LINE_CHARACTERS_MAX ? [`${path}:${index + 1} has ${characters} characters, at most ${LINE_CHARACTERS_MAX}`] : []
  })

/** Functions that are too long; one whose statements are tests is a list of tests, not a function. */
export const functionFaults = (source: Source): string[] => {
  const faults: string[] = []
  walk(source.tree, (node) => {
    if (!FUNCTIONS.has(node.type) || statementsOf(node).some(isTest)) return
    const { start, end } = node.span ?? (node.function as Node | undefined)?.span ?? { start: 0, end: 0 }
    const lines = source.lineAt(end - 1) - source.lineAt(start) + 1
    if (lines > FUNCTION_LINES_MAX)
      faults.push(`${source.path}:${source.lineAt(start)} is a function of ${lines} lines, at most ${FUNCTION_LINES_MAX}`)
  })
  return faults
}

const statementsOf = ({ body }: Node): readonly Node[] => {
  const { stmts } = (body ?? {}) as { stmts?: readonly Node[] }
  return stmts ?? []
}

/** `test(...)`, `describe.each(...)(...)` and the like. */
const isTest = (statement: Node): boolean => {
  let called = statement.expression as Node | undefined
  if (statement.type !== 'ExpressionStatement' || called?.type !== 'CallExpression') return false
  while (called?.type === 'CallExpression' || called?.type === 'MemberExpression')
    called = (called.callee ?? called.object) as Node | undefined
  return ['describe', 'test', 'it'].includes(String(called?.value))
}
