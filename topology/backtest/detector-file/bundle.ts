// Bundles a detector's file and the files it imports into one script, and checks what they import.
import { createHash } from 'node:crypto'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { basename, dirname, extname, relative, resolve, sep } from 'node:path'
import type { BuildFailure, Plugin } from 'esbuild'
import { HELPERS_VERSION } from '../../../processors/detector-kit/helpers.ts'
import { messageOf, UsageError } from '../../../schemas/errors.ts'
import { HELPER_NAMES } from './realm.ts'

/** The module from which a detector file imports its types and helpers. */
export const KIT = 'mintfold/detector'

/** Limit for all files together. */
const BYTES_MAX = 1_048_576
const FILES_MAX = 64
const ERRORS_SHOWN_MAX = 20
const PURE = 'a detector is a pure function of rows'

/** A detector file and its imports, bundled. */
export interface Bundle {
  /** A script that assigns the exports to `__detector`. */
  readonly code: string
  /** SHA-256, hex, of the code with its constants. Comments, spaces, types and the file's name do not change it. */
  readonly hash: string
  /** Absolute paths of the bundled files, the detector's own first. */
  readonly sources: readonly string[]
  /** `file:line:column` in the sources of a place in `code`; undefined if it comes from no source. Lines and columns count from 1. */
  placeOf(line: number, column: number): string | undefined
}

/** @throws UsageError with file, line and what to do: no such file, too large, wrong syntax, a refused import */
export const bundleOf = async (path: string): Promise<Bundle> => {
  const entry = resolve(path)
  const files = new Files(entry)
  const { build } = await import('esbuild')
  try {
    const { outputFiles } = await build({
      entryPoints: [entry],
      outfile: 'detector.js',
      absWorkingDir: dirname(entry),
      write: false,
      bundle: true,
      format: 'iife',
      globalName: '__detector',
      target: 'es2022',
      // Async code would be compiled to helpers that use promises, which the realm refuses.
      supported: { 'async-await': false, 'async-generator': false, 'for-await': false },
      minifyWhitespace: true,
      charset: 'utf8',
      sourcemap: 'external',
      sourcesContent: false,
      logLevel: 'silent',
      logOverride: { 'empty-import-meta': 'error', 'direct-eval': 'error' },
      // A tsconfig in the directory of the file must not change the code.
      tsconfigRaw: {},
      plugins: [imports(files)],
    })
    const [code, map] = [/\.js$/, /\.map$/].map((name) => outputFiles.find((file) => name.test(file.path))?.text ?? '')
    const hash = createHash('sha256').update(`${KIT} ${HELPERS_VERSION}\n${code}`).digest('hex')
    return { code: code ?? '', hash, sources: files.paths, placeOf: placesOf(map ?? '{}', entry) }
  } catch (failure) {
    throw usageOf(failure, entry)
  }
}

/** Reads the files of a detector, within their limits. */
class Files {
  readonly entry: string
  readonly #folder: string
  readonly #texts = new Map<string, string>()
  #bytes = 0

