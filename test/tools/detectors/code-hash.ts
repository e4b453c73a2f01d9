// Hashes a detector: its code, and the project's code and constants it uses, without comments and layout.
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseSync, printSync } from '@swc/core'
import { build, type Plugin } from 'esbuild'
import type { DetectorFacts } from '../../../processors/mint/detectors/detector.ts'
import { type Node, walk } from '../tidy/source.ts'

/** A detector that a file exports. */
export interface Exported {
  readonly file: string
  readonly name: string
  readonly detector: DetectorFacts
}

const isDetector = (value: unknown): value is DetectorFacts =>
  typeof value === 'object' && value !== null && 'firesWhen' in value && 'find' in value

/** Every detector of a folder, by file and name. */
export const exportedIn = async (folder: string): Promise<readonly Exported[]> => {
  const found: Exported[] = []
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.ts') && name !== 'index.ts')) {
    const path = join(folder, file)
    const values = Object.entries((await import(path)) as Record<string, unknown>)
    for (const [name, value] of values) if (isDetector(value)) found.push({ file: path, name, detector: value })
  }
  return found
}

/** Properties that change no finding; `tier` too, because promotion does not change what a detector finds. */
const WORDS = new Set(['tier', 'firesWhen', 'headline', 'words'])

/** Excludes `schemas/` from the hash: keys, positions and exact arithmetic are shared basics, not part of one detector's code. */
const language: Plugin = {
  name: 'language',
  setup: ({ onResolve }) => onResolve({ filter: /\/schemas\// }, ({ path }) => ({ path, external: true })),
}

/** SHA-256, 64 hex digits; independent of the repository's path. Unreachable code is not included. */
export const hashOf = async ({ file, name }: Pick<Exported, 'file' | 'name'>): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${name} as detector } from './${basename(file)}'`, resolveDir: dirname(file), loader: 'ts' },
    ...{ bundle: true, write: false, format: 'esm', platform: 'neutral', target: 'es2022', treeShaking: true },
    ...{ legalComments: 'none', packages: 'external', logLevel: 'silent', plugins: [language] },
  })
  return createHash('sha256')
    .update(withoutWords(outputFiles[0]?.text ?? ''))
    .digest('hex')
}

/** The code without comments, layout and texts. */
const withoutWords = (code: string): string => {
  const tree = parseSync(code, { syntax: 'ecmascript', target: 'es2022' })
  walk(tree as unknown as Node, (node) => {
    const key = node.key as Node | undefined
    if (node.type === 'KeyValueProperty' && WORDS.has(String(key?.value)))
      Object.assign(node, { value: { type: 'NullLiteral', span: { start: 0, end: 0, ctxt: 0 } } })
  })
  return printSync(tree, { minify: true }).code
}
