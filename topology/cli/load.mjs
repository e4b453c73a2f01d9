// Starts a program of TypeScript: its own files are bundled into one when one of them has changed, packages stay where they are. Of a
// bundle, Node finds some files instead of five hundred, without a second thread that resolves each: `up` starts in less than half the time.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const SELF = fileURLToPath(import.meta.url)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Below the packages, because a bundle looks for them from where it lies. */
const BUNDLES = join(ROOT, 'node_modules', '.cache', 'mintfold')
/** Beside a program's bundles: which one is newest, and the files that it is made of with their hashes. */
const NEWEST = 'newest.json'
const TRIES_MAX = 3
/** Bundles are kept so long: who started with one may still read from it. */
const KEPT_MS = 7 * 24 * 3_600_000

/** @typedef {{ readonly bundle: string, readonly madeOf: Record<string, string> }} Newest */

/** @param {string | Buffer} text */
const hashOf = (text) => createHash('sha256').update(text).digest('hex')

/**
 * Imports a program with what it imports; of several at once that find no bundle each makes it, and they come to the same.
 * @param {URL} entry a .ts file of this project
 * @returns {Promise<any>} the module; a failure of its code is thrown with the lines of the TypeScript that was written
 */
export const load = async (entry) => {
  process.setSourceMapsEnabled(true)
  const path = fileURLToPath(entry)
  const home = join(BUNDLES, `${basename(path, '.ts')}-${hashOf(path).slice(0, 16)}`)
  return import(pathToFileURL(join(await bundleOf(path, home), 'main.mjs')).href)
}

/** @param {string} path @param {string} home */
const bundleOf = async (path, home) => {
  try {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const bundle = newestIn(home)
      if (bundle !== undefined) return bundle
      await make(path, home)
    }
  } catch (cause) {
    if (/** @type {NodeJS.ErrnoException} */ (cause).syscall === undefined) throw cause
    const words = `its bundle cannot be kept in ${home} (${/** @type {Error} */ (cause).message})`
    throw new Error(`${path} does not start: ${words}. Make that folder writable for whoever starts first.`, { cause })
  }
  throw new Error(`What ${path} is made of changed while it was bundled, ${TRIES_MAX} times. Start again when nothing writes there.`)
}

/** The newest bundle, where every file that it is made of is as it was. @param {string} home */
const newestIn = (home) => {
  try {
    const { bundle, madeOf } = /** @type {Newest} */ (JSON.parse(readFileSync(join(home, NEWEST), 'utf8')))
    const isFresh = Object.entries(madeOf).every(([path, hash]) => hashOf(readFileSync(join(ROOT, path))) === hash)
    return isFresh ? join(home, bundle) : undefined
  } catch (failure) {
    if (codeOf(failure) === 'ENOENT' || failure instanceof SyntaxError) return undefined
    throw failure
  }
}

/** Makes a bundle beside the others, under a name that no other content has. @param {string} path @param {string} home */
const make = async (path, home) => {
  mkdirSync(home, { recursive: true })
  for (const name of readdirSync(home))
    if (Date.now() - (statSync(join(home, name), { throwIfNoEntry: false })?.mtimeMs ?? 0) > KEPT_MS)
      rmSync(join(home, name), { recursive: true, force: true })
  const made = mkdtempSync(join(home, 'making-'))
  try {
    const madeOf = await bundled(path, made)
    const bundle = hashOf(JSON.stringify(Object.entries(madeOf).sort()))
    writeFileSync(`${made}.json`, JSON.stringify({ bundle, madeOf }))
    moved(made, join(home, bundle))
    renameSync(`${made}.json`, join(home, NEWEST))
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

/** Gives what it is made of. @param {string} path @param {string} outdir */
const bundled = async (path, outdir) => {
  /** @type {Record<string, string>} */
  const madeOf = { [relative(ROOT, SELF)]: hashOf(readFileSync(SELF)) }
  const { build } = await import('esbuild')
  await build({
    entryPoints: { main: path },
    outdir,
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outExtension: { '.js': '.mjs' },
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'silent',
    plugins: [reading(madeOf)],
  })
  return madeOf
}

/** The same bundle may have been made by another meanwhile: then that one stays. @param {string} from @param {string} to */
const moved = (from, to) => {
  try {
    renameSync(from, to)
  } catch (failure) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(failure))) throw failure
  }
}

/** @param {unknown} failure */
const codeOf = (failure) => /** @type {NodeJS.ErrnoException} */ (failure).code ?? ''

/**
 * Reads sources for the bundler: each still finds the files beside it, and what was read is written down.
 * @param {Record<string, string>} madeOf
 * @returns {import('esbuild').Plugin}
 */
const reading = (madeOf) => ({
  name: 'reading',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      madeOf[relative(ROOT, path)] = hashOf(text)
      const url = JSON.stringify(pathToFileURL(path).href)
      return { contents: text.replaceAll('import.meta.url', url), loader: 'ts' }
    }),
})
