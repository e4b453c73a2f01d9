// Loads a TypeScript program: bundles its files and packages when one of them has changed. From a bundle Node resolves a few
// files instead of two thousand, once per thread: `up` starts in a third of the time.
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const SELF = fileURLToPath(import.meta.url)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Within node_modules, because a bundle resolves its external packages from its own location. */
const BUNDLES = join(ROOT, 'node_modules', '.cache', 'mintfold')
/** Next to a program's bundles: the name of the newest one, and the hashes of its input files. */
const NEWEST = 'newest.json'
/**
 * Packages that are not bundled, in addition to development packages: they read files of their own (mostly native code, which the bundler
 * refuses), or are CommonJS packages imported on demand: in a bundle those lose their named exports.
 */
const APART = [
  ...['@node-rs/crc32', '@resvg/resvg-js', '@triton-one/yellowstone-grpc', 'chdb', 'esbuild', 'litesvm', 'lmdb', 'pino'],
  ...['@confluentinc/schemaregistry', '@redis/client', 'kafkajs'],
]
/** Provides `require`, which CommonJS packages expect. */
const REQUIRE = `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`
const OF_PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+\//
const TRIES_MAX = 3
/** Every user who may read the program may read its bundle, not only the one who started it first. */
const FOR_ALL = 0o755
/** Age at which bundles are deleted; until then a running process may still read from an old bundle. */
const KEPT_MS = 7 * 24 * 3_600_000

/** @typedef {{ readonly bundle: string, readonly madeOf: Record<string, string> }} Newest */

/** @param {string | Buffer} text */
const hashOf = (text) => createHash('sha256').update(text).digest('hex')

/**
 * Imports a program. Concurrent loaders that find no bundle each build the same one.
 * @param {URL} entry a .ts file of this project
 * @returns {Promise<any>} the module; a stack trace of its code has the lines of the TypeScript source
 */
export const load = async (entry) => {
  process.setSourceMapsEnabled(true)
  return import(pathToFileURL(await bundle(entry)).href)
}

/**
 * Bundles a program, unless its newest bundle is up to date. A tree whose programs are bundled may be read-only and needs no bundler.
 * @param {URL} entry a .ts file of this project
 * @returns {Promise<string>} path of the bundle's first file
 */
export const bundle = async (entry) => {
  const path = fileURLToPath(entry)
  const home = join(BUNDLES, `${basename(path, '.ts')}-${hashOf(path).slice(0, 16)}`)
  return join(await bundleOf(path, home), 'main.mjs')
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
    const words = `its bundle cannot be written to ${home} (${/** @type {Error} */ (cause).message})`
    throw new Error(`${path} does not start: ${words}. Make that folder writable for the user who starts first.`, { cause })
  }
  throw new Error(`The sources of ${path} changed while they were bundled, ${TRIES_MAX} times. Start again when nothing changes them.`)
}

/** The newest bundle, if all its input files are unchanged. @param {string} home */
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

/** Builds a bundle next to the others, named by its content. @param {string} path @param {string} home */
const make = async (path, home) => {
  mkdirSync(home, { recursive: true })
  for (const name of readdirSync(home))
    if (Date.now() - (statSync(join(home, name), { throwIfNoEntry: false })?.mtimeMs ?? 0) > KEPT_MS)
      rmSync(join(home, name), { recursive: true, force: true })
  const made = mkdtempSync(join(home, 'making-'))
  try {
    chmodSync(made, FOR_ALL)
    const madeOf = await bundled(path, made)
    const bundle = hashOf(JSON.stringify(Object.entries(madeOf).sort()))
    writeFileSync(`${made}.json`, JSON.stringify({ bundle, madeOf }))
    moved(made, join(home, bundle))
    renameSync(`${made}.json`, join(home, NEWEST))
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

/** Returns the input files with hashes; for a package, its package.json. @param {string} path @param {string} outdir */
const bundled = async (path, outdir) => {
  /** @type {Record<string, string>} */
  const madeOf = { [relative(ROOT, SELF)]: hashOf(readFileSync(SELF)) }
  const { build } = await import('esbuild')
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { main: path },
    outdir,
    bundle: true,
    splitting: true,
    external: [...APART, ...developmentPackages()],
    banner: { js: REQUIRE },
    metafile: true,
    // Node reads the whole bundle for source maps: minified it is half as large.
    minifyWhitespace: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outExtension: { '.js': '.mjs' },
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'silent',
    plugins: [reading(madeOf)],
  })
  for (const input of Object.keys(metafile.inputs)) {
    const [folder] = OF_PACKAGE.exec(join(ROOT, input)) ?? []
    if (folder === undefined) continue
    const manifest = join(folder, 'package.json')
    madeOf[relative(ROOT, manifest)] ??= hashOf(readFileSync(manifest))
  }
  return madeOf
}

const developmentPackages = () => Object.keys(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).devDependencies)

/** Another process may have built the same bundle meanwhile: then its bundle is kept. @param {string} from @param {string} to */
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
 * Reads sources for the bundler, fixes `import.meta.url` to the source file, and records hashes.
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
