// A source file as the tidy rules see it: its text, its lines, its syntax tree (by @swc/core: TypeScript 7 has no stable parser to call).
import { parseSync } from '@swc/core'

/** A node of the tree; `span` counts bytes. */
export interface Node {
  readonly type: string
  readonly span?: { readonly start: number; readonly end: number }
  readonly [field: string]: unknown
}

export interface Source {
  /** From the root of the project, with slashes. */
  readonly path: string
  readonly text: string
  readonly tree: Node
  /** Line of a byte of the tree, from 1. */
  lineAt(byte: number): number
  /** Where a byte of the tree is in the bytes of the text. */
  byteAt(byte: number): number
}

/** Spans count on over all files parsed so far, and a tree begins at its first statement: this one marks where the text begins. */
const MARK = '0;'

/** Parses TypeScript or JavaScript. @throws on a syntax error. */
export const parseSource = (path: string, text: string): Source => {
  const body = text.replace(/^#!.*/, '')
  const shebangBytes = Buffer.byteLength(text) - Buffer.byteLength(body)
  const tree = parseSync(MARK + body, { syntax: 'typescript', target: 'es2022' }) as unknown as Node
  const start = (tree.span?.start ?? 0) + MARK.length - shebangBytes
  const ends = lineEnds(Buffer.from(text))
  return { path, text, tree, lineAt: (byte) => countBelow(ends, byte - start) + 1, byteAt: (byte) => byte - start }
}

const lineEnds = (bytes: Buffer): number[] => {
  const ends: number[] = []
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, end + 1)) ends.push(end)
  return ends
}

const countBelow = (ascending: readonly number[], limit: number): number => {
  let [from, to] = [0, ascending.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((ascending[middle] as number) < limit) from = middle + 1
    else to = middle
  }
  return from
}

/** Calls `visit` for each node of the tree with its parent and the parent's field that contains it. */
export const walk = (tree: Node, visit: (node: Node, field: string, parent: Node | undefined) => void): void => {
  const enter = (value: unknown, field: string, parent: Node | undefined): void => {
    if (value === null || typeof value !== 'object') return
    if (Array.isArray(value)) {
      for (const item of value) enter(item, field, parent)
      return
    }
    const node = value as Node
    const isNode = typeof node.type === 'string'
    if (isNode) visit(node, field, parent)
    // A third of the time of Object.entries, which makes an array for each field.
    for (const name in node) if (name !== 'span') enter(node[name], isNode ? name : field, isNode ? node : parent)
  }
  enter(tree, '', undefined)
}
