// Who may import whom.
import { posix } from 'node:path'
import { type Node, type Source, walk } from './source.ts'

/** Folders of this project from which a folder may import. The longest matching prefix applies. Type-only imports count too. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'schemas/': ['schemas/'],
  'processors/': ['schemas/', 'processors/'],
  'topology/': ['schemas/', 'processors/', 'topology/'],
  'topology/engine/': ['schemas/', 'processors/contract.ts', 'topology/ports/', 'topology/waiting/', 'topology/engine/'],
  'topology/ports/': ['schemas/', 'processors/', 'topology/ports/'],
  'topology/cli/': ['schemas/', 'processors/', 'topology/', 'query-api/'],
  'query-api/': ['schemas/', 'processors/', 'topology/ports/', 'query-api/'],
  'test/': ['schemas/', 'processors/', 'topology/', 'query-api/', 'test/'],
}

/** The rooms of a folder (its subfolders and files), the lowest first: each imports only from earlier ones. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  topology: [
    ...[
      'ports',
      'waiting',
      'engine',
      'topology.ts',
      'launchpad-in-use.ts',
      'data-dir',
      'records',
      'logs',
      'snapshots',
      'views',
      'versions',
      'runtime',
      'odds',
      'history',
      'sinks',
    ],
    ...[
      'sources',
      'simulator',
      'sandbox',
      'threads',
      'operations',
      'training',
      'backtest',
      'graph.ts',
      'chain-tasks.ts',
      'curve-risk.ts',
      'launch-risk.ts',
      'cli',
    ],
  ],
  'query-api': [
    ...[
      'guides',
      'answer-schemas',
      'questions',
      'answers',
      'payment',
      'http',
      'stream',
      'alerts',
      'middleware',
      'discovery',
      'mcp',
      'pages',
      'app',
    ],
  ],
}

/** Imports from a room to one above it. */
export const roomFaults = (source: Source): string[] => {
  const [folder = '', room = ''] = source.path.split('/')
  const rooms = ROOMS[folder]
  if (rooms === undefined) return []
  const rank = rooms.indexOf(room)
  if (rank < 0) return [`${source.path}: ${folder}/${room} has no place among the rooms`]
  const rankOf = (target: string): number => (target.startsWith(`${folder}/`) ? rooms.indexOf(target.split('/')[1] ?? '') : -1)
  return importsOf(source)
    .flatMap((name) => resolveImport(source.path, name) ?? [])
    .filter((target) => rankOf(target) > rank)
    .map((target) => `${source.path} imports ${target}: ${folder}/${room} is below it`)
}

/** Module names that a file imports: static, dynamic, re-exported, in types, and files named by `new URL('./x.ts', import.meta.url)`. */
export const importsOf = ({ tree }: Source): readonly string[] => {
  const found = known.get(tree)
  if (found !== undefined) return found
  const names: string[] = []
  walk(tree, (node) => {
    const name = textOf(node.source) ?? (node.type === 'TsImportType' ? textOf(node.argument) : undefined) ?? argumentOf(node)
    if (name !== undefined) names.push(name)
  })
  known.set(tree, names)
  return names
}

/** Imports by tree: several rules ask for them. */
const known = new WeakMap<Node, readonly string[]>()

/** The path in this project that `name` means in a file at `path`; undefined for packages. */
const resolveImport = (path: string, name: string): string | undefined =>
  name.startsWith('.') ? posix.join(posix.dirname(path), name) : undefined

/** Imports that break the rule. */
export const importFaults = (source: Source): string[] => {
  const prefix = Object.keys(MAY_IMPORT)
    .filter((folder) => source.path.startsWith(folder))
    .sort((a, b) => b.length - a.length)[0]
  if (prefix === undefined) return []
  const allowed = MAY_IMPORT[prefix] ?? []
  const targets = importsOf(source).flatMap((name) => resolveImport(source.path, name) ?? [])
  return targets
    .filter((target) => /\.[cm]?ts$/.test(target) && Object.keys(MAY_IMPORT).some((folder) => target.startsWith(folder)))
    .filter((target) => !allowed.some((folder) => target.startsWith(folder)))
    .map((target) => `${source.path} imports ${target}: ${prefix} may import ${allowed.join(', ')}`)
}

/** Code of the odds models' inputs. No chain of imports leads from it to the code of labels, `LABELS`, which settles launches. */
const FEATURES: readonly string[] = ['processors/mint/odds/', 'processors/odds/']
const LABELS = 'processors/mint/fold/outcome.ts'

/** Files of features from which imports lead to the labels, with the chain of files. `sources`: all files that imports may lead to. */
export const labelFaults = (sources: readonly Source[]): string[] => {
  const targets = new Map(sources.map((source) => [source.path, source]))
  const wayFrom = (path: string, seen: Set<string>): readonly string[] | undefined => {
    if (path === LABELS) return [path]
    const source = targets.get(path)
    if (source === undefined || seen.has(path)) return undefined
    seen.add(path)
    for (const name of importsOf(source)) {
      const target = resolveImport(path, name)
      const way = target === undefined ? undefined : wayFrom(target, seen)
      if (way !== undefined) return [path, ...way]
    }
    return undefined
  }
  const features = sources.filter(({ path }) => FEATURES.some((folder) => path.startsWith(folder)))
  return features.flatMap(({ path }) => wayFrom(path, new Set())?.join(' imports ') ?? [])
}

const WIRINGS: readonly string[] = ['topology/launch-risk.ts', 'topology/curve-risk.ts']
const TOPIC_LIST = 'schemas/topics.ts'
/** Functions that make the topics of a chain. */
const MAKES_TOPICS = /^(topicsFor|mintTopicsFor|curveTopicsFor|changelogOf)$/

/** Files that import the wiring or make topics, instead of receiving their part of the wiring as an argument. */
export const wiringFaults = (source: Source): string[] => {
  const { path, tree } = source
  if (WIRINGS.includes(path) || path === TOPIC_LIST || path.startsWith('test/')) return []
  const faults: string[] = []
  const imported = importsOf(source).map((name) => resolveImport(path, name) ?? '')
  const wiring = imported.find((target) => WIRINGS.includes(target))
  if (wiring !== undefined && !path.startsWith('topology/cli/')) faults.push(`${path} imports ${wiring}: only topology/cli/ may`)
  walk(tree, ({ type, value }) => {
    if (type === 'Identifier' && MAKES_TOPICS.test(String(value)) && faults.length < 2)
      faults.push(`${path} names ${value}: only ${WIRINGS.join(' and ')} may`)
  })
  return faults
}

const textOf = (node: unknown): string | undefined => {
  const { type, value } = (node ?? {}) as { type?: string; value?: unknown }
  return type === 'StringLiteral' && typeof value === 'string' ? value : undefined
}

/** The first argument of `import('x')`, `require('x')` and `new URL('x', import.meta.url)`. */
const argumentOf = (node: Node): string | undefined => {
  const callee = node.callee as Node | undefined
  const isUrl = node.type === 'NewExpression' && callee?.value === 'URL'
  const isImport = node.type === 'CallExpression' && (callee?.type === 'Import' || callee?.value === 'require')
  if (!isUrl && !isImport) return undefined
  return textOf((node.arguments as { expression: Node }[] | undefined)?.[0]?.expression)
}
