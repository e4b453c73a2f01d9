// Starts a program of TypeScript: its files and those of packages are bundled when one of them has changed. Of a bundle, Node finds some
// files instead of two thousand, and no second thread resolves each: `up` starts in a third of the time.
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const SELF = fileURLToPath(import.meta.url)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Below the packages, because a bundle looks for those that stay where they are from where it lies. */
const BUNDLES = join(ROOT, 'node_modules', '.cache', 'mintfold')
/** Beside a program's bundles: which one is newest, and the files that it is made of with their hashes. */
const NEWEST = 'newest.json'
/**
 * Packages that stay where they are, beside those of development: they read files of their own (most of them machine code; the bundler
 * refuses another such one), or they are CommonJS and imported where a setting asks for them: in a bundle those have no names.
 */
const APART = [
  ...['@resvg/resvg-js', '@triton-one/yellowstone-grpc', 'chdb', 'esbuild', 'litesvm', 'lmdb', 'pino'],
  ...['@confluentinc/schemaregistry', '@redis/client', 'kafkajs'],
]
/** What a package of CommonJS expects to be there. */
const REQUIRE = `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`
const OF_PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+\//
const TRIES_MAX = 3
/** All users who may read the program may read its bundle, not only the one who started it first. */
const FOR_ALL = 0o755
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

/** Gives what it is made of; of a package, what tells its version. @param {string} path @param {string} outdir */
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
    // What Node maps back to TypeScript it reads whole: half as much.
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
    const told = join(folder, 'package.json')
    madeOf[relative(ROOT, told)] ??= hashOf(readFileSync(told))
  }
  return madeOf
}

const developmentPackages = () => Object.keys(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).devDependencies)

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
