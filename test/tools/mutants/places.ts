// Finds the places of a source file for small faults: conditions, operators, numbers, calls, assignments, awaits, arguments.
import type { Node, Source } from '../tidy/source.ts'

type Kind = 'negate' | 'operator' | 'number' | 'remove' | 'await' | 'swap'

/** One fault: replaces the bytes `from` to `to` with `now`. */
export interface Mutant {
  readonly file: string
  /** Name of the outermost function, method (`Class.method`) or constant around the place; empty outside of all. */
  readonly in: string
  /** Its bytes. */
  readonly scope: readonly [from: number, to: number]
  readonly line: number
  readonly kind: Kind
  readonly from: number
  readonly to: number
  readonly was: string
  readonly now: string
  /** The first line of the place, trimmed, without and with the fault. */
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
  const add = ({ name, span }: Scope, kind: Kind, from: number, to: number, now: string): void => {
    const was = bytes.toString('utf8', from, to)
    found.push({ file: source.path, in: name, scope: span, kind, from, to, was, now, ...placeOf(bytes, from, to, now) })
  }
  const textOf = (node: Node): string => bytes.toString('utf8', ...spanOf(source, node))
  const visit = (node: Node, field: string, around: Scope): void => {
    if (isType(node)) return
    const scope = scopeOf(node, around, source)
    for (const fault of faultsOf(node, field, source, bytes, textOf)) add(scope, ...fault)
    for (const [name, child] of Object.entries(node)) enter(child, name, scope)
  }
  const enter = (value: unknown, field: string, scope: Scope): void => {
    if (Array.isArray(value)) for (const item of value) enter(item, field, scope)
    else if (value !== null && typeof value === 'object') {
      if (typeof (value as Node).type === 'string') visit(value as Node, field, scope)
      else for (const child of Object.values(value)) enter(child, field, scope)
    }
  }
  // Skips the first statement, which is the parser's mark before the file.
  enter((source.tree.body as readonly Node[]).slice(1), 'body', { name: '', span: [0, bytes.length], isOpen: true })
  return found.sort((a, b) => a.from - b.from || a.to - b.to)
}

/** A named part of a file. Only the file and its classes are open, which means that the names in them count. */
interface Scope {
  readonly name: string
  readonly span: readonly [from: number, to: number]
  readonly isOpen: boolean
}
const DECLARATIONS = new Set(['FunctionDeclaration', 'ClassDeclaration', 'VariableDeclarator'])
const MEMBERS = new Set(['ClassMethod', 'PrivateMethod', 'ClassProperty', 'PrivateProperty', 'Constructor'])

const scopeOf = (node: Node, around: Scope, source: Source): Scope => {
  const isMember = MEMBERS.has(node.type)
  if (!around.isOpen || !(isMember || DECLARATIONS.has(node.type))) return around
  const { value = '' } = (node.identifier ?? node.id ?? node.key) as { readonly value?: string }
  const name = node.type.startsWith('Private') ? `#${value}` : value
  return { name: isMember ? `${around.name}.${name}` : name, span: spanOf(source, node), isOpen: node.type === 'ClassDeclaration' }
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
