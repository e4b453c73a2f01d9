// What processors must not know: I/O, clock, chance, environment; and what the engine must not name.
import { importsOf } from './imports.ts'
import { type Node, type Source, walk } from './source.ts'

const PURE_MODULES = new Set(['node:zlib', 'node:buffer'])
/** Of node:crypto only these are functions of their arguments. */
const PURE_CRYPTO = new Set(['createHash', 'hash'])
const IMPURE_GLOBALS = new Set(
  'process console performance fetch setTimeout setInterval setImmediate queueMicrotask globalThis require WebSocket crypto'.split(' '),
)
const IMPURE_MEMBERS: Readonly<Record<string, readonly string[]>> = { Date: ['now'], Math: ['random'] }

/** Uses of I/O, clock, chance or environment in a file that must be pure. */
export const purityFaults = (source: Source): string[] => {
  const faults = importsOf(source)
    .filter((name) => name.startsWith('node:') && !PURE_MODULES.has(name) && name !== 'node:crypto')
    .map((name) => `${source.path} imports ${name}`)
  walk(source.tree, (node, field, parent) => {
    const what = impureCrypto(node) ?? impureUse(node, field, parent)
    if (what !== undefined) faults.push(`${source.path}:${source.lineAt(node.span?.start ?? 0)} uses ${what}`)
  })
  return faults
}

const impureCrypto = (node: Node): string | undefined => {
  if (node.type !== 'ImportDeclaration' || (node.source as { value: string }).value !== 'node:crypto') return undefined
  const names = (node.specifiers as Node[]).map(({ imported, local }) => ((imported ?? local) as { value: string }).value)
  return names.find((name) => !PURE_CRYPTO.has(name))
}

const impureUse = (node: Node, field: string, parent: Node | undefined): string | undefined => {
  if (node.type === 'NewExpression' && (node.callee as Node).value === 'Date') return 'new Date('
  if (node.type === 'MemberExpression') {
    const [object, member] = [(node.object as Node).value, (node.property as Node).value]
    return IMPURE_MEMBERS[String(object)]?.includes(String(member)) ? `${object}.${member}` : undefined
  }
  const isName = field === 'property' ? parent?.type === 'Computed' : field !== 'key'
  return node.type === 'Identifier' && isName && IMPURE_GLOBALS.has(String(node.value)) ? String(node.value) : undefined
}

/** Words about launchpads. The engine knows keys, rows and positions only. */
const DOMAIN_WORDS = new Set(
  'mint curve launch creator wallet solana pump lamport lamports holder bundle trade trades pool swap coin'.split(' '),
)

/** Words about launchpads in a file of the engine: in names, text and comments. Names are split at their capital letters. */
export const domainFaults = ({ path, text }: Pick<Source, 'path' | 'text'>): string[] =>
  text.split('\n').flatMap((line, index) => {
    const words =
      line
        .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
        .toLowerCase()
        .match(/[a-z]+/g) ?? []
    return words
      .filter((word) => DOMAIN_WORDS.has(word) || DOMAIN_WORDS.has(word.replace(/(s|es|ed)$/, '')))
      .map((word) => `${path}:${index + 1} names ${word}`)
  })
