// Finds the places of a source file for small faults: conditions, operators, numbers, calls, assignments, awaits, arguments.
import type { Node, Source } from '../tidy/source.ts'

type Kind = 'negate' | 'operator' | 'number' | 'remove' | 'await' | 'swap'

/** One fault: replaces the bytes `from` to `to` with `now`. */
export interface Mutant {
  readonly file: string
  readonly line: number
  readonly kind: Kind
  readonly from: number
  readonly to: number
  readonly was: string
  readonly now: string
  /** The first line of the place, trimmed, without and with the fault: identifies the mutant when line numbers change. */
  readonly before: string
  readonly after: string
}

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
}
/** TypeScript nodes that contain an expression; all others are types, which do not affect behaviour. */
const TS_EXPRESSIONS = new Set(['TsAsExpression', 'TsSatisfiesExpression', 'TsNonNullExpression', 'TsConstAssertion', 'TsTypeAssertion'])
const TEXTS = new Set(['StringLiteral', 'TemplateLiteral'])

/** All faults of a file, in text order. */
export const mutantsOf = (source: Source): readonly Mutant[] => {
  const bytes = Buffer.from(source.text)
  const found: Mutant[] = []
  const add = (kind: Kind, from: number, to: number, now: string): void => {
    const was = bytes.toString('utf8', from, to)
    found.push({ file: source.path, kind, from, to, was, now, ...placeOf(bytes, from, to, now) })
  }
  const textOf = (node: Node): string => bytes.toString('utf8', ...spanOf(source, node))
  const visit = (node: Node, field: string): void => {
    if (isType(node)) return
    for (const fault of faultsOf(node, field, source, bytes, textOf)) add(...fault)
    for (const [name, child] of Object.entries(node)) enter(child, name)
  }
  const enter = (value: unknown, field: string): void => {
    if (Array.isArray(value)) for (const item of value) enter(item, field)
    else if (value !== null && typeof value === 'object') {
      if (typeof (value as Node).type === 'string') visit(value as Node, field)
      else for (const child of Object.values(value)) enter(child, field)
    }
  }
  // Skips the first statement, which is the parser's mark before the file.
  enter((source.tree.body as readonly Node[]).slice(1), 'body')
  return found.sort((a, b) => a.from - b.from || a.to - b.to)
}

type Fault = readonly [kind: Kind, from: number, to: number, now: string]

const faultsOf = (node: Node, field: string, source: Source, bytes: Buffer, textOf: (node: Node) => string): readonly Fault[] => {
  const of = (part: Node): readonly [number, number] => spanOf(source, part)
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression': {
      const test = node.test as Node
      return [['negate', ...of(test), `!(${textOf(test)})`]]
    }
    case 'BinaryExpression':
      return operatorFault(node, of, bytes)
    case 'NumericLiteral':
      return field === 'key' ? [] : [['number', ...of(node), `(${textOf(node)} + 1)`]]
    case 'BigIntLiteral':
      return [['number', ...of(node), `(${textOf(node)} + 1n)`]]
    case 'ExpressionStatement':
      return isRemovable(node.expression as Node) ? [['remove', ...of(node), ';']] : []
    case 'AwaitExpression':
      return [['await', of(node)[0], of(node.argument as Node)[0], '']]
    case 'CallExpression':
      return swapFault(node, of, textOf)
    default:
      return []
  }
}

const operatorFault = (node: Node, of: (part: Node) => readonly [number, number], bytes: Buffer): readonly Fault[] => {
  const [left, right] = [node.left as Node, node.right as Node]
  const operator = String(node.operator)
  const now = OPERATORS[operator]
  if (now === undefined || (operator === '+' && [left, right].some(({ type }) => TEXTS.has(type)))) return []
  const between = bytes.toString('utf8', of(left)[1], of(right)[0])
  // Skips operators next to a comment, which might contain the operator as well.
  if (between.trim() !== operator) return []
  const from = of(left)[1] + Buffer.byteLength(between.slice(0, between.indexOf(operator)))
  return [['operator', from, from + operator.length, now]]
}

const swapFault = (node: Node, of: (part: Node) => readonly [number, number], textOf: (node: Node) => string): readonly Fault[] => {
  const given = node.arguments as readonly { readonly spread: unknown; readonly expression: Node }[]
  const [first, second] = given.map(({ expression }) => expression)
  if (given.length !== 2 || first?.type !== 'Identifier' || second?.type !== 'Identifier' || given.some(({ spread }) => spread)) return []
  const [a, b] = [textOf(first), textOf(second)]
  return a === b ? [] : [['swap', of(first)[0], of(second)[1], `${b}, ${a}`]]
}

const isRemovable = (node: Node): boolean => {
  if (node.type === 'AwaitExpression') return isRemovable(node.argument as Node)
  if (node.type === 'CallExpression') return (node.callee as Node).type !== 'Super'
  return node.type === 'AssignmentExpression'
}

const isType = ({ type }: Node): boolean => type === 'ImportDeclaration' || (type.startsWith('Ts') && !TS_EXPRESSIONS.has(type))

const spanOf = (source: Source, { span }: Node): readonly [number, number] => [
  source.byteAt(span?.start ?? 0),
  source.byteAt(span?.end ?? 0),
]

/** The line number of a fault, and the line without and with it. */
const placeOf = (bytes: Buffer, from: number, to: number, now: string): Pick<Mutant, 'line' | 'before' | 'after'> => {
  const begin = from === 0 ? 0 : bytes.lastIndexOf(10, from - 1) + 1
  const endOf = (at: number): number => (bytes.indexOf(10, at) < 0 ? bytes.length : bytes.indexOf(10, at))
  const head = bytes.toString('utf8', begin, from)
  return {
    line: bytes.toString('utf8', 0, begin).split('\n').length,
    before: bytes.toString('utf8', begin, endOf(from)).trim(),
    after: `${head}${now}${bytes.toString('utf8', to, endOf(to))}`.split('\n')[0]?.trim() ?? '',
  }
}

/** The file's text with the fault. @throws if the file has changed since */
export const mutated = (text: string, { from, to, was, now }: Mutant): string => {
  const bytes = Buffer.from(text)
  if (bytes.toString('utf8', from, to) !== was) throw new Error(`the file has changed: ${was} is no longer at byte ${from}`)
  return Buffer.concat([bytes.subarray(0, from), Buffer.from(now), bytes.subarray(to)]).toString('utf8')
}
