// What the hash of a detector is taken over: its code, and the code and constants of ours that it uses, without comments and layout.
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

/** What is said of a detector and changes no finding; `tier`: one that is promoted finds as it did. */
const WORDS = new Set(['tier', 'firesWhen', 'headline', 'words'])

/** Keys, positions and exact arithmetic are the language that detectors are written in: not part of one's code. */
const language: Plugin = {
  name: 'language',
  setup: ({ onResolve }) => onResolve({ filter: /\/schemas\// }, ({ path }) => ({ path, external: true })),
}

/** SHA-256, 64 hex digits: the same wherever the repository lies. What the code never reaches is not part of it. */
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

/** The code alone: without comments, layout and words. */
const withoutWords = (code: string): string => {
  const tree = parseSync(code, { syntax: 'ecmascript', target: 'es2022' })
  walk(tree as unknown as Node, (node) => {
    const key = node.key as Node | undefined
    if (node.type === 'KeyValueProperty' && WORDS.has(String(key?.value)))
      Object.assign(node, { value: { type: 'NullLiteral', span: { start: 0, end: 0, ctxt: 0 } } })
  })
  return printSync(tree, { minify: true }).code
}
