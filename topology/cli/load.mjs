// Loads a TypeScript program: bundles its files and packages when one of them has changed. From a bundle Node resolves a few
// files instead of two thousand, once per thread: `up` starts in a third of the time.
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import * as module from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
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
  ...['@bokuweb/zstd-wasm', '@node-rs/crc32', '@resvg/resvg-js', '@triton-one/yellowstone-grpc', 'chdb', 'esbuild', 'litesvm', 'lmdb'],
  ...['@confluentinc/schemaregistry', '@redis/client', 'kafkajs', 'kafkajs-snappy', 'lz4-napi', 'pino'],
]
/** Provides `require`, which CommonJS packages expect. */
const REQUIRE = `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`
const OF_PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+\//
const TRIES_MAX = 3
/** Every user who may read the program may read its bundle, not only the one who started it first. */
const FOR_ALL = 0o755
const THREADS = fileURLToPath(new URL('./threads/', import.meta.url))
/** The program and its threads, which are bundled together. */
const PROGRAM = [
  fileURLToPath(new URL('./main.ts', import.meta.url)),
  ...readdirSync(THREADS)
    .filter((name) => name.endsWith('-thread.ts'))
    .map((name) => join(THREADS, name)),
]
/** File systems keep times of change in steps of at most this. */
const CLOCK_TICK_MS_MAX = 2_000
/** Age at which bundles are deleted; until then a running process may still read from an old bundle. */
const KEPT_MS = 7 * 24 * 3_600_000

/**
 * Hash of an input file, and its size and time of change: if both are as they were, the file is not read again.
 * @typedef {{ readonly hash: string, readonly bytes: number, readonly changedMs: number }} Input
 * @typedef {{ readonly bundle: string, readonly madeMs: number, readonly madeOf: Record<string, Input> }} Newest
 */

/** @param {string | Buffer} text */
const hashOf = (text) => createHash('sha256').update(text).digest('hex')

/**
 * Imports a program. Concurrent loaders that find no bundle each build the same one.
 * @param {URL} entry a .ts file of this project
 * @returns {Promise<any>} the module; a stack trace of its code has the lines of the TypeScript source
 */
export const load = async (entry) => {
  process.setSourceMapsEnabled(true)
  const path = await bundle(entry)
  // Node 20 has no such cache. Without permission to write it is not used.
  module.enableCompileCache?.(join(dirname(path), 'compiled'))
  return import(pathToFileURL(path).href)
}

/**
 * Bundles a program, unless its newest bundle is up to date. A tree whose programs are bundled may be read-only and needs no bundler.
 * @param {URL} entry a .ts file of this project
 * @returns {Promise<string>} path of the bundle's first file
 */
const bundle = async (entry) => {
  const path = fileURLToPath(entry)
  const together = PROGRAM.includes(path) ? PROGRAM : [path]
  try {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const bundle = newestOf(path)
      if (bundle !== undefined) return bundle
      await make(together)
    }
  } catch (cause) {
    if (/** @type {NodeJS.ErrnoException} */ (cause).syscall === undefined) throw cause
    const words = `its bundle cannot be written to ${homeOf(path)} (${/** @type {Error} */ (cause).message})`
    throw new Error(`${path} does not start: ${words}. Make that folder writable for the user who starts first.`, { cause })
  }
  throw new Error(`The sources of ${path} changed while they were bundled, ${TRIES_MAX} times. Start again when nothing changes them.`)
}

/**
 * Bundles the program, its threads and further programs in one pass, unless all are up to date: they share most of their code.
 * @param {readonly string[]} [others] paths of .ts files of this project
 */
export const bundleAll = async (others = []) => {
  const paths = [...PROGRAM, ...others]
  if (paths.some((path) => newestOf(path) === undefined)) await make(paths)
}

/** Also the name of the bundle's first file. @param {string} path */
const nameOf = (path) => `${basename(path, '.ts')}-${hashOf(path).slice(0, 16)}`
/** @param {string} path */
const homeOf = (path) => join(BUNDLES, nameOf(path))

/** The first file of the newest bundle, if all its input files are unchanged. @param {string} path */
const newestOf = (path) => {
  try {
    const { bundle, madeMs, madeOf } = /** @type {Newest} */ (JSON.parse(readFileSync(join(homeOf(path), NEWEST), 'utf8')))
    const isFresh = Object.entries(madeOf).every(([name, input]) => isAsMade(join(ROOT, name), input, madeMs))
    return isFresh ? join(BUNDLES, bundle, `${nameOf(path)}.mjs`) : undefined
  } catch (failure) {
    if (codeOf(failure) === 'ENOENT' || failure instanceof SyntaxError) return undefined
    throw failure
  }
}