  constructor(entry: string) {
    this.entry = entry
    this.#folder = realOf(dirname(entry))
    this.text(entry)
  }
  get paths(): readonly string[] {
    return [...this.#texts.keys()]
  }
  /** Why a file may not be imported; undefined if it may. */
  refusal(name: string, from: string): string | undefined {
    if (!/^\.\.?\//.test(name)) return notRelative(name)
    if (extname(name) !== '.ts')
      return `'${name}' cannot be imported: name a .ts file in the directory of the detector, such as './${basename(name, extname(name))}.ts'`
    const path = resolve(dirname(from), name)
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return `there is no file ${path}`
    const way = relative(this.#folder, realOf(path))
    if (way.startsWith('..') || way.startsWith(sep))
      return `'${name}' is outside ${this.#folder}: move the files that the detector imports into this directory`
    return undefined
  }
  /** @throws UsageError */
  text(path: string): string {
    const known = this.#texts.get(path)
    if (known !== undefined) return known
    const text = readText(path)
    this.#bytes += Buffer.byteLength(text)
    if (this.#bytes > BYTES_MAX) throw new UsageError(`${path}: a detector and its imports have more than ${BYTES_MAX} bytes: shorten them`)
    if (this.#texts.size >= FILES_MAX) throw new UsageError(`${path}: a detector has more than ${FILES_MAX} files: merge some`)
    this.#texts.set(path, text)
    return text
  }
}

const realOf = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const readText = (path: string): string => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new UsageError(`${path}: no such file; give the path of a detector in TypeScript`)
  if (!found.isFile() || extname(path) !== '.ts') throw new UsageError(`${path}: not a .ts file; give the path of a detector in TypeScript`)
  if (found.size > BYTES_MAX) throw new UsageError(`${path}: ${found.size} bytes; a detector may have at most ${BYTES_MAX}`)
  try {
    return readFileSync(path, 'utf8')
  } catch (failure) {
    throw new UsageError(`${path}: cannot be read: ${messageOf(failure)}`)
  }
}

const notRelative = (name: string): string => {
  const what = name.startsWith('/') ? 'an absolute path' : name.startsWith('node:') ? 'a module of Node' : 'a package or a module of Node'
  return `'${name}' cannot be imported, ${what}: ${PURE}. It may import '${KIT}' and .ts files in its directory`
}

/** Each helper is a separate export: one that a file does not use leaves no trace in its code. */
const KIT_CODE = HELPER_NAMES.map((name) => `export const ${name} = /* @__PURE__ */ __helper('${name}')`).join('\n')

/** All detector files are bundled under this name, because generated names in the code derive from it. */
const OWN = 'detector'
const OWN_PLACE = `${OWN}:${OWN}`

const imports = (files: Files): Plugin => ({
  name: 'imports',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /.*/ }, ({ path, kind, importer }) => {
      if (kind === 'entry-point') return { path: OWN, namespace: OWN }
      if (kind !== 'import-statement') return { errors: [{ text: `'${path}' cannot be loaded while a detector runs: ${PURE}` }] }
      if (path === KIT) return { path: KIT, namespace: 'kit' }
      const from = importer === OWN ? files.entry : importer
      const refusal = files.refusal(path, from)
      return refusal === undefined ? { path: resolve(dirname(from), path) } : { errors: [{ text: refusal }] }
    })
    onLoad({ filter: /.*/, namespace: 'kit' }, () => ({ contents: KIT_CODE, loader: 'js' }))
    onLoad({ filter: /.*/, namespace: OWN }, () => ({ contents: files.text(files.entry), loader: 'ts' }))
    onLoad({ filter: /.*/ }, ({ path }) => {
      try {
        return { contents: files.text(path), loader: 'ts' }
      } catch (failure) {
        return { errors: [{ text: messageOf(failure) }] }
      }
    })
  },
})

/** A UsageError with the bundler's messages, file and line. Other failures (a bug, or a UsageError) are returned unchanged. */
const usageOf = (failure: unknown, entry: string): unknown => {
  const { errors } = failure as Partial<BuildFailure>
  if (!Array.isArray(errors)) return failure
  const lines = errors.slice(0, ERRORS_SHOWN_MAX).map(({ text, location }) => {
    const where = location === null ? entry : `${fileIn(location.file, entry)}:${location.line}:${location.column + 1}`
    return `${where}: ${text}`
  })
  return new UsageError(lines.join('\n'))
}

const fileIn = (name: string, entry: string): string => (name === OWN_PLACE ? entry : resolve(dirname(entry), name))

const placesOf = (map: string, entry: string): Bundle['placeOf'] => {
  const places = new SourceMap(JSON.parse(map))
  return (line, column) => {
    const found = places.findEntry(line - 1, column - 1)
    if (!('originalSource' in found) || /^kit:/.test(found.originalSource)) return undefined
    return `${fileIn(found.originalSource, entry)}:${found.originalLine + 1}:${found.originalColumn + 1}`
  }
}