/**
 * A file that was changed shortly before it was bundled may have been changed again with the same time.
 * @param {string} path @param {Input} input @param {number} madeMs
 */
const isAsMade = (path, { hash, bytes, changedMs }, madeMs) => {
  const { size, mtimeMs } = statSync(path)
  return (size === bytes && mtimeMs === changedMs && changedMs < madeMs - CLOCK_TICK_MS_MAX) || hashOf(readFileSync(path)) === hash
}

/** Builds one bundle next to others of the first program, named by its content. @param {readonly string[]} paths of programs */
const make = async (paths) => {
  const homes = paths.map(homeOf)
  const [first = ''] = homes
  for (const home of homes) mkdirSync(home, { recursive: true })
  for (const name of readdirSync(first))
    if (Date.now() - (statSync(join(first, name), { throwIfNoEntry: false })?.mtimeMs ?? 0) > KEPT_MS)
      rmSync(join(first, name), { recursive: true, force: true })
  const made = mkdtempSync(join(first, 'making-'))
  try {
    chmodSync(made, FOR_ALL)
    const madeMs = Date.now()
    const inputs = await bundled(paths, made)
    const content = paths.flatMap((path) => Object.entries(inputs(path)).map(([name, { hash }]) => `${nameOf(path)} ${name} ${hash}`))
    const bundle = join(basename(first), hashOf(content.sort().join('\n')))
    for (const [at, path] of paths.entries())
      writeFileSync(`${made}.${at}`, JSON.stringify(/** @type {Newest} */ ({ bundle, madeMs, madeOf: inputs(path) })))
    moved(made, join(BUNDLES, bundle))
    for (const [at, home] of homes.entries()) renameSync(`${made}.${at}`, join(home, NEWEST))
  } finally {
    for (const name of [made, ...paths.map((_, at) => `${made}.${at}`)]) rmSync(name, { recursive: true, force: true })
  }
}

/**
 * Returns the input files of each program; for a package, its package.json.
 * @param {readonly string[]} paths @param {string} outdir
 */
const bundled = async (paths, outdir) => {
  /** @type {Record<string, Input>} */
  const read = {}
  const { build } = await import('esbuild')
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: Object.fromEntries(paths.map((path) => [nameOf(path), path])),
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
    plugins: [reading(read)],
  })
  /** @param {string} input */
  const source = (input) => {
    const [folder] = OF_PACKAGE.exec(join(ROOT, input)) ?? []
    const name = folder === undefined ? input : relative(ROOT, join(folder, 'package.json'))
    read[name] ??= inputAt(join(ROOT, name))
    return [name, read[name]]
  }
  return (/** @type {string} */ path) => {
    const names = closureOf(relative(ROOT, path), (name) => metafile.inputs[name]?.imports ?? [])
    return Object.fromEntries([[relative(ROOT, SELF), inputAt(SELF)], ...names.map(source)])
  }
}

/**
 * The file and everything that it imports.
 * @param {string} first @param {(name: string) => readonly { readonly path: string, readonly external?: boolean }[]} importsOf
 */
const closureOf = (first, importsOf) => {
  const names = new Set([first])
  for (const name of names) for (const { path, external } of importsOf(name)) if (external !== true) names.add(path)
  return [...names]
}

/** @param {string} path @returns {Input} */
const inputAt = (path) => {
  const { size, mtimeMs } = statSync(path)
  return { hash: hashOf(readFileSync(path)), bytes: size, changedMs: mtimeMs }
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
 * Reads sources for the bundler, fixes `import.meta.url` to the source file, and records what was read.
 * @param {Record<string, Input>} read
 * @returns {import('esbuild').Plugin}
 */
const reading = (read) => ({
  name: 'reading',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const { size, mtimeMs } = statSync(path)
      const text = readFileSync(path, 'utf8')
      read[relative(ROOT, path)] = { hash: hashOf(text), bytes: size, changedMs: mtimeMs }
      const url = JSON.stringify(pathToFileURL(path).href)
      return { contents: text.replaceAll('import.meta.url', url), loader: 'ts' }
    }),
})
